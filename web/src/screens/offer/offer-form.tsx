// The form of an offer: countries of the chosen advertiser only, terms that the payment model fills, a word about spend when that model changes.
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { FormParts, SectionProps } from '../../entities/form/form-parts.ts'
import type { FormRow } from '../../entities/form/form-row.ts'
import { FormScreen } from '../../entities/form/form-screen.tsx'
import { NewRowButton } from '../../entities/form/new-row-button.tsx'
import classes from './offer-form.module.css'

const idOf = (value: unknown) => (typeof value === 'object' && value !== null && 'id' in value ? value.id : null)

function PaymentModelNote({ row }: SectionProps) {
  const { t } = useTranslation()
  const chosen = useWatch<FormRow>({ name: 'payment_model' })
  if (row === null || idOf(chosen) === idOf(row.payment_model)) return null
  return (
    <p className={classes.note} role="status">
      {t(($) => $.nouns.paymentModelChanged)}
    </p>
  )
}

function NewLink({ row }: SectionProps) {
  return row === null ? null : <NewRowButton name="offer_partner" given={{ offer: Number(row.id) }} />
}

const PARTS: FormParts = {
  fields: {
    advertiser_country: { dependsOn: { field: 'advertiser', path: 'advertiser' } },
    state: { initial: 'unapproved' },
    currency: { filledBy: ({ filled }) => filled },
    cost: { filledBy: ({ filled }) => filled },
    days: { filledBy: ({ filled }) => filled },
    baseline: { filledBy: ({ filled }) => filled },
  },
  above: { terms: PaymentModelNote },
  actions: NewLink,
}

export function OfferForm({ id }: { id: number | null }) {
  return <FormScreen name="offer" id={id} parts={PARTS} />
}
