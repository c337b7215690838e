// Entity: the landing of clicks for which neither the partner offer nor the URL names one, for one country or for all others.
import { ADMIN_ONLY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const defaultLanding = defineEntity({
  name: 'default_landing',
  route: null,
  access: { view: ADMIN_ONLY, lookup: ADMIN_ONLY, ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'everyone' },
  title: 'landing',
  fields: {
    advertiser: { kind: 'reference', to: 'advertiser', required: true },
    country: { kind: 'reference', to: 'country' },
    landing: { kind: 'reference', to: 'landing', required: true },
  },
  unique: [['advertiser', 'country']],
  hasActive: true,
  list: { columns: ['advertiser', 'country', 'landing'], filters: ['advertiser', 'country', 'landing'] },
  form: [{ name: 'main', fields: ['advertiser', 'country', 'landing'] }],
})
