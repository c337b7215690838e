const states = { approved: 'Approved', unapproved: 'Not approved' } as const

export const partner = {
  title: 'Partners',
  one: 'partner',
  subtitle: 'Affiliates who bring players',
  create: 'New partner',
  fields: {
    title: 'Title',
    state: 'State',
    payment_details: 'Payment note',
    team_name: 'Team name',
    spend_spreadsheet_id: 'Spend spreadsheet ID',
    tags: 'Tags',
    partner_partner_groups: 'Groups',
    streams: 'Streams',
    affiliates: 'Affiliate IDs',
    postback_urls: 'Postback URLs',
    infos: 'Contacts',
    users: 'Users',
  },
  choices: { state: states },
} as const
