// English words of the testers that several screens show.
export const testersEn = {
  event: 'Test the advertiser’s event',
  eventText:
    'Says what would become of an event that the advertiser reports to this link: how it is answered, whose player it is, and whom it is told to. Nothing is recorded, nobody is called.',
  judge: 'See what would happen',
  taken: 'It would be taken (answer {{status}})',
  refused: 'It would be refused (answer {{status}})',
  told: 'Partner would be told',
  nobody: 'Nobody',
  events: {
    reg: 'Registration',
    dep: 'Deposit',
    bet: 'Bet',
  },
  fields: {
    player_id: 'Player ID',
    click_id: 'Click ID',
    site_id: 'Site ID',
    sub_id: 'Sub ID',
    promocode: 'Promo code',
    country: 'Country',
    date: 'Date',
    sum: 'Sum',
    currency: 'Currency',
    transaction_id: 'Transaction ID',
  },
} as const
