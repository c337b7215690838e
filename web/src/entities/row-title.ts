// What a row is called in questions and messages.
import type { EntityName } from '@tributary/contract/entities/registry'
import { entityOf } from './field-at.ts'

export function rowTitle(name: EntityName, row: Readonly<Record<string, unknown>>): string {
  const value = row[entityOf(name).title]
  if (typeof value === 'object' && value !== null && 'title' in value) return String(value.title)
  return value === null || value === undefined || value === '' ? `#${String(row.id)}` : String(value)
}
