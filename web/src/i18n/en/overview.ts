// English words of the overview of a record.
export const overviewEn = {
  tab: 'Overview',
  tabs: 'Pages of the record',
  details: 'Details',
  numbers: 'Last {{count}} days',
  related: 'What belongs to it',
  noRows: 'None yet.',
  tasks: 'To do',
  noTasks: 'Nothing needs attention.',
  unapproved: 'Not approved',
  approve: 'Review and approve',
  changes: 'Recent changes',
  leads: 'Leads on to',
  links: 'Links and postbacks',
  test: 'Test',
  trace: 'Trace',
} as const
