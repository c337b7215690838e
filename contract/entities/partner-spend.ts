// Entered spend of a partner's stream in a country on a business day. Reports add the agency percentage.
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const SPEND_SOURCES = ['manual', 'import', 'sheet'] as const

const write = leadersOr('partners_spend_edit', 'partners_spend_partner_edit')

export const partnerSpend = defineEntity({
  name: 'partner_spend',
  route: '/partners-spends',
  access: { view: leadersOr('partners_spend_view'), lookup: leadersOr('partners_spend_view'), ...writtenBy(write) },
  scope: { by: 'through', column: 'stream_id', entity: 'partner_stream' },
  title: 'date',
  fields: {
    stream: { kind: 'reference', to: 'partner_stream', required: true },
    site_id: { kind: 'text', format: 'token', searched: true },
    country: { kind: 'reference', to: 'country', required: true },
    date: { kind: 'date', required: true },
    sum: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000_000, unit: 'money', required: true },
    currency: { kind: 'reference', to: 'currency', required: true },
    source: { kind: 'choice', options: SPEND_SOURCES, readOnly: true },
  },
  unique: [['stream', 'site_id', 'country', 'date']],
  hasActive: true,
  createsInModal: true,
  list: {
    columns: ['date', 'stream', 'stream.partner', 'country', 'site_id', 'sum', 'currency', 'source'],
    filters: ['date', 'stream', 'stream.partner', 'country', 'site_id', 'sum', 'currency', 'source'],
    sort: { by: 'date', desc: true },
    opens: { path: 'date', period: 'current_month' },
  },
  form: [{ name: 'main', fields: ['stream', 'country', 'date', 'site_id', 'sum', 'currency', 'source'] }],
})
