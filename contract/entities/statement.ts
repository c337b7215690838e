// Entities: statement, what a partner is owed for a month; its lines and payments. Calls of statement.ts and payment-invoice.ts change them.
import { NOBODY, staffLeadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'
import { STATEMENT_LINE_KINDS } from '../statement.ts'
import { PAYMENT_METHODS } from './partner-billing.ts'

const STATEMENT_STATES = ['draft', 'approved', 'partly_paid', 'paid', 'void'] as const
export type StatementState = (typeof STATEMENT_STATES)[number]

const money = { kind: 'decimal', scale: 4, unit: 'money', readOnly: true } as const
const text = { kind: 'text', format: 'long', readOnly: true } as const
const internal = { readOnly: true, hiddenFrom: ['PARTNER'] } as const

export const statement = defineEntity({
  name: 'statement',
  route: '/statements',
  access: { view: 'everyone', lookup: 'everyone', ...writtenBy(NOBODY) },
  scope: { by: 'partner', column: 'partner_id', publishedAt: 'approved_at' },
  ignoresGroupFilter: true,
  title: 'id',
  namedBy: ['id', 'partner', 'month'],
  fields: {
    month: { kind: 'text', format: 'month', readOnly: true, whole: true },
    partner: { kind: 'reference', to: 'partner', readOnly: true },
    currency: { kind: 'reference', to: 'currency', readOnly: true },
    state: { kind: 'choice', options: STATEMENT_STATES, unless: 'disputed_at', readOnly: true },
    total: money,
    /** Sum of the payments that are not reversed. */
    paid: money,
    /** The total is negative or below the partner's minimum, so all of it is carried over. */
    carried: { kind: 'boolean', readOnly: true },
    due_on: { kind: 'date', readOnly: true },
    disputed_at: { kind: 'datetime', readOnly: true },
    /** True while a dispute is open. */
    disputed: { kind: 'boolean', whetherSet: 'disputed_at', readOnly: true },
    dispute_reason: { ...text, hiddenFrom: ['PARTNER'] },
    /** Why the last dispute was resolved. */
    resolve_reason: { ...text, hiddenFrom: ['PARTNER'] },
    approved_at: { kind: 'datetime', readOnly: true },
    approved_by: { kind: 'reference', to: 'user', ...internal },
    /** Why the caller may not approve the draft; null if nothing forbids it. */
    approval_refused: { kind: 'derived', shows: 'text', ...internal },
    created_by: { kind: 'reference', to: 'user', orSystem: true, ...internal },
    voided_at: { kind: 'datetime', readOnly: true },
    void_reason: { ...text, hiddenFrom: ['PARTNER'] },
    invoices: { kind: 'children', of: 'payment_invoice', by: 'statement' },
    lines: { kind: 'children', of: 'payment_invoice_line', by: 'statement' },
    payments: { kind: 'children', of: 'payment', by: 'statement' },
  },
  unique: [],
  hasActive: false,
  list: {
    columns: ['month', 'total', 'partner', 'state', 'paid', 'due_on', 'approved_at', 'created_by', 'currency'],
    filters: [
      'month',
      'partner',
      'partner.partner_partner_groups.partner_group',
      'state',
      'currency',
      'carried',
      'due_on',
      'disputed',
      'disputed_at',
      'created_by',
    ],
    sort: { by: 'id', desc: true },
  },
  form: [],
})

export const paymentInvoiceLine = defineEntity({
  name: 'payment_invoice_line',
  route: null,
  access: {
    view: { roles: ['ADMIN', 'TEAM_LEADER', 'PARTNER'], permissions: ['payment_invoice_view'] },
    lookup: NOBODY,
    ...writtenBy(NOBODY),
  },
  scope: { by: 'through', column: 'statement_id', entity: 'statement' },
  ignoresGroupFilter: true,
  title: 'id',
  fields: {
    statement: { kind: 'reference', to: 'statement', readOnly: true },
    /** Empty for lines without a partner offer, which stay out of the CRM. */
    payment_invoice: { kind: 'reference', to: 'payment_invoice', readOnly: true },
    kind: { kind: 'choice', options: STATEMENT_LINE_KINDS, readOnly: true },
    offer_partner: { kind: 'reference', to: 'offer_partner', readOnly: true },
    earned_month: { kind: 'text', format: 'month', readOnly: true, whole: true },
    note: text,
    /** adjustment: its kind; carry_over: why, and from which statement. */
    explanation: { kind: 'derived', shows: 'text', readOnly: true },
    /** cpa: number of players. */
    quantity: { kind: 'integer', readOnly: true },
    /** cpa: the price; rs, agency and tax: the percentage, if it is one. */
    rate: {
      kind: 'decimal',
      scale: 4,
      unit: 'money',
      percentWhen: { field: 'kind', is: ['rs', 'agency', 'tax'] },
      readOnly: true,
    },
    /** Of the rate: '%', or the code of the currency. */
    rate_unit: { kind: 'derived', shows: 'text', readOnly: true },
    /** rs: the income; agency: the entered spend; tax: the sum of the other lines. */
    base: money,
    amount: money,
    currency: { kind: 'reference', to: 'currency', readOnly: true },
    fx_rate: { kind: 'decimal', scale: 8, readOnly: true },
    /** In the currency of the statement. */
    total: money,
  },
  unique: [],
  hasActive: false,
  isLog: true,
  list: {
    columns: [
      'statement',
      'kind',
      'explanation',
      'note',
      'offer_partner',
      'offer_partner.offer',
      'earned_month',
      'quantity',
      'rate',
      'rate_unit',
      'base',
      'amount',
      'currency',
      'fx_rate',
      'total',
    ],
    filters: ['statement', 'payment_invoice', 'kind', 'offer_partner', 'earned_month'],
    sort: { by: 'id', desc: false },
  },
  form: [],
})

export const payment = defineEntity({
  name: 'payment',
  route: '/payments',
  access: { view: 'everyone', lookup: NOBODY, ...writtenBy(NOBODY) },
  scope: { by: 'partner', column: 'partner_id' },
  ignoresGroupFilter: true,
  title: 'reference',
  namedBy: ['id', 'partner', 'paid_at'],
  fields: {
    statement: { kind: 'reference', to: 'statement', readOnly: true },
    partner: { kind: 'reference', to: 'partner', readOnly: true },
    paid_at: { kind: 'date', readOnly: true },
    amount: money,
    currency: { kind: 'reference', to: 'currency', readOnly: true },
    method: { kind: 'choice', options: PAYMENT_METHODS, readOnly: true },
    reference: { kind: 'text', readOnly: true, searched: true },
    created_by: { kind: 'reference', to: 'user', ...internal },
    reversed: { kind: 'boolean', whetherSet: 'reversed_at', readOnly: true },
    reversed_at: { kind: 'datetime', readOnly: true },
    reversed_by: { kind: 'reference', to: 'user', ...internal },
    reversal_reason: { ...text, hiddenFrom: ['PARTNER'] },
  },
  unique: [],
  hasActive: false,
  list: {
    columns: [
      'paid_at',
      'amount',
      'partner',
      'statement',
      'method',
      'reference',
      'reversed_at',
      'created_by',
      'currency',
    ],
    filters: ['paid_at', 'partner', 'statement', 'currency', 'method', 'reversed', 'reversed_at', 'created_by'],
    sort: { by: 'id', desc: true },
  },
  form: [],
})

/** A call to the CRM about an invoice, with its answer as received. */
export const crmAttempt = defineEntity({
  name: 'crm_attempt',
  route: null,
  access: { view: staffLeadersOr('payment_invoice_view'), lookup: NOBODY, ...writtenBy(NOBODY) },
  scope: { by: 'through', column: 'payment_invoice_id', entity: 'payment_invoice' },
  ignoresGroupFilter: true,
  title: 'id',
  fields: {
    payment_invoice: { kind: 'reference', to: 'payment_invoice', readOnly: true },
    crm_key: { kind: 'uuid', readOnly: true },
    method: { kind: 'text', readOnly: true },
    request: { kind: 'json', readOnly: true },
    status: { kind: 'integer', readOnly: true },
    response: text,
    error: text,
    duration_ms: { kind: 'integer', readOnly: true },
  },
  unique: [],
  hasActive: false,
  isLog: true,
  list: {
    columns: ['created_at', 'payment_invoice', 'method', 'status', 'error', 'duration_ms'],
    filters: ['payment_invoice', 'status', 'created_at'],
    sort: { by: 'id', desc: true },
  },
  form: [],
})
