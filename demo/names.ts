// The words of the demo network. All brands, partners and domains are invented; domains end in .example, which cannot be registered.

export const ADVERTISERS = [
  { title: 'Aurora Casino', host: 'aurora', products: ['Casino', 'Live casino'] },
  { title: 'Redwood Bet', host: 'redwood', products: ['Sport', 'Virtual sport'] },
  { title: 'Lucky Harbor', host: 'harbor', products: ['Casino', 'Slots'] },
  { title: 'Bluepeak Sports', host: 'bluepeak', products: ['Sport', 'Esports'] },
  { title: 'Jade Room', host: 'jaderoom', products: ['Live casino', 'Poker'] },
  { title: 'Velvet Spin', host: 'velvet', products: ['Slots', 'Casino'] },
] as const

export const PRODUCTS = ['Casino', 'Live casino', 'Slots', 'Sport', 'Virtual sport', 'Esports', 'Poker'] as const

export const TRAFFIC_SOURCES = [
  'SEO',
  'Google Ads',
  'Facebook Ads',
  'TikTok',
  'YouTube',
  'Twitch streams',
  'Kick streams',
  'Telegram channels',
  'Instagram',
  'X',
  'Push notifications',
  'Popunder',
  'Native ads',
  'In-app',
  'ASO',
  'E-mail',
  'SMS',
  'Review sites',
  'Bonus aggregators',
  'Tipsters',
  'Podcasts',
  'Snapchat',
  'Reddit',
  'Comparison sites',
  'Offline QR',
] as const

export const PARTNERS = [
  'Northwind Media',
  'Oakline Digital',
  'Silver Fox SEO',
  'BetReview Group',
  'StreamHouse',
  'Tipster Club',
  'Kingfisher Ads',
  'Lumen Traffic',
  'Polar Affiliates',
  'Greenlight CPA',
  'Cobalt Network',
  'Harvest Leads',
  'Mosaic Push',
  'Ember Creators',
  'Atlas Buying',
  'Delta Native',
  'Sierra Webworks',
  'Quartz Media',
  'Falcon Apps',
  'Meridian Partners',
  'Lotus Performance',
  'Brightside Reviews',
  'Foxglove Studio',
  'Ironbridge Ads',
  'Tamarind Media',
  'Riverbend SEO',
  'Pixelport',
  'Nimbus Buying',
  'Juniper Leads',
  'Copperfield CPA',
  'Skylark Streams',
  'Baltic Traffic',
  'Andes Digital',
  'Sahara Clicks',
  'Maple Webmasters',
  'Orchid Social',
  'Viking Sports Tips',
  'Cedar Content',
  'Hexagon Apps',
  'Wolfpack Media',
] as const

export const GROUPS = ['Search and reviews', 'Media buying', 'Creators', 'Emerging markets'] as const

export const LANDINGS = [
  { title: 'Registration', value: '/signup' },
  { title: 'Welcome bonus', value: '/welcome-bonus' },
  { title: 'Free spins', value: '/free-spins' },
  { title: 'Sport bonus', value: '/sport-bonus' },
  { title: 'Live tables', value: '/live' },
  { title: 'Mobile app', value: '/app' },
  { title: 'Tournament', value: '/tournament' },
  { title: 'Quiz', value: '/quiz' },
  { title: 'Wheel of fortune', value: '/wheel' },
  { title: 'Euro qualifiers', value: '/euro' },
  { title: 'No-deposit bonus', value: '/no-deposit' },
  { title: 'VIP club', value: '/vip' },
] as const

export const PEOPLE = {
  leaders: ['Hanna Lindqvist', 'Marco Bellini'],
  managers: ['Oksana Melnyk', 'Tomás Ferreira', 'Aisha Rahman', 'Jonas Weber', 'Elif Kaya', 'Daniel Novak'],
} as const

export const PARTNER_TAGS = ['vip', 'prepaid', 'own sites', 'arbitrage', 'watch'] as const
export const OFFER_PARTNER_TAGS = ['test', 'seasonal', 'exclusive', 'capped'] as const
