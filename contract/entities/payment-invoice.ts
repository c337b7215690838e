// Entity: the part of a statement that one grain of the CRM pays: a partner's advertiser, country, traffic source and stream in a month.
// Amounts are computed from the ledger; calls of payment-invoice.ts make, send and void invoices.
import { NOBODY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

const INVOICE_STATUSES = ['draft', 'approved', 'queued', 'sent', 'accepted', 'rejected', 'void'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const paymentInvoice = defineEntity({
  name: 'payment_invoice',
  route: '/payment-invoices',
  access: { view: 'everyone', lookup: 'everyone', ...writtenBy(NOBODY) },
  scope: { by: 'partner', column: 'partner_id', publishedAt: 'approved_at' },
  ignoresGroupFilter: true,
  title: 'id',
  namedBy: ['id', 'partner', 'statement.month'],
  fields: {
    date_from: { kind: 'date', readOnly: true },
    date_to: { kind: 'date', readOnly: true },
    partner: { kind: 'reference', to: 'partner', readOnly: true },
    /** The offer's country. */
    country: { kind: 'reference', to: 'country', readOnly: true },
    advertiser: { kind: 'reference', to: 'advertiser', readOnly: true, hiddenFrom: ['PARTNER'] },
    traffic_source: { kind: 'reference', to: 'traffic_source', readOnly: true },
    stream: { kind: 'reference', to: 'partner_stream', readOnly: true },
    statement: { kind: 'reference', to: 'statement', readOnly: true },
    amount: { kind: 'decimal', scale: 4, unit: 'money', readOnly: true },
    currency: { kind: 'reference', to: 'currency', readOnly: true },
    status: { kind: 'choice', options: INVOICE_STATUSES, readOnly: true },
    /** Raised by each correction; part of the key under which the CRM knows the request. */
    n: { kind: 'integer', readOnly: true, hiddenFrom: ['PARTNER'] },
    approved_at: { kind: 'datetime', readOnly: true },
    sent_at: { kind: 'datetime', readOnly: true, hiddenFrom: ['PARTNER'] },
    /** The rejected request that this one replaces. */
    corrects: { kind: 'reference', to: 'payment_invoice', readOnly: true, hiddenFrom: ['PARTNER'] },
    void_reason: { kind: 'text', format: 'long', readOnly: true, hiddenFrom: ['PARTNER'] },
    created_by: { kind: 'reference', to: 'user', orSystem: true, readOnly: true, hiddenFrom: ['PARTNER'] },
    crm_response: { kind: 'json', readOnly: true, hiddenFrom: ['PARTNER'] },
    lines: { kind: 'children', of: 'payment_invoice_line', by: 'payment_invoice' },
    corrections: { kind: 'children', of: 'payment_invoice', by: 'corrects', hiddenFrom: ['PARTNER'] },
    attempts: { kind: 'children', of: 'crm_attempt', by: 'payment_invoice' },
  },
  unique: [],
  hasActive: true,
  list: {
    columns: [
      'date_from',
      'amount',
      'partner',
      'status',
      'advertiser',
      'country',
      'traffic_source',
      'stream',
      'date_to',
      'created_at',
      'created_by',
      'currency',
    ],
    filters: [
      'date_from',
      'date_to',
      'partner',
      'partner.partner_partner_groups.partner_group',
      'country',
      'advertiser',
      'traffic_source',
      'stream',
      'statement',
      'status',
      'created_by',
      'created_at',
    ],
    sort: { by: 'id', desc: true },
    opens: { path: 'created_at', period: 'current_month' },
    panel: true,
  },
  form: [],
})
