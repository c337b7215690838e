// Entity: the amount that a partner is paid for a period. The invoice is sent to the CRM, and the CRM's answer is stored with it.
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const INVOICE_STATUSES = ['draft', 'sent', 'failed'] as const

const write = leadersOr('payment_invoice_edit')

export const paymentInvoice = defineEntity({
  name: 'payment_invoice',
  route: '/payment-invoices',
  access: { view: 'everyone', lookup: 'everyone', ...writtenBy(write) },
  scope: { by: 'partner', column: 'partner_id' },
  title: 'id',
  fields: {
    date_from: { kind: 'date', required: true },
    date_to: { kind: 'date', required: true },
    partner: { kind: 'reference', to: 'partner', required: true },
    country: { kind: 'reference', to: 'country' },
    advertiser: { kind: 'reference', to: 'advertiser', hiddenFrom: ['PARTNER'] },
    traffic_source: { kind: 'reference', to: 'traffic_source' },
    stream: { kind: 'reference', to: 'partner_stream' },
    amount: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000_000, unit: 'money' },
    currency: { kind: 'reference', to: 'currency' },
    status: { kind: 'choice', options: INVOICE_STATUSES, readOnly: true },
    created_by: { kind: 'reference', to: 'user', readOnly: true, hiddenFrom: ['PARTNER'] },
    lines: { kind: 'json', readOnly: true, hiddenFrom: ['PARTNER'] },
    crm_response: { kind: 'json', readOnly: true, hiddenFrom: ['PARTNER'] },
  },
  unique: [],
  hasActive: true,
  list: {
    columns: [
      'date_from',
      'date_to',
      'partner',
      'country',
      'advertiser',
      'traffic_source',
      'stream',
      'amount',
      'currency',
      'status',
      'created_at',
      'created_by',
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
      'status',
      'created_by',
      'created_at',
    ],
    sort: { by: 'id', desc: true },
    opens: { path: 'created_at', period: 'today' },
    panel: true,
  },
  form: [
    {
      name: 'main',
      fields: [
        'date_from',
        'date_to',
        'partner',
        'stream',
        'country',
        'advertiser',
        'traffic_source',
        'amount',
        'currency',
        'status',
        'created_by',
      ],
    },
  ],
})
