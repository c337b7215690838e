const states = { approved: 'Approved', unapproved: 'Not approved' } as const

export const offer = {
  title: 'Offers',
  one: 'offer',
  subtitle: 'What advertisers pay for, by country and payment model',
  create: 'New offer',
  fields: {
    title: 'Title',
    advertiser: 'Advertiser',
    advertiser_country: 'Country, media ID',
    payment_model: 'Payment model',
    currency: 'Currency',
    cost: 'Cost',
    rs_share: 'Share of income',
    days: 'Days',
    baseline: 'Baseline',
    product: 'Product',
    state: 'State',
    partner_groups: 'Partner groups',
    offer_partners: 'Partner offers',
    payment_model_history: 'Payment model by dates',
    terms_history: 'Cost, share, currency, baseline by dates',
  },
  choices: { state: states },
} as const
