export const partnerGroup = {
  title: 'Partner groups',
  one: 'partner group',
  subtitle: 'Teams of partners; team leaders see only their own groups',
  create: 'New group',
  fields: {
    title: 'Title',
    type: 'Type',
    status: 'Status',
    team_leaders: 'Team leaders',
    team_leader_for_analysts: 'Team leader for analysts',
    crm_department_id: 'CRM department ID',
    offers: 'Offers',
    partners: 'Partners',
    managers: 'Managers',
    partner_partner_groups: 'Partners and managers',
  },
} as const
