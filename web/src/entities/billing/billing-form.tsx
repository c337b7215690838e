// The form of a partner's billing. Users of the partner change their own data only; staff also decide terms of payment.
import { Modal, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { BillingAnswer } from '@tributary/contract/calls/partner-billing'
import { NEGATIVE_RS_RULES, PAYMENT_METHODS } from '@tributary/contract/entities/partner-billing'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { lookupLoader } from '../../data/lookup.ts'
import { useLabels } from '../../i18n/labels.ts'
import { fieldErrors } from '../../lib/form-errors.ts'
import type { LookupOption } from '../../ui/lookup/lookup-options.tsx'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { ModalActions } from '../../ui/modal-actions.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { onSubmit } from '../../ui/submit.ts'
import { useBusy } from '../../ui/use-busy.ts'
import classes from './billing.module.css'
import { OwnPassword } from './password-modal.tsx'

interface BillingFormProps {
  readonly opened: boolean
  readonly billing: BillingAnswer
  readonly isOwn: boolean
  readonly onSaved: (answer: BillingAnswer) => void
  readonly onClose: () => void
}

export function BillingForm({ opened, onClose, ...form }: BillingFormProps) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title={t(($) => $.billing.change)}>
      <Fields {...form} onClose={onClose} />
    </Modal>
  )
}

const OWN = ['legal_name', 'tax_id', 'vat', 'method'] as const
const STAFF = ['net_days', 'hold_days', 'minimum', 'negative_rs'] as const
type Name = (typeof OWN)[number] | (typeof STAFF)[number]
const CHOICES: Partial<Record<Name, readonly string[]>> = { method: PAYMENT_METHODS, negative_rs: NEGATIVE_RS_RULES }
const isWhole = (name: Name): boolean => name === 'net_days' || name === 'hold_days'

function Fields({ billing, isOwn, onSaved, onClose }: Omit<BillingFormProps, 'opened'>) {
  const { t } = useTranslation()
  const labels = useLabels()
  const [values, setValues] = useState<Partial<Record<Name, string>>>({})
  const [currency, setCurrency] = useState<LookupOption | null>(billing.currency)
  const [details, setDetails] = useState('')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const { isBusy, run } = useBusy()
  const showFailure = (error: unknown) => {
    const found = fieldErrors(error)
    setErrors(found)
    if (Object.keys(found).length === 0) notifyFailure(error)
  }
  const save = () =>
    run(async () => {
      const fields = Object.entries(values).map(([name, value]) => {
        const text = value.trim()
        return [name, isWhole(name as Name) ? Number(text) : text === '' ? null : text] as const
      })
      const answer = await http.put<BillingAnswer>(`partner/${billing.partner.id}/billing`, {
        ...Object.fromEntries(fields),
        ...(currency !== null && currency.id !== billing.currency?.id && { currency: currency.id }),
        ...(details.trim() !== '' && { details: details.trim() }),
        version: billing.version,
        current_password: password,
      })
      notifySuccess(isOwn ? t(($) => $.billing.proposed) : t(($) => $.form.saved))
      onSaved(answer)
      onClose()
    }, showFailure)
  const names: readonly Name[] = isOwn ? OWN : [...OWN, ...STAFF]
  return (
    <form onSubmit={onSubmit(save)} className={classes.form}>
      {names.map((name) => {
        const shown = billing[name]
        const common = {
          label: labels.field('partner_billing', name),
          value: values[name] ?? (shown === null ? '' : String(shown)),
          error: errors[name],
          onChange: (event: { currentTarget: { value: string } }) => {
            const { value } = event.currentTarget
            setValues((known) => ({ ...known, [name]: value }))
          },
        }
        const choices = CHOICES[name]
        return choices === undefined ? (
          <TextInput key={name} {...common} />
        ) : (
          <NativeSelect
            key={name}
            {...common}
            data={choices.map((value) => ({ value, label: labels.choice('partner_billing', name, value) }))}
          />
        )
      })}
      {isOwn ? null : (
        <LookupSelect
          label={labels.field('partner_billing', 'currency')}
          clearable={false}
          value={currency}
          load={lookupLoader('currency')}
          onChange={setCurrency}
          error={errors.currency}
        />
      )}
      <Textarea
        className={classes.wide ?? ''}
        label={t(($) => $.billing.details)}
        description={t(($) => $.billing.detailsHint)}
        placeholder={billing.details ?? ''}
        autosize
        minRows={2}
        autoComplete="off"
        value={details}
        error={errors.details}
        onChange={(event) => setDetails(event.currentTarget.value)}
      />
      <div className={classes.wide}>
        <OwnPassword value={password} error={errors.current_password} onChange={setPassword} />
        <ModalActions submit={t(($) => $.actions.save)} onCancel={onClose} isBusy={isBusy} isReady={password !== ''} />
      </div>
    </form>
  )
}
