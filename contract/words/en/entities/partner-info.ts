export const partnerInfo = {
  title: 'Contacts',
  one: 'contact',
  subtitle: 'How to reach the partner',
  create: 'Add contact',
  fields: { partner: 'Partner', type: 'Type', value: 'Contact' },
  choices: { type: { email: 'Email', telegram: 'Telegram', phone: 'Phone', other: 'Other' } },
} as const
