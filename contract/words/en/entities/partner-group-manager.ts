export const partnerGroupManager = {
  title: 'Managers',
  one: 'manager',
  subtitle: 'Who looks after the partner in the group',
  create: 'Add manager',
  fields: { partner_partner_group: 'Group', user: 'Manager', is_main: 'Main manager' },
} as const
