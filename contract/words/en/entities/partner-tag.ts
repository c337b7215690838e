export const partnerTag = {
  title: 'Partner tags',
  one: 'partner tag',
  subtitle: 'Labels for sorting partners',
  create: 'New tag',
  fields: { title: 'Title' },
} as const
