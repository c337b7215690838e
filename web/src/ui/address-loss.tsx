// Says above a page what it leaves out of its address: what it cannot read, and what the user may not see. Its numbers are not those of the sender.
import { CloseButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './page.module.css'

/** `names` are words of the screen. The line stays until it is closed. */
export function AddressLoss({ names }: { names: readonly string[] }) {
  const { t } = useTranslation()
  const [told, setTold] = useState<readonly string[]>([])
  const [closed, setClosed] = useState(0)
  // The page corrects its address, which then names nothing that is left out.
  const added = [...new Set(names)].filter((name) => !told.includes(name))
  if (added.length > 0) setTold([...told, ...added])
  const text = told.slice(closed).join(', ')
  if (text === '') return null
  return (
    <div className={classes.loss} role="alert">
      <IconAlertTriangle size={15} aria-hidden />
      <span>{t(($) => $.frame.leftOut, { names: text })}</span>
      <CloseButton size="sm" aria-label={t(($) => $.actions.close)} onClick={() => setClosed(told.length)} />
    </div>
  )
}
