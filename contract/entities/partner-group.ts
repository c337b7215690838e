// Entity: a group of partners with its team leaders, who see only groups that they lead.
import { ADMIN_OR_LEADERS, STAFF, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const partnerGroup = defineEntity({
  name: 'partner_group',
  route: '/partner-groups',
  access: { view: ADMIN_OR_LEADERS, lookup: STAFF, ...writtenBy(ADMIN_OR_LEADERS) },
  scope: { by: 'group', column: 'id' },
  title: 'title',
  fields: {
    title: { kind: 'text', required: true, searched: true },
    type: { kind: 'text', max: 64 },
    status: { kind: 'text', max: 64 },
    team_leaders: {
      kind: 'references',
      to: 'user',
      through: { table: 'partner_group_team_leader', own: 'partner_group_id', other: 'user_id' },
      // A leader of a group sees its partners.
      setBy: ['ADMIN'],
    },
    team_leader_for_analysts: { kind: 'reference', to: 'user' },
    crm_department_id: { kind: 'text', format: 'number', max: 64 },
    offers: {
      kind: 'references',
      to: 'offer',
      through: { table: 'partner_group_offer', own: 'partner_group_id', other: 'offer_id' },
    },
    /** Partners with an active membership. */
    partners: {
      kind: 'references',
      to: 'partner',
      through: { table: 'partner_group_partner', own: 'partner_group_id', other: 'partner_id' },
      readOnly: true,
    },
    managers: {
      kind: 'references',
      to: 'user',
      through: { table: 'partner_group_user_manager', own: 'partner_group_id', other: 'user_id' },
      readOnly: true,
    },
    partner_partner_groups: { kind: 'children', of: 'partner_partner_group', by: 'partner_group', owned: true },
  },
  unique: [['title']],
  hasActive: true,
  list: {
    columns: ['title', 'type', 'status', 'team_leaders', 'managers'],
    filters: ['title', 'type', 'status', 'team_leaders', 'managers', 'partners', 'offers'],
  },
  form: [
    {
      name: 'main',
      fields: ['title', 'type', 'status', 'team_leaders', 'team_leader_for_analysts', 'crm_department_id', 'offers'],
    },
    { name: 'partners', fields: ['partner_partner_groups'] },
  ],
})
