export const offerPartnerPostback = {
  title: 'Postbacks of the link',
  one: 'postback address',
  subtitle: 'Addresses on which the advertiser reports events',
  create: 'Add postback',
  fields: { offer_partner: 'Link', uuid: 'UUID', kind: 'Kind', title: 'Title', url: 'Address' },
  choices: { kind: { main: 'Main', extra: 'Extra' } },
} as const
