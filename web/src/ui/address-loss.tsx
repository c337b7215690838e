// Says above a page what it leaves out of its address: what it cannot read, and what the user may not see. Its numbers are not those of the sender.
import { CloseButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './page.module.css'

/** `names` are words of the screen. The line stays until it is closed, or the page leaves out something else. */
export function AddressLoss({ names }: { names: readonly string[] }) {
  const { t } = useTranslation()
  const [closed, setClosed] = useState('')
  const text = [...new Set(names)].join(', ')
  if (text === '' || text === closed) return null
  return (
    <div className={classes.loss} role="alert">
      <IconAlertTriangle size={15} aria-hidden />
      <span>{t(($) => $.frame.leftOut, { names: text })}</span>
      <CloseButton size="sm" aria-label={t(($) => $.actions.close)} onClick={() => setClosed(text)} />
    </div>
  )
}
