// English words of the schedules in the settings.
export const settingsEn = {
  changedBy: 'Last changed by {{name}}, {{at}}: {{fields}}',
  last: 'last {{at}}',
  lastFiles_one: 'last {{at}}, {{count}} file',
  lastFiles_other: 'last {{at}}, {{count}} files',
  lastMails: 'last {{at}}, emails: {{mails}}',
  never: 'has not run yet',
  running: 'running since {{at}}',
  next: 'next {{at}}',
  failed: 'it failed: {{reason}}',
  off: {
    not_set_up: 'does not run, because it is not set up',
    held: 'does not run while sending is held',
  },
} as const
