// Entity: the value of one unit of a currency in the report currency, from a business day on.
import { ADMIN_ONLY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const currencyRate = defineEntity({
  name: 'currency_rate',
  route: null,
  access: { view: ADMIN_ONLY, lookup: ADMIN_ONLY, ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'everyone' },
  title: 'date',
  fields: {
    currency: { kind: 'reference', to: 'currency', required: true },
    date: { kind: 'date', required: true },
    rate: { kind: 'decimal', scale: 8, min: 0.00000001, max: 1_000_000_000, required: true },
  },
  unique: [['currency', 'date']],
  hasActive: false,
  list: { columns: ['currency', 'date', 'rate'], filters: ['currency', 'date'], sort: { by: 'date', desc: true } },
  form: [{ name: 'main', fields: ['currency', 'date', 'rate'] }],
})
