// Accepts the claims among selected spends, after confirmation. Reports how many were accepted and rejected.
import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { BulkAnswer, Selection } from '@tributary/contract/selection'
import { isClaimant } from '@tributary/contract/spend-claim'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { holderOf, useProfile } from '../../data/profile.ts'
import { changeSelected } from '../../entities/bulk/bulk-actions.tsx'
import { formatCount } from '../../lib/number-format.ts'
import { askForConfirmation } from '../../ui/confirm.ts'

interface ClaimActionsProps {
  selection: Selection
  count: number
  onDone: () => void
}

export function ClaimActions({ selection, count, onDone }: ClaimActionsProps) {
  const { t } = useTranslation()
  const profile = useProfile()
  if (isClaimant(holderOf(profile))) return null
  const accept = async () => {
    const isAgreed = await askForConfirmation({
      title: t(($) => $.spends.acceptQuestion, { count, rows: formatCount(count) ?? '' }),
      text: t(($) => $.spends.acceptText),
      confirm: t(($) => $.spends.accept),
    })
    if (!isAgreed) return
    const send = (requestId: string) => http.put<BulkAnswer>('partner_spend/accept', selection, { requestId })
    if (await changeSelected('partner_spend', send, { done: t(($) => $.spends.accepted) })) onDone()
  }
  return (
    <Button variant="default" leftSection={<IconCheck size={15} aria-hidden />} onClick={() => void accept()}>
      {t(($) => $.spends.accept)}
    </Button>
  )
}
