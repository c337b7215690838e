// A person who signs in. Password, second factor and sessions are the access room's business, not this row's.
import { LEADERS, NOBODY, STAFF } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const LANGUAGES = ['en', 'ru'] as const
export type Language = (typeof LANGUAGES)[number]

export const user = defineEntity({
  name: 'user',
  route: '/users',
  access: { view: LEADERS, lookup: STAFF, create: NOBODY, edit: NOBODY, remove: NOBODY },
  scope: { by: 'everyone' },
  title: 'full_name',
  fields: {
    full_name: { kind: 'text', required: true, searched: true },
    email: { kind: 'text', format: 'email', required: true, searched: true },
    enabled: { kind: 'boolean', required: true },
    role: { kind: 'reference', to: 'user_role', required: true },
    partner: { kind: 'reference', to: 'partner' },
    name_for_analysts: { kind: 'text', format: 'words' },
    crm_user_id: { kind: 'text', format: 'number', max: 64 },
    language: { kind: 'choice', options: LANGUAGES },
    time_zone: { kind: 'text', max: 64 },
  },
  unique: [['email']],
  hasActive: false,
  list: {
    columns: ['full_name', 'email', 'role', 'partner', 'enabled'],
    filters: ['role', 'role.kind', 'partner', 'enabled', 'email'],
  },
  form: [
    { name: 'main', fields: ['full_name', 'email', 'enabled', 'role', 'partner', 'name_for_analysts', 'crm_user_id'] },
  ],
})
