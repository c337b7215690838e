// What a row is called in questions and messages.
import type { EntityName } from '@tributary/contract/entities/registry'
import { entityOf } from './field-at.ts'
import { plainText } from './plain-text.ts'

export function rowTitle(name: EntityName, row: Readonly<Record<string, unknown>>): string {
  const value = row[entityOf(name).title]
  if (typeof value === 'object' && value !== null && 'title' in value) return plainText(value.title)
  return value === null || value === undefined || value === '' ? `#${plainText(row.id)}` : plainText(value)
}
