// What the CRM answered about an invoice.

/** Why the CRM rejected it, or the CRM's id. */
export function reasonOf(response: unknown): string | null {
  if (typeof response !== 'object' || response === null) return null
  const { reason, error, id } = response as { reason?: unknown; error?: unknown; id?: unknown }
  const text = reason ?? error
  if (typeof text === 'string') return text
  return typeof id === 'string' || typeof id === 'number' ? `№ ${id}` : null
}
