// What may be done next with an invoice: send it, send it again, correct it, void it.
import { Button } from '@mantine/core'
import { LEADERS, staffLeadersOr } from '@tributary/contract/access'
import type { InvoiceStatus } from '@tributary/contract/entities/payment-invoice'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { notifyFailure } from '../../ui/notify.ts'
import { ReasonModal } from '../../ui/reason-modal.tsx'

const STEPS: Readonly<Record<InvoiceStatus, readonly ('send' | 'correct')[]>> = {
  draft: [],
  approved: ['send'],
  queued: ['send'],
  sent: ['send'],
  accepted: [],
  rejected: ['correct'],
  void: [],
}
const VOIDABLE: readonly InvoiceStatus[] = ['draft', 'approved', 'rejected']

interface InvoiceStepsProps {
  readonly id: number
  readonly status: InvoiceStatus
  /** The statement is carried over whole, so nothing of it is sent. */
  readonly isCarried: boolean
  /** Sends a PUT and reloads what is shown. */
  readonly onChange: (path: string, body: object) => Promise<void>
}

export function InvoiceSteps({ id, status, isCarried, onChange }: InvoiceStepsProps) {
  const { t } = useTranslation()
  const can = useCan()
  const [isVoiding, setVoiding] = useState(false)
  const steps = can(staffLeadersOr('payment_invoice_edit')) && !isCarried ? STEPS[status] : []
  return (
    <>
      {steps.map((step) => (
        <Button
          key={step}
          size="compact-xs"
          variant="default"
          onClick={() => void onChange(`payment_invoice/${id}/${step}`, {}).catch(notifyFailure)}
        >
          {t(($) => $.billing.invoiceSteps[step === 'send' && status !== 'approved' ? 'again' : step])}
        </Button>
      ))}
      {can(LEADERS) && VOIDABLE.includes(status) ? (
        <Button size="compact-xs" variant="subtle" c="var(--negative)" onClick={() => setVoiding(true)}>
          {t(($) => $.billing.steps.void)}
        </Button>
      ) : null}
      <ReasonModal
        opened={isVoiding}
        title={t(($) => $.billing.steps.void)}
        text={t(($) => $.billing.voidInvoice[status === 'draft' ? 'draft' : 'approved'])}
        onClose={() => setVoiding(false)}
        send={(reason) => onChange(`payment_invoice/${id}/void`, { reason })}
      />
    </>
  )
}
