export const partnerAdvertiserAffiliate = {
  title: 'Affiliate ID',
  one: 'Affiliate ID',
  subtitle: 'Под каким номером партнёра знает рекламодатель',
  create: 'Добавить Affiliate ID',
  fields: { partner: 'Партнёр', advertiser: 'Рекламодатель', affiliate_id: 'Affiliate ID' },
} as const
