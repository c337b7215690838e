export const priceDays = { qualification: 'Qualification', registration: 'Registration' } as const

export const paymentModel = {
  title: 'Payment models',
  one: 'payment model',
  subtitle: 'How partners are paid, and the defaults of new offers',
  create: 'New payment model',
  fields: {
    title: 'Title',
    title_for_analysts: 'Title for analysts',
    type: 'Type',
    cost: 'Cost or share',
    cpa_price_day: 'Day that prices a player',
    share_history: 'Share of income and price day by dates',
    default_cost: 'Default cost or share',
    default_baseline: 'Default baseline',
    default_baseline_period_days: 'Default baseline period, days',
    default_max_days_from_registration: 'Default max days from registration',
  },
  choices: {
    type: { CPA: 'CPA', RS: 'RS', CPA_RS: 'CPA + RS', AGENCY: 'Agency' },
    cpa_price_day: priceDays,
  },
} as const
