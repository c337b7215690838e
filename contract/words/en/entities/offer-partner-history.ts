const history = { offer_partner: 'Link', date_from: 'From', date_to: 'To' } as const

export const offerPartnerBetRequirementHistory = {
  title: 'Bet requirement history',
  one: 'bet requirement',
  subtitle: 'Bets needed to qualify, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Bet requirement' },
} as const

export const offerPartnerBlDepositHistory = {
  title: 'Baseline deposit history',
  one: 'baseline deposit',
  subtitle: 'Deposits needed to qualify, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Baseline deposit' },
} as const

export const offerPartnerBlPeriodHistory = {
  title: 'Baseline period history',
  one: 'baseline period',
  subtitle: 'Days to reach the baseline, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Days' },
} as const

export const offerPartnerCostHistory = {
  title: 'Cost history',
  one: 'cost',
  subtitle: 'Pay for a qualified player or share of income, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Cost' },
} as const

export const offerPartnerMaxDaysHistory = {
  title: 'Max days history',
  one: 'max days',
  subtitle: 'Longest time from registration, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Days' },
} as const
