export const partnerSpend = {
  title: 'Partners’ spends',
  one: 'spend',
  subtitle: 'What was spent on a stream in a country, by day',
  create: 'New spend',
  fields: {
    stream: 'Stream',
    site_id: 'Site ID',
    country: 'Country',
    date: 'Date',
    sum: 'Sum',
    currency: 'Currency',
    source: 'Source',
  },
  choices: { source: { manual: 'By hand', import: 'Import', sheet: 'Sheet' } },
} as const
