const reopened = { reopened_at: 'Reopened', reopened_by: 'Reopened by', reason: 'Reason of reopening' } as const

export const periodClose = {
  title: 'Closed months',
  one: 'close',
  subtitle: 'Which months are closed, by whom, and for which partners',
  create: 'Close a month',
  fields: {
    month: 'Month',
    partner_group: 'Group',
    closed_at: 'Closed',
    closed_by: 'Closed by',
    known_at: 'As known on',
    ...reopened,
  },
} as const

export const periodClosePartner = {
  title: 'Partners of closed months',
  one: 'closed month of a partner',
  subtitle: 'For which partners a month is closed',
  create: 'Close a month',
  fields: { period_close: 'Close', month: 'Month', partner: 'Partner', ...reopened },
} as const
