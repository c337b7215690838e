// Entity: a currency of deposits, costs and spends; `value` is its ISO 4217 code.
import { ADMIN_ONLY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const currency = defineEntity({
  name: 'currency',
  route: '/currencies',
  access: { view: ADMIN_ONLY, lookup: 'everyone', ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'everyone' },
  title: 'title',
  label: ['value'],
  fields: {
    title: { kind: 'text', required: true, searched: true },
    value: { kind: 'text', required: true, searched: true, min: 2, max: 8, format: 'token' },
    rates: { kind: 'children', of: 'currency_rate', by: 'currency', owned: true },
  },
  unique: [['title'], ['value']],
  hasActive: true,
  list: { columns: ['title', 'value'], filters: ['title', 'value'] },
  form: [
    { name: 'main', fields: ['title', 'value'] },
    { name: 'rates', fields: ['rates'] },
  ],
})
