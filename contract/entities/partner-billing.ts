// Entity: how a partner is paid. The calls of partner-billing change it; the sealed payment details are no field, so no list, export or audit entry holds them.
import { leadersOr, NOBODY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const PAYMENT_METHODS = ['bank_transfer', 'crypto', 'card', 'e_wallet', 'other'] as const

/** `carry`: a negative sum of revenue share is deducted from later revenue share. `zero`: it is written off. */
export const NEGATIVE_RS_RULES = ['carry', 'zero'] as const
export type NegativeRsRule = (typeof NEGATIVE_RS_RULES)[number]

export const MINIMUM_MAX = 1_000_000_000
export const BILLING_DAYS_MAX = 366

export const partnerBilling = defineEntity({
  name: 'partner_billing',
  route: null,
  access: { view: leadersOr('partners_view'), lookup: NOBODY, ...writtenBy(NOBODY) },
  scope: { by: 'partner', column: 'partner_id' },
  title: 'legal_name',
  namedBy: ['partner'],
  fields: {
    partner: { kind: 'reference', to: 'partner', required: true, readOnly: true },
    legal_name: { kind: 'text', readOnly: true, searched: true },
    tax_id: { kind: 'text', readOnly: true },
    /** Percentage that statements add to the sum of their lines. */
    vat: { kind: 'decimal', scale: 4, min: 0, max: 100, unit: 'percent', readOnly: true },
    currency: { kind: 'reference', to: 'currency', readOnly: true },
    /** Days from approval of a statement until it is due. */
    net_days: { kind: 'integer', min: 0, max: BILLING_DAYS_MAX, readOnly: true },
    /** Days after qualification until a player is payable. */
    hold_days: { kind: 'integer', min: 0, max: BILLING_DAYS_MAX, readOnly: true },
    minimum: { kind: 'decimal', scale: 4, min: 0, max: MINIMUM_MAX, unit: 'money', readOnly: true },
    method: { kind: 'choice', options: PAYMENT_METHODS, readOnly: true },
    negative_rs: { kind: 'choice', options: NEGATIVE_RS_RULES, readOnly: true },
    /** When the payment details last changed. */
    details_changed_at: { kind: 'datetime', readOnly: true },
    /** A user of the partner, whose change waits for staff; no payment is recorded until then. */
    proposed_by: { kind: 'reference', to: 'user', readOnly: true },
    proposed_at: { kind: 'datetime', readOnly: true },
  },
  unique: [['partner']],
  hasActive: false,
  list: {
    columns: [
      'partner',
      'legal_name',
      'currency',
      'net_days',
      'hold_days',
      'minimum',
      'method',
      'negative_rs',
      'proposed_at',
    ],
    filters: ['partner', 'currency', 'method', 'proposed_at'],
  },
  form: [],
})
