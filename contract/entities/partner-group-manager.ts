// Entity: a manager of a partner within a group; reports show the main one.
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const partnerGroupManager = defineEntity({
  name: 'partner_group_manager',
  route: null,
  access: {
    view: leadersOr('partners_view'),
    lookup: leadersOr('partners_view'),
    ...writtenBy(leadersOr('manager_access')),
  },
  scope: { by: 'through', column: 'partner_partner_group_id', entity: 'partner_partner_group' },
  title: 'user',
  fields: {
    partner_partner_group: { kind: 'reference', to: 'partner_partner_group', required: true, fixed: true },
    user: { kind: 'reference', to: 'user', required: true },
    is_main: { kind: 'boolean' },
  },
  unique: [['partner_partner_group', 'user']],
  hasActive: true,
  list: {
    columns: ['partner_partner_group', 'user', 'is_main'],
    filters: ['partner_partner_group', 'user', 'is_main'],
  },
  form: [{ name: 'main', fields: ['partner_partner_group', 'user', 'is_main'] }],
})
