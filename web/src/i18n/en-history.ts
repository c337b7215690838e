// English words of a record's history.
export const historyEn = {
  title: 'History',
  empty: 'Nothing has been changed yet',
  emptyHint: 'Every change will be told here: who made it, when, and what it was before.',
  more: 'Earlier changes',
  product: 'The product',
  before: 'before',
  after: 'after',
  restore: 'Restore this version',
  restoreQuestion: 'Restore this version?',
  restoreText: 'The record becomes again what it was after this change. What you have typed and not saved is lost.',
  revive: 'Bring back',
  reviveQuestion: 'Bring the row back?',
  reviveText: 'It comes back as it was, with the rows that were deleted together with it.',
  restored: 'Restored',
  wasRestored: 'An earlier version was restored',
  openRecord: 'Open the record',
} as const
