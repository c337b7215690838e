export const advertiserConfirmation = {
  title: 'Confirmations of advertisers',
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
