// Entity: one channel of a partner's traffic (a site, a blog, a team), with its traffic source.
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const partnerStream = defineEntity({
  name: 'partner_stream',
  route: null,
  access: { view: leadersOr('partners_view'), lookup: 'everyone', ...writtenBy(leadersOr('partners_edit')) },
  scope: { by: 'partner', column: 'partner_id' },
  title: 'title',
  fields: {
    partner: { kind: 'reference', to: 'partner', required: true, fixed: true },
    title: { kind: 'text', required: true, searched: true },
    traffic_source: { kind: 'reference', to: 'traffic_source' },
  },
  unique: [['partner', 'title']],
  hasActive: true,
  list: { columns: ['title', 'partner', 'traffic_source'], filters: ['partner', 'traffic_source', 'title'] },
  form: [{ name: 'main', fields: ['partner', 'title', 'traffic_source'] }],
})
