export const partnerEventGroup = {
  title: 'Event groups',
  one: 'event group',
  subtitle: 'Event names shared by several partners',
  create: 'New event group',
  fields: { title: 'Title', partners: 'Partners', events: 'Events' },
} as const
