// Where a row opens: its form, or a side panel over the list where the entity has no form of its own.
import type { EntityName } from '@tributary/contract/entities/registry'
import { entityOf } from './field-at.ts'

/** The parameter of a list's address that names the row in the side panel. */
export const PANEL_KEY = 'row'

export function editPath(name: EntityName, id: number | string): string | null {
  const { route, form } = entityOf(name)
  return route === null || form.length === 0 ? null : `${route}/${id}/edit`
}

/** The address of the present list with the row's panel open. */
export function panelPath(href: string, id: number | string): string {
  const [path = '', query = ''] = href.split('#')[0]?.split('?') ?? []
  const params = new URLSearchParams(query)
  params.set(PANEL_KEY, String(id))
  return `${path}?${params.toString()}`
}
