// Entity: the id by which an advertiser identifies a partner.
import { PARTNER_DETAILS } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const partnerAdvertiserAffiliate = defineEntity({
  name: 'partner_advertiser_affiliate',
  route: null,
  access: PARTNER_DETAILS,
  scope: { by: 'partner', column: 'partner_id' },
  title: 'affiliate_id',
  fields: {
    partner: { kind: 'reference', to: 'partner', required: true, fixed: true },
    advertiser: { kind: 'reference', to: 'advertiser', required: true },
    affiliate_id: { kind: 'text', required: true, searched: true, max: 64 },
  },
  unique: [['partner', 'advertiser']],
  hasActive: true,
  list: { columns: ['partner', 'advertiser', 'affiliate_id'], filters: ['partner', 'advertiser', 'affiliate_id'] },
  form: [{ name: 'main', fields: ['partner', 'advertiser', 'affiliate_id'] }],
})
