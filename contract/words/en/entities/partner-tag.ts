export const partnerTag = {
  title: 'Partner tags',
  one: 'partner tag',
  subtitle: 'Words by which partners are sorted',
  create: 'New tag',
  fields: { title: 'Title' },
} as const
