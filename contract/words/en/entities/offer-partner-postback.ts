export const offerPartnerPostback = {
  title: 'Postback URLs of the partner offer',
  one: 'postback URL',
  subtitle: 'URLs at which the advertiser reports events',
  create: 'Add postback',
  fields: { offer_partner: 'Partner offer', uuid: 'UUID', kind: 'Kind', title: 'Title', url: 'Address' },
  choices: { kind: { main: 'Main', extra: 'Extra' } },
} as const
