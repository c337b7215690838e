// Addresses of lists for alerts: the path of the screen, with the conditions under which it shows what the alert counts.
import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'

/** Conditions in the grammar of lists, by key: 'filter[state][in]': 'unapproved'. */
export function listAddress(entity: EntityName, conditions: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(conditions).map(([key, value]) => [`filter${key}`, value]))
  return `${ENTITIES[entity].route ?? ''}?${query.toString()}`
}
