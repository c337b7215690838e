// Entity: an offer, for which an advertiser pays in one country under one payment model. Partner offers refer to it.
import { LEADERS, leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const STATES = ['approved', 'unapproved'] as const

export const offer = defineEntity({
  name: 'offer',
  route: '/offers',
  access: { view: leadersOr('offer_view'), lookup: 'everyone', ...writtenBy(LEADERS) },
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
    cost: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000, unit: 'money', required: true },
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
  },
  unique: [['title']],
  hasActive: true,
  countsUnapproved: true,
  list: {
    columns: [
      'title',
      'advertiser',
      'advertiser_country',
      'payment_model',
      'cost',
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
      'partner_groups',
    ],
  },
  form: [
    {
      name: 'main',
      fields: ['title', 'advertiser', 'advertiser_country', 'product', 'state', 'partner_groups'],
    },
    { name: 'terms', fields: ['payment_model', 'currency', 'cost', 'days', 'baseline'] },
    { name: 'offer_partners', fields: ['offer_partners'] },
  ],
})
