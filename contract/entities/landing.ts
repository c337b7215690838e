// Entity: a page of an advertiser. Its value is appended to the advertiser's domain.
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const landing = defineEntity({
  name: 'landing',
  route: '/landings',
  access: { view: leadersOr('landing_view'), lookup: 'everyone', ...writtenBy(leadersOr('landing_edit')) },
  scope: { by: 'linked', through: { table: 'partner_landing', column: 'landing_id' } },
  title: 'title',
  label: ['value'],
  fields: {
    title: { kind: 'text', required: true, searched: true },
    value: { kind: 'text', format: 'template', required: true, searched: true, max: 2048 },
    sub_id: { kind: 'text', max: 64 },
  },
  unique: [],
  hasActive: true,
  list: { columns: ['title', 'value', 'sub_id'], filters: ['title', 'value', 'sub_id'] },
  form: [{ name: 'main', fields: ['title', 'value', 'sub_id'] }],
})
