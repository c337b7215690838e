// A link: one partner's right to send traffic to one offer, with its own terms. Every click hangs on it.
import { leadersOr } from '../access.ts'
import { defineEntity } from '../entity.ts'
import { STATES } from './offer.ts'

export const offerPartner = defineEntity({
  name: 'offer_partner',
  route: '/offer-partners',
  access: {
    view: 'everyone',
    lookup: 'everyone',
    create: leadersOr('manager_access'),
    edit: leadersOr('manager_access'),
    remove: leadersOr('manager_access'),
  },
  scope: { by: 'partner', column: 'partner_id' },
  title: 'site_id',
  fields: {
    uuid: { kind: 'uuid', readOnly: true, searched: true },
    offer: { kind: 'reference', to: 'offer', required: true, fixed: true },
    partner: { kind: 'reference', to: 'partner', required: true, fixed: true },
    stream: { kind: 'reference', to: 'partner_stream', required: true },
    traffic_source: { kind: 'reference', to: 'traffic_source', required: true },
    site_id: { kind: 'text', format: 'token', required: true, searched: true },
    sub_id: { kind: 'text', format: 'token' },
    promo_codes: { kind: 'texts', max: 64 },
    currency: { kind: 'reference', to: 'currency', required: true },
    landings: {
      kind: 'references',
      to: 'landing',
      through: { table: 'offer_partner_landing', own: 'offer_partner_id', other: 'landing_id' },
    },
    state: { kind: 'choice', options: STATES, required: true },
    tags: {
      kind: 'references',
      to: 'offer_partner_tag',
      through: { table: 'offer_partner_offer_partner_tag', own: 'offer_partner_id', other: 'offer_partner_tag_id' },
      hiddenFrom: ['PARTNER'],
    },
    /** Overrides of the built links; empty = built from country domain, advertiser domain and landing. */
    advertiser_link_template: { kind: 'text', format: 'template', max: 2048, hiddenFrom: ['PARTNER'] },
    baseline: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000, unit: 'money' },
    baseline_period_days: { kind: 'integer', min: 0, max: 3650 },
    max_days_from_registration: { kind: 'integer', min: 0, max: 3650 },
    bet_requirement: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000_000, unit: 'money' },
    country_requirement: { kind: 'boolean' },
    partner_link: { kind: 'derived', readOnly: true, shows: 'link' },
    advertiser_link: { kind: 'derived', readOnly: true, shows: 'link', hiddenFrom: ['PARTNER'] },
    postbacks: { kind: 'children', of: 'offer_partner_postback', by: 'offer_partner', owned: true },
    cost_history: { kind: 'children', of: 'offer_partner_cost_history', by: 'offer_partner', owned: true },
    bl_deposit_history: { kind: 'children', of: 'offer_partner_bl_deposit_history', by: 'offer_partner', owned: true },
    bl_period_history: { kind: 'children', of: 'offer_partner_bl_period_history', by: 'offer_partner', owned: true },
    bet_requirement_history: {
      kind: 'children',
      of: 'offer_partner_bet_requirement_history',
      by: 'offer_partner',
      owned: true,
    },
    max_days_history: { kind: 'children', of: 'offer_partner_max_days_history', by: 'offer_partner', owned: true },
  },
  unique: [['partner', 'site_id']],
  hasActive: true,
  countsUnapproved: true,
  list: {
    columns: ['offer', 'partner', 'stream', 'site_id', 'sub_id', 'traffic_source', 'offer.advertiser', 'offer.advertiser_country', 'state'],
    filters: [
      'offer',
      'partner',
      'stream',
      'site_id',
      'sub_id',
      'traffic_source',
      'offer.advertiser',
      'offer.advertiser_country.country',
      'offer.payment_model',
      'state',
      'partner.partner_partner_groups.partner_group',
      'landings',
      'tags',
    ],
  },
  form: [
    {
      name: 'main',
      fields: ['offer', 'partner', 'stream', 'traffic_source', 'site_id', 'sub_id', 'promo_codes', 'currency', 'state', 'tags'],
    },
    { name: 'links', fields: ['landings', 'partner_link', 'advertiser_link', 'advertiser_link_template'] },
    { name: 'postbacks', fields: ['postbacks'] },
    {
      name: 'terms',
      fields: ['baseline', 'baseline_period_days', 'max_days_from_registration', 'bet_requirement', 'country_requirement'],
    },
    {
      name: 'histories',
      fields: ['cost_history', 'bl_deposit_history', 'bl_period_history', 'bet_requirement_history', 'max_days_history'],
    },
  ],
})
