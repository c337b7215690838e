import { priceDays } from './payment-model.ts'

const history = { date_from: 'From', date_to: 'To' } as const

export const paymentModelShareHistory = {
  title: 'Share history',
  one: 'share',
  subtitle: 'Percentage of income of a payment model, by dates',
  create: 'Add period',
  fields: { ...history, payment_model: 'Payment model', value: 'Share', cpa_price_day: 'Price day' },
  choices: { cpa_price_day: priceDays },
} as const

export const agencyPercentageHistory = {
  title: 'Agency percentage history',
  one: 'agency percentage',
  subtitle: 'Percentage added to entered spend, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Percentage' },
} as const
