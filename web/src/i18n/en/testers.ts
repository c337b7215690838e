// English words of the testers that several screens show.
export const testersEn = {
  event: 'Test the advertiser’s event',
  eventText:
    'Shows what happens to an event that the advertiser reports for this partner offer: the response, the player and the postbacks to the partner. Nothing is recorded or sent.',
  judge: 'Run the test',
  taken: 'It would be accepted (response {{status}})',
  refused: 'It would be rejected (response {{status}})',
  told: 'Postback to the partner',
  nobody: 'None',
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
