// Entity: an amount that a partner is owed beside the ledger's entries, or owes. Append-only: another adjustment corrects a wrong one.
import { NOBODY, staffLeadersOr } from '../access.ts'
import { defineEntity } from '../entity.ts'

/** scrub: traffic that the advertiser does not pay for; bonus; fee; manual: anything else. */
export const ADJUSTMENT_KINDS = ['scrub', 'bonus', 'fee', 'manual'] as const

const staff = staffLeadersOr('payment_invoice_view')
/** Partners read their own rows. */
const view = { roles: ['ADMIN', 'TEAM_LEADER', 'PARTNER'], permissions: ['payment_invoice_view'] } as const

export const adjustment = defineEntity({
  name: 'adjustment',
  route: '/adjustments',
  access: {
    view,
    lookup: staff,
    create: staffLeadersOr('payment_invoice_edit'),
    edit: NOBODY,
    remove: NOBODY,
  },
  scope: { by: 'partner', column: 'partner_id' },
  ignoresGroupFilter: true,
  title: 'id',
  namedBy: ['id', 'partner', 'month'],
  fields: {
    partner: { kind: 'reference', to: 'partner', required: true },
    month: { kind: 'text', format: 'month', required: true, whole: true },
    /** Must belong to the partner. */
    offer_partner: { kind: 'reference', to: 'offer_partner', mayBeInactive: true },
    /** Negative if the partner owes it. */
    amount: {
      kind: 'decimal',
      scale: 2,
      min: -1_000_000_000,
      max: 1_000_000_000,
      unit: 'money',
      required: true,
    },
    currency: { kind: 'reference', to: 'currency', required: true },
    kind: { kind: 'choice', options: ADJUSTMENT_KINDS, required: true },
    /** For staff only. */
    reason: { kind: 'text', format: 'long', max: 1000, required: true, hiddenFrom: ['PARTNER'] },
    /** For the partner. */
    note: { kind: 'text', format: 'long', max: 1000 },
    created_by: { kind: 'reference', to: 'user', readOnly: true, hiddenFrom: ['PARTNER'] },
  },
  unique: [],
  hasActive: false,
  createsInModal: true,
  list: {
    columns: [
      'month',
      'amount',
      'partner',
      'kind',
      'offer_partner',
      'reason',
      'note',
      'created_at',
      'created_by',
      'currency',
    ],
    filters: ['month', 'partner', 'offer_partner', 'kind', 'currency', 'created_by', 'created_at'],
    sort: { by: 'id', desc: true },
  },
  form: [
    {
      name: 'main',
      fields: ['partner', 'month', 'offer_partner', 'kind', 'amount', 'currency', 'reason', 'note'],
    },
  ],
})
