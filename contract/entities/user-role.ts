// Entity: a named permission template for one kind of role.
import { ADMIN_ONLY, ADMIN_OR_LEADERS, PERMISSIONS, ROLE_KINDS, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const userRole = defineEntity({
  name: 'user_role',
  route: '/roles',
  access: { view: ADMIN_ONLY, lookup: ADMIN_OR_LEADERS, ...writtenBy(ADMIN_ONLY), sessionOnly: true },
  scope: { by: 'everyone' },
  title: 'title',
  label: ['kind'],
  fields: {
    title: { kind: 'text', required: true, searched: true },
    kind: { kind: 'choice', options: ROLE_KINDS, required: true, fixed: true, searched: true },
    permissions: { kind: 'choices', options: PERMISSIONS, unfiltered: true },
    built_in: { kind: 'boolean', readOnly: true },
  },
  unique: [['title']],
  hasActive: true,
  list: { columns: ['title', 'kind', 'built_in'], filters: ['title', 'kind'] },
  form: [{ name: 'main', fields: ['title', 'kind', 'permissions'] }],
})
