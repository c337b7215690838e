// Entity: a key with which a program calls the API with its owner's rights. The call api_key_create creates it and returns the key once.
import { NOBODY } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const apiKey = defineEntity({
  name: 'api_key',
  route: null,
  access: { view: 'everyone', lookup: NOBODY, create: NOBODY, edit: 'everyone', remove: 'everyone', sessionOnly: true },
  scope: { by: 'own', column: 'user_id' },
  title: 'title',
  fields: {
    title: { kind: 'text', required: true, searched: true },
    user: { kind: 'reference', to: 'user', readOnly: true },
    prefix: { kind: 'text', readOnly: true },
    last_used_at: { kind: 'datetime', readOnly: true },
    expires_at: { kind: 'datetime', readOnly: true },
  },
  unique: [],
  hasActive: true,
  list: {
    columns: ['title', 'prefix', 'last_used_at', 'expires_at'],
    filters: ['title', 'expires_at'],
  },
  form: [{ name: 'main', fields: ['title'] }],
})
