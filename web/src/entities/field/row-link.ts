// Addresses of rows: their form, their overview, and their panel above the list.
import type { EntityName } from '@tributary/contract/entities/registry'
import { entityOf } from './field-at.ts'

/** The address parameter of a list that names the row in the side panel. */
export const PANEL_PARAM = 'row'

/** The fragment of a list's address that opens the dialog for a new row. */
export const CREATE_HASH = 'create'

/** The address of a row: its form, or a side panel above the list if the entity has no form. */
export function editPath(name: EntityName, id: number | string): string | null {
  const { route, form } = entityOf(name)
  return route === null || form.length === 0 ? null : `${route}/${id}/edit`
}

/** The address at which a row opens: its overview, its form if it has none, or where another screen shows it. */
export function recordPath(name: EntityName, id: number | string): string | null {
  const { route, hasOverview, shownAt } = entityOf(name)
  if (shownAt !== undefined) return shownAt + id
  return hasOverview === true ? `${route}/${id}` : editPath(name, id)
}

/** The address of the current list with the row's panel open. */
export function panelPath(href: string, id: number | string): string {
  const [path = '', query = ''] = href.split('#')[0]?.split('?') ?? []
  const params = new URLSearchParams(query)
  params.set(PANEL_PARAM, String(id))
  return `${path}?${params.toString()}`
}
