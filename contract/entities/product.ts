// Entity: what an offer sells, such as casino, sport or poker.
import { ADMIN_ONLY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const product = defineEntity({
  name: 'product',
  route: '/products',
  access: { view: ADMIN_ONLY, lookup: 'everyone', ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'linked', through: { table: 'partner_product', column: 'product_id' } },
  title: 'title',
  fields: { title: { kind: 'text', required: true, searched: true } },
  unique: [['title']],
  hasActive: true,
  list: { columns: ['title'], filters: ['title'] },
  form: [{ name: 'main', fields: ['title'] }],
})
