export const partnerAdvertiserAffiliate = {
  title: 'Affiliate IDs',
  one: 'affiliate ID',
  subtitle: 'How advertisers know the partner',
  create: 'Add affiliate ID',
  fields: { partner: 'Partner', advertiser: 'Advertiser', affiliate_id: 'Affiliate ID' },
} as const
