// English words of billing.
export const billingEn = {
  title: 'Billing',
  details: 'Payment details',
  detailsHint: 'Account or wallet. Stored encrypted; leave empty to keep what is stored.',
  reveal: 'Show payment details',
  change: 'Change billing',
  accept: 'Accept the change',
  decline: 'Decline the change',
  waits: 'Change by {{by}} of {{at}}: payments wait until it is accepted or declined.',
  you: 'your side',
  proposed: 'Sent. Your manager will confirm the change.',
  password: 'Your password',
} as const
