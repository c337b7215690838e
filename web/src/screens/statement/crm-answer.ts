// What the CRM answered about an invoice.

import { recordNumber } from '../../i18n/record-number.ts'

const fieldsOf = (response: unknown): Readonly<Record<string, unknown>> =>
  typeof response === 'object' && response !== null ? { ...response } : {}

/** The CRM's number of the request. */
export function numberOf(response: unknown): string | null {
  const { id } = fieldsOf(response)
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}

/** Why the CRM rejected it, or the CRM's number. */
export function reasonOf(response: unknown): string | null {
  const { reason, error } = fieldsOf(response)
  const text = reason ?? error
  if (typeof text === 'string') return text
  const number = numberOf(response)
  return number === null ? null : `CRM ${recordNumber(number)}`
}
