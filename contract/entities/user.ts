// Entity: a user who signs in. Second factor and sessions are stored elsewhere (server/src/access).
import { ADMIN_OR_LEADERS, NOBODY, PERMISSIONS, STAFF } from '../access.ts'
import { defineEntity } from '../entity.ts'
import { LANGUAGES } from '../language.ts'
import { PASSWORD_MAX } from '../password.ts'

export const user = defineEntity({
  name: 'user',
  route: '/users',
  // Users are disabled, never deleted, so that the audit log keeps its authors.
  access: {
    view: ADMIN_OR_LEADERS,
    lookup: STAFF,
    create: ADMIN_OR_LEADERS,
    edit: ADMIN_OR_LEADERS,
    remove: NOBODY,
    sessionOnly: true,
  },
  scope: { by: 'staff_or_partner', column: 'partner_id' },
  title: 'full_name',
  fields: {
    full_name: { kind: 'text', required: true, searched: true },
    email: { kind: 'text', format: 'email', required: true, searched: true },
    password: { kind: 'text', writeOnly: true, unfiltered: true, max: PASSWORD_MAX },
    enabled: { kind: 'boolean', required: true },
    role: { kind: 'reference', to: 'user_role', required: true },
    partner: { kind: 'reference', to: 'partner' },
    name_for_analysts: { kind: 'text', format: 'words' },
    crm_user_id: { kind: 'text', format: 'number', max: 64 },
    /** Groups that a team leader leads. */
    partner_groups: {
      kind: 'references',
      to: 'partner_group',
      through: { table: 'partner_group_team_leader', own: 'user_id', other: 'partner_group_id' },
      setBy: ['ADMIN'],
    },
    /** Permissions that replace the role's template; null means that the template applies. */
    permissions: { kind: 'choices', options: PERMISSIONS, inherits: true, unfiltered: true },
    language: { kind: 'choice', options: LANGUAGES },
    time_zone: { kind: 'text', format: 'zone', max: 64 },
  },
  unique: [['email']],
  hasActive: false,
  list: {
    columns: ['full_name', 'email', 'role', 'partner', 'enabled'],
    filters: ['role', 'role.kind', 'partner', 'enabled', 'email'],
  },
  form: [
    {
      name: 'main',
      fields: [
        'full_name',
        'email',
        'enabled',
        'role',
        'partner',
        'partner_groups',
        'language',
        'name_for_analysts',
        'crm_user_id',
      ],
    },
    { name: 'permissions', fields: ['permissions'] },
  ],
})
