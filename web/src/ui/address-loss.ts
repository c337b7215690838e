// Says what a page leaves out of its address: what it cannot read, and what the user may not see. Its numbers are not those of the sender.
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyFailure } from './notify.ts'

/** `names` are parameters of the address. */
export function useAddressLoss(names: readonly string[]): void {
  const { t } = useTranslation()
  const text = names.join(', ')
  useEffect(() => {
    if (text !== '') notifyFailure(t(($) => $.frame.leftOut, { names: text }))
  }, [text, t])
}
