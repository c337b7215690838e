export const userRole = {
  title: 'Roles',
  one: 'role',
  subtitle: 'Templates of permissions',
  create: 'New role',
  fields: { title: 'Title', kind: 'Kind', permissions: 'Permissions', built_in: 'Built in' },
  choices: { kind: { ADMIN: 'Administrator', TEAM_LEADER: 'Team leader', MANAGER: 'Manager', PARTNER: 'Partner' } },
} as const
