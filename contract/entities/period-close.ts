// Entities: period_close, the closing of a month for all partners or those of a group; period_close_partner, the partners that it closed.
import { NOBODY, staffLeadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

const view = staffLeadersOr('payment_invoice_view')

/** Reopening sets the last three fields. A close of which single partners were reopened still stands for the others. */
const reopened = {
  reopened_at: { kind: 'datetime', readOnly: true },
  reopened_by: { kind: 'reference', to: 'user', readOnly: true },
  reason: { kind: 'text', format: 'long', readOnly: true },
} as const

export const periodClose = defineEntity({
  name: 'period_close',
  route: null,
  access: { view, lookup: view, ...writtenBy(NOBODY) },
  scope: { by: 'everyone' },
  ignoresGroupFilter: true,
  title: 'month',
  namedBy: ['month', 'partner_group'],
  fields: {
    month: { kind: 'text', format: 'month', readOnly: true },
    /** Empty: the close is global. It also closes the month for partners who are created later. */
    partner_group: { kind: 'reference', to: 'partner_group', readOnly: true },
    closed_at: { kind: 'datetime', readOnly: true },
    closed_by: { kind: 'reference', to: 'user', readOnly: true },
    /** The watermark of the facts that the close has read. */
    known_at: { kind: 'datetime', readOnly: true },
    ...reopened,
  },
  unique: [],
  hasActive: false,
  list: {
    columns: ['month', 'partner_group', 'closed_at', 'closed_by', 'known_at', 'reopened_at', 'reopened_by', 'reason'],
    filters: ['month', 'partner_group', 'closed_at', 'closed_by', 'reopened_at', 'reopened_by'],
    sort: { by: 'month', desc: true },
  },
  form: [],
})

/** At most one row of a month and partner is not reopened. */
export const periodClosePartner = defineEntity({
  name: 'period_close_partner',
  route: null,
  access: { view, lookup: NOBODY, ...writtenBy(NOBODY) },
  scope: { by: 'partner', column: 'partner_id' },
  title: 'month',
  namedBy: ['partner', 'month'],
  fields: {
    period_close: { kind: 'reference', to: 'period_close', readOnly: true },
    month: { kind: 'text', format: 'month', readOnly: true, whole: true },
    partner: { kind: 'reference', to: 'partner', readOnly: true },
    ...reopened,
  },
  unique: [],
  hasActive: false,
  list: {
    columns: ['month', 'partner', 'period_close', 'reopened_at', 'reopened_by', 'reason'],
    filters: ['period_close', 'month', 'partner', 'reopened_at'],
    sort: { by: 'id', desc: true },
  },
  form: [],
})
