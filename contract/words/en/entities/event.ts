export const event = {
  title: 'Events',
  one: 'event',
  subtitle: 'What partners’ own systems call events',
  create: 'New event',
  fields: { name: 'Event', partner: 'Partner', parameter_name: 'Parameter name' },
} as const
