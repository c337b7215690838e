// Entity: a partner, who sends visitors through tracking links, receives postbacks, and is paid by the offers' payment models.
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'
import { STATES } from './offer.ts'

export const partner = defineEntity({
  name: 'partner',
  route: '/partners',
  access: { view: leadersOr('partners_view'), lookup: 'everyone', ...writtenBy(leadersOr('partners_edit')) },
  scope: { by: 'partner', column: 'id' },
  title: 'title',
  fields: {
    title: { kind: 'text', required: true, searched: true },
    state: { kind: 'choice', options: STATES, required: true },
    payment_details: { kind: 'text', format: 'long' },
    team_name: { kind: 'text' },
    spend_spreadsheet_id: { kind: 'text', format: 'spreadsheet' },
    tags: {
      kind: 'references',
      to: 'partner_tag',
      through: { table: 'partner_partner_tag', own: 'partner_id', other: 'partner_tag_id' },
    },
    partner_partner_groups: { kind: 'children', of: 'partner_partner_group', by: 'partner', owned: true },
    streams: { kind: 'children', of: 'partner_stream', by: 'partner', owned: true },
    affiliates: { kind: 'children', of: 'partner_advertiser_affiliate', by: 'partner', owned: true },
    postback_urls: { kind: 'children', of: 'partner_postback_url', by: 'partner', owned: true },
    infos: { kind: 'children', of: 'partner_info', by: 'partner', owned: true },
    users: { kind: 'children', of: 'user', by: 'partner' },
  },
  unique: [['title']],
  hasActive: true,
  hasOverview: true,
  countsUnapproved: true,
  createsInModal: true,
  list: {
    columns: ['title', 'team_name', 'state', 'tags'],
    filters: ['state', 'team_name', 'tags', 'partner_partner_groups.partner_group'],
  },
  form: [
    { name: 'main', fields: ['title', 'state', 'team_name', 'spend_spreadsheet_id', 'tags'] },
    { name: 'billing', fields: ['payment_details'] },
    { name: 'streams', fields: ['streams'] },
    { name: 'postback_urls', fields: ['postback_urls'] },
    { name: 'groups', fields: ['partner_partner_groups'] },
    { name: 'affiliates', fields: ['affiliates'] },
    { name: 'contacts', fields: ['infos'] },
    { name: 'users', fields: ['users'] },
  ],
})
