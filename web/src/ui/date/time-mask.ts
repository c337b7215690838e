// How a typed time becomes 'HH:MM'.

/** Sets the colon after two digits unless the last change deleted it. Text that is no beginning of a time stays as it is, so that it can be rejected. */
export function maskTime(typed: string, before: string): string {
  const [whole, hours = '', rest] = /^(\d{0,2})[:.\s]*(\d{0,2})/.exec(typed) ?? []
  if (whole !== typed) return typed
  const isDeleting = typed.length < before.length
  const hasColon = /[:.\s]/.test(typed) || (rest !== undefined && rest !== '') || (hours.length === 2 && !isDeleting)
  return hasColon && hours !== '' ? `${hours}:${rest ?? ''}` : hours
}

/** The time, '' for no text, or null while it is no time of a day. */
export function readTime(text: string): string | null {
  if (text === '') return ''
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  return hours !== '' && Number(hours) < 24 && Number(minutes) < 60 ? `${hours.padStart(2, '0')}:${minutes}` : null
}
