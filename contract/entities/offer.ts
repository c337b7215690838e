// Entity: an offer, for which an advertiser pays in one country under one payment model. Partner offers refer to it.
import { ADMIN_OR_LEADERS, leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const STATES = ['approved', 'unapproved'] as const

export const offer = defineEntity({
  name: 'offer',
  route: '/offers',
  access: { view: leadersOr('offer_view'), lookup: 'everyone', ...writtenBy(ADMIN_OR_LEADERS) },
  scope: {
    by: 'linked',
    through: { table: 'offer_partner', column: 'offer_id' },
    groups: { table: 'partner_group_offer', column: 'offer_id' },
  },
  title: 'title',
  fields: {
    title: { kind: 'text', required: true, searched: true },
    advertiser: { kind: 'reference', to: 'advertiser', required: true, hiddenFrom: ['PARTNER'] },
    advertiser_country: { kind: 'reference', to: 'advertiser_country', required: true },
    payment_model: { kind: 'reference', to: 'payment_model', required: true },
    currency: { kind: 'reference', to: 'currency', required: true },
    /** The price of a qualified player. Payment models that pay per player require it. */
    cost: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000, unit: 'money' },
    /** The percentage of income that partners receive; if empty, that of the payment model. */
    rs_share: { kind: 'decimal', scale: 4, min: 0, max: 100, unit: 'percent' },
    days: { kind: 'integer', min: 0, max: 3650 },
    baseline: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000, unit: 'money' },
    product: { kind: 'reference', to: 'product' },
    state: { kind: 'choice', options: STATES, required: true },
    partner_groups: {
      kind: 'references',
      to: 'partner_group',
      through: { table: 'partner_group_offer', own: 'offer_id', other: 'partner_group_id' },
      hiddenFrom: ['PARTNER'],
    },
    offer_partners: { kind: 'children', of: 'offer_partner', by: 'offer' },
    /** Dated terms; on their days they replace the fields above. */
    payment_model_history: { kind: 'children', of: 'offer_payment_model_history', by: 'offer', owned: true },
    terms_history: { kind: 'children', of: 'offer_terms_history', by: 'offer', owned: true },
  },
  unique: [['title']],
  hasActive: true,
  hasOverview: true,
  countsUnapproved: true,
  list: {
    columns: [
      'title',
      'advertiser',
      'advertiser_country',
      'payment_model',
      'cost',
      'rs_share',
      'currency',
      'baseline',
      'product',
      'state',
    ],
    filters: [
      'advertiser',
      'advertiser_country.country',
      'payment_model',
      'currency',
      'product',
      'state',
      'cost',
      'rs_share',
      'partner_groups',
    ],
  },
  form: [
    {
      name: 'main',
      fields: ['title', 'advertiser', 'advertiser_country', 'product', 'state', 'partner_groups'],
    },
    { name: 'terms', fields: ['payment_model', 'currency', 'cost', 'rs_share', 'days', 'baseline'] },
    { name: 'histories', fields: ['payment_model_history', 'terms_history'] },
    { name: 'offer_partners', fields: ['offer_partners'] },
  ],
})
