const history = { offer: 'Offer', date_from: 'From', date_to: 'To' } as const

export const offerPaymentModelHistory = {
  title: 'Payment model history',
  one: 'payment model',
  subtitle: 'Payment model of an offer, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Payment model' },
} as const

export const offerTermsHistory = {
  title: 'Terms history',
  one: 'terms',
  subtitle: 'Cost or share, currency, baseline and days of an offer, by dates',
  create: 'Add period',
  fields: {
    ...history,
    cost: 'Cost',
    rs_share: 'Share of income',
    currency: 'Currency',
    baseline: 'Baseline',
    days: 'Days',
  },
} as const
