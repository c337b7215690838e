export const currencyRate = {
  title: 'Rates',
  one: 'rate',
  subtitle: 'Worth in the report currency from that day on',
  create: 'Add rate',
  fields: { currency: 'Currency', date: 'Date', rate: 'Rate' },
} as const
