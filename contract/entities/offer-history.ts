// Entities: dated terms of an offer. Ranges of one offer never overlap (an exclusion constraint); on days outside every range, the offer's own
// fields apply.
import { ADMIN_OR_LEADERS, leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

const view = leadersOr('offer_view')
const access = { view, lookup: view, ...writtenBy(ADMIN_OR_LEADERS) } as const
const scope = { by: 'through', column: 'offer_id', entity: 'offer' } as const
const owner = { kind: 'reference', to: 'offer', required: true, fixed: true } as const
const range = { date_from: { kind: 'date', required: true }, date_to: { kind: 'date' } } as const
const money = { kind: 'decimal', scale: 4, min: 0, max: 1_000_000, unit: 'money' } as const

/** The payment model of an offer. */
export const offerPaymentModelHistory = defineEntity({
  name: 'offer_payment_model_history',
  route: null,
  access,
  scope,
  title: 'date_from',
  fields: { offer: owner, value: { kind: 'reference', to: 'payment_model', required: true }, ...range },
  unique: [],
  hasActive: false,
  list: {
    columns: ['offer', 'value', 'date_from', 'date_to'],
    filters: ['offer', 'value', 'date_from', 'date_to'],
    sort: { by: 'date_from', desc: true },
  },
  form: [{ name: 'main', fields: ['offer', 'value', 'date_from', 'date_to'] }],
})

/** The other terms of an offer that decide money. A range replaces all of them on its days. */
export const offerTermsHistory = defineEntity({
  name: 'offer_terms_history',
  route: null,
  access,
  scope,
  title: 'date_from',
  fields: {
    offer: owner,
    cost: money,
    rs_share: { kind: 'decimal', scale: 4, min: 0, max: 100, unit: 'percent' },
    currency: { kind: 'reference', to: 'currency', required: true },
    baseline: money,
    days: { kind: 'integer', min: 0, max: 3650 },
    ...range,
  },
  unique: [],
  hasActive: false,
  list: {
    columns: ['offer', 'cost', 'rs_share', 'currency', 'baseline', 'days', 'date_from', 'date_to'],
    filters: ['offer', 'cost', 'rs_share', 'currency', 'date_from', 'date_to'],
    sort: { by: 'date_from', desc: true },
  },
  form: [
    {
      name: 'main',
      fields: ['offer', 'cost', 'rs_share', 'currency', 'baseline', 'days', 'date_from', 'date_to'],
    },
  ],
})
