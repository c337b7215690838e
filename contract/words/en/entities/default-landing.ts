export const defaultLanding = {
  title: 'Default landings',
  one: 'default landing',
  subtitle: 'Where a click goes when nothing names a landing',
  create: 'Add landing',
  fields: { advertiser: 'Advertiser', country: 'Country', landing: 'Landing' },
} as const
