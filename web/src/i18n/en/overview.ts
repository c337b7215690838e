// English words of the overview of a record.
export const overviewEn = {
  tab: 'Overview',
  tabs: 'Pages of the record',
  details: 'Details',
  numbers: 'Last {{count}} days',
  related: 'Related records',
  noRows: 'None yet.',
  tasks: 'To do',
  noTasks: 'Nothing needs attention.',
  unapproved: 'Not approved',
  approve: 'Review and approve',
  changes: 'Recent changes',
  leads: 'Go to',
  links: 'Links and postbacks',
  test: 'Test',
  trace: 'Trace',
} as const
