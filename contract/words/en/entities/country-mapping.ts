export const countryMapping = {
  title: 'Alternative titles',
  one: 'alternative title',
  subtitle: 'What advertisers call a country',
  create: 'Add title',
  fields: { country: 'Country', title: 'Title' },
} as const
