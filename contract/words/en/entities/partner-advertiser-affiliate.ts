export const partnerAdvertiserAffiliate = {
  title: 'Affiliate IDs',
  one: 'affiliate ID',
  subtitle: 'The partner’s IDs at advertisers',
  create: 'Add affiliate ID',
  fields: { partner: 'Partner', advertiser: 'Advertiser', affiliate_id: 'Affiliate ID' },
} as const
