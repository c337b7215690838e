// Entity: how partners are paid for an offer. Its defaults fill new offers and partner offers. Installation creates the rows; admins edit them.
import { ADMIN_ONLY, NOBODY } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const PAYMENT_TYPES = ['CPA', 'RS', 'CPA_RS', 'AGENCY'] as const
/** The day whose price a qualified player has. */
export const PRICE_DAYS = ['qualification', 'registration'] as const

export const paymentModel = defineEntity({
  name: 'payment_model',
  route: '/payment-models',
  access: { view: ADMIN_ONLY, lookup: 'everyone', create: NOBODY, edit: ADMIN_ONLY, remove: NOBODY },
  scope: { by: 'everyone' },
  title: 'title',
  fields: {
    title: { kind: 'text', required: true, searched: true },
    title_for_analysts: { kind: 'text' },
    type: { kind: 'choice', options: PAYMENT_TYPES, required: true },
    /** The percentage of income under RS and CPA_RS, else a price. */
    cost: {
      kind: 'decimal',
      scale: 4,
      min: 0,
      max: 1_000_000,
      unit: 'money',
      percentWhen: { field: 'type', is: ['RS', 'CPA_RS'], max: 100 },
    },
    /** Applies to players who register while it is set. */
    cpa_price_day: { kind: 'choice', options: PRICE_DAYS },
    default_cost: {
      kind: 'decimal',
      scale: 4,
      min: 0,
      max: 1_000_000,
      unit: 'money',
      percentWhen: { field: 'type', is: ['RS'], max: 100 },
    },
    default_baseline: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000, unit: 'money' },
    default_baseline_period_days: { kind: 'integer', min: 0, max: 3650 },
    default_max_days_from_registration: { kind: 'integer', min: 0, max: 3650 },
    /** Dated percentages of income and price days; on their days they replace `cost` and `cpa_price_day`. */
    share_history: {
      kind: 'children',
      of: 'payment_model_share_history',
      by: 'payment_model',
      owned: true,
      hiddenFrom: ['PARTNER'],
    },
  },
  unique: [['title']],
  hasActive: true,
  list: {
    columns: ['title', 'title_for_analysts', 'type', 'cost', 'cpa_price_day', 'default_cost', 'default_baseline'],
    filters: ['title', 'type', 'title_for_analysts'],
  },
  form: [
    {
      name: 'main',
      fields: [
        'title',
        'title_for_analysts',
        'type',
        'cost',
        'cpa_price_day',
        'default_cost',
        'default_baseline',
        'default_baseline_period_days',
        'default_max_days_from_registration',
      ],
    },
    { name: 'histories', fields: ['share_history'] },
  ],
})
