export const adjustment = {
  title: 'Adjustments',
  one: 'adjustment',
  subtitle: 'What partners are owed, or owe, beside what they have earned',
  create: 'New adjustment',
  fields: {
    partner: 'Partner',
    month: 'Month',
    offer_partner: 'Partner offer',
    amount: 'Amount',
    currency: 'Currency',
    kind: 'Kind',
    reason: 'Reason (for staff)',
    note: 'Note for the partner',
    created_by: 'Created by',
  },
  choices: { kind: { scrub: 'Scrub', bonus: 'Bonus', fee: 'Fee', manual: 'Manual' } },
} as const
