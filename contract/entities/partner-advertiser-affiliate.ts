// The id by which an advertiser knows a partner.
import { leadersOr } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const partnerAdvertiserAffiliate = defineEntity({
  name: 'partner_advertiser_affiliate',
  route: null,
  access: {
    view: leadersOr('partners_view'),
    lookup: leadersOr('partners_view'),
    create: leadersOr('partners_edit'),
    edit: leadersOr('partners_edit'),
    remove: leadersOr('partners_edit'),
  },
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
