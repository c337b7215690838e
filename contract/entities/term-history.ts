// Entities: dated terms of payment models and of the agency percentage. Ranges never overlap (an exclusion constraint); on days outside every
// range, the owner's field applies.
import { ADMIN_ONLY } from '../access.ts'
import { defineEntity } from '../entity.ts'
import { PRICE_DAYS } from './payment-model.ts'

const access = {
  view: ADMIN_ONLY,
  lookup: ADMIN_ONLY,
  create: ADMIN_ONLY,
  edit: ADMIN_ONLY,
  remove: ADMIN_ONLY,
} as const
const percent = { kind: 'decimal', scale: 4, min: 0, max: 100, unit: 'percent' } as const
const range = { date_from: { kind: 'date', required: true }, date_to: { kind: 'date' } } as const

/** The percentage of income that partners receive under a payment model (empty means none), and the day whose price players have. */
export const paymentModelShareHistory = defineEntity({
  name: 'payment_model_share_history',
  route: null,
  access,
  scope: { by: 'everyone' },
  title: 'date_from',
  fields: {
    payment_model: { kind: 'reference', to: 'payment_model', required: true, fixed: true },
    value: percent,
    /** If a new range omits it, that of the payment model. */
    cpa_price_day: { kind: 'choice', options: PRICE_DAYS },
    ...range,
  },
  unique: [],
  hasActive: false,
  list: {
    columns: ['payment_model', 'value', 'cpa_price_day', 'date_from', 'date_to'],
    filters: ['payment_model', 'value', 'date_from', 'date_to'],
    sort: { by: 'date_from', desc: true },
  },
  form: [{ name: 'main', fields: ['payment_model', 'value', 'cpa_price_day', 'date_from', 'date_to'] }],
})

/** The percentage that reports add to entered spend. */
export const agencyPercentageHistory = defineEntity({
  name: 'agency_percentage_history',
  route: null,
  access,
  scope: { by: 'everyone' },
  title: 'date_from',
  fields: { value: { ...percent, required: true }, ...range },
  unique: [],
  hasActive: false,
  list: {
    columns: ['value', 'date_from', 'date_to'],
    filters: ['value', 'date_from', 'date_to'],
    sort: { by: 'date_from', desc: true },
  },
  form: [{ name: 'main', fields: ['value', 'date_from', 'date_to'] }],
})
