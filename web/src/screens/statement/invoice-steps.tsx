// What may be done next with an invoice: send it, send it again, correct it, void it.

import { Button } from '@mantine/core'
import { ADMIN_OR_LEADERS, staffLeadersOr } from '@tributary/contract/access'
import type { InvoiceStatus } from '@tributary/contract/entities/payment-invoice'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { ReasonModal } from '../../ui/reason-modal.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'

type Step = 'send' | 'correct' | 'void'

const STEPS: Readonly<Record<InvoiceStatus, readonly Exclude<Step, 'void'>[]>> = {
  draft: [],
  approved: ['send'],
  queued: ['send'],
  sent: ['send'],
  accepted: [],
  rejected: ['correct'],
  void: [],
}
// The server refuses queued ones that the CRM may have.
const VOIDABLE: readonly InvoiceStatus[] = ['draft', 'approved', 'queued', 'rejected']

interface InvoiceStepsProps {
  readonly id: number
  readonly status: InvoiceStatus
  /** The statement still owes the lines of this void invoice. */
  readonly isKept: boolean
  /** Nothing of the statement is sent. */
  readonly isHeld: boolean
  /** False where voiding the statement would be refused: an approved or rejected invoice becomes void alone. */
  readonly mayVoid: boolean
  /** Sends a PUT and reloads what is shown. */
  readonly onChange: (path: string, body: object) => Promise<void>
}

export function InvoiceSteps({ id, status, isKept, isHeld, mayVoid, onChange }: InvoiceStepsProps) {
  const { t } = useTranslation()
  const can = useCan()
  const [asked, setAsked] = useState<Step | null>(null)
  const mayEdit = can(staffLeadersOr('payment_invoice_edit')) && !isHeld
  const steps = mayEdit ? (isKept ? (['correct'] as const) : STEPS[status]) : []
  const nameOf = (step: Exclude<Step, 'void'>) =>
    t(
      ($) =>
        $.billing.invoiceSteps[
          step === 'send' && status !== 'approved' ? 'again' : step === 'correct' && isKept ? 'anew' : step
        ],
    )
  // The step stays named while its dialog closes.
  const step = useLastValue(asked) ?? 'send'
  const text =
    step === 'void'
      ? t(($) => $.billing.voidInvoice[status === 'draft' ? 'draft' : 'later'])
      : step === 'correct'
        ? t(($) => $.billing[isKept ? 'anewText' : 'correctText'])
        : undefined
  return (
    <>
      {steps.map((name) => (
        <Button key={name} size="compact-xs" variant="default" onClick={() => setAsked(name)}>
          {nameOf(name)}
        </Button>
      ))}
      {can(ADMIN_OR_LEADERS) &&
      (mayVoid || status === 'approved' || status === 'rejected') &&
      VOIDABLE.includes(status) ? (
        <Button size="compact-xs" variant="subtle" c="var(--negative)" onClick={() => setAsked('void')}>
          {t(($) => $.billing.steps.void)}
        </Button>
      ) : null}
      <ReasonModal
        opened={asked !== null}
        isOptional={step !== 'void'}
        title={step === 'void' ? t(($) => $.billing.steps.void) : `${nameOf(step)}: ${recordNumber(id)}`}
        {...(text !== undefined && { text })}
        {...(step !== 'void' && { submit: nameOf(step) })}
        onClose={() => setAsked(null)}
        send={(reason) => onChange(`payment_invoice/${id}/${step}`, { reason })}
      />
    </>
  )
}
