// Entity: a tag by which staff group partner offers.
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const offerPartnerTag = defineEntity({
  name: 'offer_partner_tag',
  route: '/link-tags',
  access: { view: leadersOr('offer_view'), lookup: leadersOr('offer_view'), ...writtenBy(leadersOr('manager_access')) },
  scope: { by: 'everyone' },
  title: 'title',
  fields: { title: { kind: 'text', required: true, searched: true, max: 64 } },
  unique: [['title']],
  hasActive: true,
  createsInModal: true,
  list: { columns: ['title'], filters: ['title'] },
  form: [{ name: 'main', fields: ['title'] }],
})
