// What may be done with selected statements and invoices: approve them, send them to the CRM.
import { Button } from '@mantine/core'
import { IconCheck, IconSend } from '@tabler/icons-react'
import { ADMIN_OR_LEADERS, staffLeadersOr } from '@tributary/contract/access'
import type { BulkAnswer } from '@tributary/contract/selection'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { changeSelected } from '../../entities/bulk/bulk-actions.tsx'
import type { BulkActions } from '../../entities/bulk/selection-bar.tsx'
import { askForConfirmation } from '../../ui/confirm.ts'

export const ApproveSelected: BulkActions = ({ selection, count, onDone }) => {
  const { t } = useTranslation()
  const can = useCan()
  if (!can(ADMIN_OR_LEADERS)) return null
  const approve = async () => {
    const title = t(($) => $.billing.bulk.approve, { count })
    const isSure = await askForConfirmation({
      title,
      text: t(($) => $.billing.bulk.approveText),
      confirm: t(($) => $.billing.steps.approve),
    })
    if (!isSure) return
    const isDone = await changeSelected(
      'statement',
      (requestId) => http.put<BulkAnswer>('statement/approve', selection, { requestId }),
      { done: t(($) => $.billing.bulk.approved) },
    )
    await queryClient.invalidateQueries({ queryKey: keys.entity('payment_invoice') })
    if (isDone) onDone()
  }
  return (
    <Button variant="default" leftSection={<IconCheck size={15} aria-hidden />} onClick={() => void approve()}>
      {t(($) => $.billing.steps.approve)}
    </Button>
  )
}

export const SendSelected: BulkActions = ({ selection, count, onDone }) => {
  const { t } = useTranslation()
  const can = useCan()
  if (!can(staffLeadersOr('payment_invoice_edit'))) return null
  const send = async () => {
    const title = t(($) => $.billing.bulk.send, { count })
    const isSure = await askForConfirmation({ title, confirm: t(($) => $.billing.invoiceSteps.send) })
    if (!isSure) return
    const isDone = await changeSelected(
      'payment_invoice',
      (requestId) => http.put<BulkAnswer>('payment_invoice/send', selection, { requestId }),
      { done: t(($) => $.billing.bulk.sent) },
    )
    if (isDone) onDone()
  }
  return (
    <Button variant="default" leftSection={<IconSend size={15} aria-hidden />} onClick={() => void send()}>
      {t(($) => $.billing.invoiceSteps.send)}
    </Button>
  )
}
