export const offerPartnerTag = {
  title: 'Partner offer tags',
  one: 'partner offer tag',
  subtitle: 'Labels for sorting partner offers',
  create: 'New tag',
  fields: { title: 'Title' },
} as const
