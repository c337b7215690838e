export const ledgerEntry = {
  title: 'Ledger entries',
  one: 'ledger entry',
  subtitle: 'What partners have earned in closed months, and every correction of it',
  create: 'New ledger entry',
  fields: {
    partner: 'Partner',
    earned_month: 'Earned in',
    booked_month: 'Booked in',
    offer_partner: 'Partner offer',
    stream: 'Stream',
    traffic_source: 'Traffic source',
    country: 'Country',
    advertiser: 'Advertiser',
    kind: 'Kind',
    currency: 'Currency',
    amount: 'Amount',
    source: 'Source',
    known_at: 'As known on',
    causes: 'Causes',
    period_close: 'Close',
  },
  choices: {
    kind: { cpa: 'CPA', rs: 'Revenue share', agency: 'Agency' },
    source: { close: 'Close', reclose: 'Closed again', true_up: 'True-up' },
  },
} as const

export const ledgerItem = {
  title: 'Items of ledger entries',
  one: 'item of a ledger entry',
  subtitle: 'What ledger entries are made of',
  create: 'New item',
  fields: {
    ledger_entry: 'Ledger entry',
    player: 'Player',
    day: 'Day',
    quantity: 'Quantity',
    base: 'Base',
    rate: 'Percentage',
    amount: 'Amount',
  },
} as const
