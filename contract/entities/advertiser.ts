// Entity: a brand that pays for players. Clicks are redirected to its domain of the country or its default domain.
import { ADMIN_ONLY, STAFF, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const advertiser = defineEntity({
  name: 'advertiser',
  route: '/advertisers',
  access: { view: ADMIN_ONLY, lookup: STAFF, ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'everyone' },
  title: 'title',
  fields: {
    title: { kind: 'text', required: true, searched: true },
    default_domain: { kind: 'text', format: 'domain', required: true, max: 2048 },
    crm_id: { kind: 'text', max: 64 },
    default_crm_project_id: { kind: 'text', max: 64 },
    media_id: { kind: 'text', max: 64 },
    default_currency: { kind: 'reference', to: 'currency', required: true },
    default_cost: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000, unit: 'money' },
    default_baseline: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000, unit: 'money' },
    allowed_landings: {
      kind: 'references',
      to: 'landing',
      through: { table: 'advertiser_landing', own: 'advertiser_id', other: 'landing_id' },
    },
    default_landings: { kind: 'children', of: 'default_landing', by: 'advertiser', owned: true },
    countries: { kind: 'children', of: 'advertiser_country', by: 'advertiser', owned: true },
  },
  unique: [['title']],
  hasActive: true,
  hasOverview: true,
  list: {
    columns: ['title', 'default_domain', 'media_id', 'default_currency', 'crm_id'],
    filters: ['title', 'default_domain', 'media_id', 'default_currency', 'crm_id'],
  },
  form: [
    {
      name: 'main',
      fields: [
        'title',
        'default_domain',
        'media_id',
        'default_currency',
        'default_cost',
        'default_baseline',
        'crm_id',
        'default_crm_project_id',
      ],
    },
    { name: 'countries', fields: ['countries'] },
    { name: 'landings', fields: ['allowed_landings', 'default_landings'] },
  ],
})
