// Entity: a country. Its alternative titles match the names that advertisers report.
import { ADMIN_ONLY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const country = defineEntity({
  name: 'country',
  route: '/countries',
  access: { view: ADMIN_ONLY, lookup: 'everyone', ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'everyone' },
  title: 'title',
  label: ['code'],
  fields: {
    title: { kind: 'text', required: true, searched: true },
    code: { kind: 'text', format: 'country', required: true, searched: true, max: 2 },
    sub_id: { kind: 'text', max: 64 },
    currency: { kind: 'reference', to: 'currency', required: true },
    partner_links_domain: { kind: 'text', format: 'domain' },
    crm_country_id: { kind: 'text', format: 'number', max: 64 },
    mappings: { kind: 'children', of: 'country_mapping', by: 'country', owned: true },
  },
  unique: [['title'], ['code']],
  hasActive: true,
  list: {
    columns: ['title', 'code', 'sub_id', 'currency', 'partner_links_domain', 'crm_country_id'],
    filters: ['title', 'code', 'currency', 'sub_id', 'partner_links_domain', 'crm_country_id'],
  },
  form: [
    { name: 'main', fields: ['title', 'code', 'sub_id', 'currency', 'partner_links_domain', 'crm_country_id'] },
    { name: 'mappings', fields: ['mappings'] },
  ],
})
