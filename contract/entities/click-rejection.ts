// Entity: a rejected click with its reason. During a flood only a sample is stored; the partner offer's counters count every rejection.
import { leadersOr, NOBODY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const REJECTION_REASONS = [
  'too_long',
  'wrong_encoding',
  'unknown_link',
  'link_inactive',
  'link_unapproved',
  'offer_inactive',
  'offer_unapproved',
  'partner_inactive',
  'partner_unapproved',
  'advertiser_inactive',
] as const

export const clickRejection = defineEntity({
  name: 'click_rejection',
  route: '/rejected-clicks',
  access: { view: leadersOr('click'), lookup: NOBODY, ...writtenBy(NOBODY) },
  scope: { by: 'partner', column: 'partner_id' },
  title: 'url',
  fields: {
    reason: { kind: 'choice', options: REJECTION_REASONS, readOnly: true },
    offer_partner: { kind: 'reference', to: 'offer_partner', readOnly: true },
    partner: { kind: 'reference', to: 'partner', readOnly: true },
    offer: { kind: 'reference', to: 'offer', readOnly: true },
    url: { kind: 'text', format: 'long', readOnly: true, searched: true },
    ip: { kind: 'text', readOnly: true },
    user_agent: { kind: 'text', readOnly: true },
    referrer: { kind: 'text', readOnly: true },
  },
  unique: [],
  hasActive: false,
  isLog: true,
  isLarge: true,
  list: {
    columns: ['created_at', 'reason', 'partner', 'offer', 'offer_partner', 'url', 'ip', 'user_agent', 'referrer'],
    filters: ['created_at', 'reason', 'partner', 'offer', 'offer_partner', 'ip'],
    sort: { by: 'created_at', desc: true },
  },
  form: [],
})
