// English words of forms beyond their fields: files, presence, testers, links.
export const formsEn = {
  uploadHint: '{{types}}, up to {{size}} MB',
  uploadRemove: 'Remove “{{name}}”',
  uploadProgress: 'Sent: {{percent}}%',
  uploadSize: '{{size}} MB',
  both: 'Both',
  rowsAdded_one: '{{count}} row added',
  rowsAdded_other: '{{count}} rows added',
  rowsChanged_one: '{{count}} changed',
  rowsChanged_other: '{{count}} changed',
  rowsRemoved_one: '{{count}} removed',
  rowsRemoved_other: '{{count}} removed',
} as const
