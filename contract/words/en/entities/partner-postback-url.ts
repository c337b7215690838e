export const partnerPostbackUrl = {
  title: 'Postback URLs',
  one: 'postback URL',
  subtitle: 'URLs that notify the partner of events',
  create: 'Add postback URL',
  fields: {
    partner: 'Partner',
    url: 'URL',
    method: 'Method',
    events: 'Events',
    signed: 'Signed',
    signing_key: 'Signing key',
  },
  choices: {
    method: { GET: 'GET', POST: 'POST' },
    events: {
      reg: 'Registration',
      ftd: 'First deposit',
      dep: 'Deposit',
      bet: 'Bet',
      bl: 'Qualification',
      custom: 'Own events',
    },
  },
} as const
