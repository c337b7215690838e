// Records a payment.
import { Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { BillingAnswer } from '@tributary/contract/calls/partner-billing'
import { PAYMENT_METHODS } from '@tributary/contract/entities/partner-billing'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { NEVER_SENT, nextAttempt } from '../../entities/form/form-row.ts'
import { useLabels } from '../../i18n/labels.ts'
import { fieldErrors } from '../../lib/form-errors.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { DayInput } from '../../ui/date/date-input.tsx'
import { ModalActions } from '../../ui/modal-actions.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { onSubmit } from '../../ui/submit.ts'
import type { Statement } from './statement-row.ts'

export function PaymentModal({
  opened,
  statement,
  onClose,
}: {
  opened: boolean
  statement: Statement
  onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t(($) => $.billing.pay)}>
      <PaymentForm key={statement.paid} statement={statement} onClose={onClose} />
    </Modal>
  )
}

function PaymentForm({ statement, onClose }: { statement: Statement; onClose: () => void }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const cache = useQueryClient()
  const [amount, setAmount] = useState((Number(statement.total) - Number(statement.paid)).toFixed(2))
  const [day, setDay] = useState(businessToday())
  // Null until it is chosen: the partner's own method.
  const [chosen, setMethod] = useState<string | null>(null)
  const partner = statement.partner.id
  const { data: billing } = useQuery({
    queryKey: ['partner billing', partner],
    queryFn: ({ signal }) => http.get<BillingAnswer>(`partner/${partner}/billing`, { signal }),
  })
  const method = chosen ?? billing?.method ?? ''
  const [reference, setReference] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const attempt = useRef(NEVER_SENT)
  const save = async () => {
    try {
      const payment = {
        statement: statement.id,
        paid_at: day,
        amount: amount.trim(),
        currency: statement.currency.id,
        method: method || null,
        reference: reference.trim() || null,
      }
      // If the answer is lost, confirming again records no second payment.
      attempt.current = nextAttempt(attempt.current, payment)
      await http.post('payment', payment, { onceKey: attempt.current.key })
      notifySuccess(t(($) => $.form.saved))
      onClose()
      await Promise.all(
        ['statement', 'payment'].map((name) => cache.invalidateQueries({ queryKey: keys.entity(name) })),
      )
    } catch (error) {
      const found = fieldErrors(error)
      setErrors(found)
      if (found.amount === undefined) notifyFailure(error)
    }
  }
  const field = (name: string) => labels.field('payment', name)
  return (
    <form onSubmit={onSubmit(save)}>
      <Stack gap="sm">
        <TextInput
          required
          inputMode="decimal"
          label={`${field('amount')}, ${statement.currency.value}`}
          value={amount}
          error={errors.amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
        <DayInput label={field('paid_at')} value={day} onChange={(value) => setDay(value ?? '')} />
        <NativeSelect
          label={field('method')}
          value={method}
          onChange={(event) => setMethod(event.currentTarget.value)}
          data={['', ...PAYMENT_METHODS].map((value) => ({ value, label: labels.choice('payment', 'method', value) }))}
        />
        <TextInput
          label={field('reference')}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      </Stack>
      <ModalActions
        submit={t(($) => $.actions.confirm)}
        onCancel={onClose}
        isReady={amount.trim() !== '' && day !== ''}
      />
    </form>
  )
}
