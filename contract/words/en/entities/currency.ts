export const currency = {
  title: 'Currencies',
  one: 'currency',
  subtitle: 'Money of deposits, costs and spends',
  create: 'New currency',
  fields: { title: 'Title', value: 'Value in tag', rates: 'Rates' },
} as const
