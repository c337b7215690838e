// Entity: a tag by which staff group partners.
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const partnerTag = defineEntity({
  name: 'partner_tag',
  route: '/partner-tags',
  access: {
    view: leadersOr('partners_view'),
    lookup: leadersOr('partners_view'),
    ...writtenBy(leadersOr('partners_edit')),
  },
  scope: { by: 'everyone' },
  title: 'title',
  fields: { title: { kind: 'text', required: true, searched: true, max: 64 } },
  unique: [['title']],
  hasActive: true,
  createsInModal: true,
  list: { columns: ['title'], filters: ['title'] },
  form: [{ name: 'main', fields: ['title'] }],
})
