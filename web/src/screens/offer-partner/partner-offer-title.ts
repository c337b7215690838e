// The name of a partner offer, which has no title of its own.
import type { Row } from '../../entities/list/list-query.ts'

const titleOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'title' in value ? String(value.title) : ''

export const partnerOfferTitle = (row: Row): string =>
  `${titleOf(row.offer)} × ${titleOf(row.partner)} · ${String(row.site_id)}`
