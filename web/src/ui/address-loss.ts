// Says what a page leaves out of its address: what it cannot read, and what the user may not see. Its numbers are not those of the sender.
import { notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyFailure } from './notify.ts'

/** The notice stays until it is closed or the address changes. `names` are parameters of the address. */
export function useAddressLoss(names: readonly string[]): void {
  const { t } = useTranslation()
  const text = names.join(', ')
  useEffect(() => {
    if (text === '') return
    const notice = notifyFailure(
      t(($) => $.frame.leftOut, { names: text }),
      { persistent: true },
    )
    return () => void notifications.hide(notice)
  }, [text, t])
}
