// Entity: an alternative name that advertisers use for a country.
import { ADMIN_ONLY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const countryMapping = defineEntity({
  name: 'country_mapping',
  route: null,
  access: { view: ADMIN_ONLY, lookup: ADMIN_ONLY, ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'everyone' },
  title: 'title',
  fields: {
    country: { kind: 'reference', to: 'country', required: true },
    title: { kind: 'text', required: true, searched: true },
  },
  unique: [['title']],
  hasActive: true,
  list: { columns: ['title', 'country'], filters: ['title', 'country'] },
  form: [{ name: 'main', fields: ['country', 'title'] }],
})
