// English words of forms beyond their fields: files, presence, testers, links.
export const formsEn = {
  uploadHint: '{{types}}, up to {{size}} MB',
  uploadRemove: 'Remove “{{name}}”',
  uploadProgress: 'Sent: {{percent}}%',
  uploadSize: '{{size}} MB',
} as const
