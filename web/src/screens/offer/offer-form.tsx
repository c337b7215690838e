// The form of an offer: countries of the selected advertiser, terms from the payment model, a note when that model changes.
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import type { FormRow } from '../../entities/form/form-row.ts'
import type { FormSlots, SectionProps } from '../../entities/form/form-slots.ts'
import { NewRowButton } from '../../entities/form/new-row-button.tsx'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { checkRanges } from '../../entities/terms/term-ranges.ts'
import { TermTimeline } from '../../entities/terms/term-timeline.tsx'
import classes from './offer-form.module.css'

/** The list of offers: activating an offer has a call of its own. */
export const OFFER_LIST: ListSlots = {
  setActive: (row, isActive, requestId) =>
    http.put(`offer/activate/${row.id}`, undefined, { query: { activate: isActive ? '1' : '0' }, requestId }),
}

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

const HISTORIES = ['payment_model_history', 'terms_history'] as const

const OfferTerms = ({ row }: SectionProps) => <TermTimeline entity="offer" names={HISTORIES} row={row} />

function NewLink({ row }: SectionProps) {
  return row === null ? null : <NewRowButton name="offer_partner" given={{ offer: Number(row.id) }} />
}

export const OFFER_FORM: FormSlots = {
  fields: {
    advertiser_country: { dependsOn: { field: 'advertiser', path: 'advertiser' } },
    state: { initial: 'unapproved' },
    currency: { filledBy: ({ filled }) => filled },
    cost: { filledBy: ({ filled }) => filled },
    rs_share: { filledBy: ({ filledByModel }) => filledByModel },
    days: { filledBy: ({ filled }) => filled },
    baseline: { filledBy: ({ filled }) => filled },
  },
  above: { terms: PaymentModelNote, histories: OfferTerms },
  check: (values) => checkRanges(values, HISTORIES),
  actions: NewLink,
}
