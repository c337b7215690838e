export const advertiserConfirmation = {
  title: 'Advertiser confirmations',
  one: 'confirmation of an advertiser',
  subtitle: 'Which advertisers have confirmed the figures of a month',
  create: 'New confirmation',
  fields: {
    advertiser: 'Advertiser',
    month: 'Month',
    confirmed_at: 'Confirmed',
    confirmed_by: 'Confirmed by',
  },
} as const
