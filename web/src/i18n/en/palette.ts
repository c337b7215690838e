// English words of the palette.
export const paletteEn = {
  label: 'Search everything',
  placeholder: 'Find a record, a screen or an action…',
  recent: 'Recent',
  screens: 'Screens',
  actions: 'Actions',
  kinds: {
    partner: 'Partners',
    offer: 'Offers',
    offer_partner: 'Partner offers',
    player: 'Players',
    click: 'Clicks',
    advertiser: 'Advertisers',
    user: 'Users',
  },
  /** Words that ask for an action, and prepositions between them and what is searched for. */
  verbs: { create: 'new create add', report: 'report', before: 'for of on in' },
  newPartnerOffer: 'New partner offer for {{title}}',
  reportOf: 'Report: {{title}}, {{period}}',
  reportIn: '{{title}}, {{period}}',
  /** Phrases that name a period; the first one is shown. */
  periods: {
    today: 'today',
    yesterday: 'yesterday',
    current_week: 'this week|current week',
    previous_week: 'last week|previous week',
    current_month: 'this month|current month',
    previous_month: 'last month|previous month',
    current_year: 'this year|current year',
    previous_year: 'last year|previous year',
  },
  empty: 'Nothing found for “{{query}}”',
  hint: '↑ ↓ to choose, Enter to open, Esc to close',
  inactive: 'inactive',
  searchedFor: 'Showing results for “{{query}}”',
  failed: 'Records cannot be searched right now. Screens and actions still work.',
} as const
