const history = { offer_partner: 'Partner offer', date_from: 'From', date_to: 'To' } as const

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
  subtitle: 'Payout for a qualified player, by dates',
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

export const offerPartnerRsShareHistory = {
  title: 'Share history',
  one: 'share of income',
  subtitle: 'Percentage of income, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Share' },
} as const

export const offerPartnerAgencyPercentageHistory = {
  title: 'Agency percentage history',
  one: 'agency percentage',
  subtitle: 'Percentage added to entered spend, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Percentage' },
} as const

export const offerPartnerCurrencyHistory = {
  title: 'Currency history',
  one: 'currency',
  subtitle: 'Currency of costs and limits, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Currency' },
} as const

export const offerPartnerCountryRequirementHistory = {
  title: 'Country requirement history',
  one: 'country requirement',
  subtitle: 'Whether a player’s country must be the offer’s, by dates',
  create: 'Add period',
  fields: { ...history, value: 'Country must match' },
} as const
