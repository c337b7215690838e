export const offerPartnerTag = {
  title: 'Link tags',
  one: 'link tag',
  subtitle: 'Words by which links are sorted',
  create: 'New tag',
  fields: { title: 'Title' },
} as const
