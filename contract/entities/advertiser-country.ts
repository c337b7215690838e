// Entity: an advertiser's domain, media ID and CRM project in one country. Offers refer to it.
import { ADMIN_ONLY, STAFF, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const advertiserCountry = defineEntity({
  name: 'advertiser_country',
  route: null,
  access: { view: ADMIN_ONLY, lookup: STAFF, ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'everyone' },
  title: 'country',
  label: ['media_id'],
  fields: {
    advertiser: { kind: 'reference', to: 'advertiser', required: true, hiddenFrom: ['PARTNER'] },
    country: { kind: 'reference', to: 'country', required: true },
    domain: { kind: 'text', format: 'domain', max: 2048, hiddenFrom: ['PARTNER'] },
    media_id: { kind: 'text', max: 64, searched: true, hiddenFrom: ['PARTNER'] },
    crm_project_id: { kind: 'text', max: 64, hiddenFrom: ['PARTNER'] },
  },
  unique: [['advertiser', 'country']],
  hasActive: true,
  list: {
    columns: ['advertiser', 'country', 'domain', 'media_id', 'crm_project_id'],
    filters: ['advertiser', 'country', 'domain', 'media_id'],
  },
  form: [{ name: 'main', fields: ['advertiser', 'country', 'domain', 'media_id', 'crm_project_id'] }],
})
