export const product = {
  title: 'Products',
  one: 'product',
  subtitle: 'What offers sell',
  create: 'New product',
  fields: { title: 'Title' },
} as const
