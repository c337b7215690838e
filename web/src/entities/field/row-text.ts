// Rows, options and values as text, for questions, messages and chips.

import type { EntityName } from '@tributary/contract/entities/registry'
import { formatMonth } from '@tributary/contract/period'
import type { LookupOption } from '../../data/lookup.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { entityOf } from './field-at.ts'

/** Any JSON value of a row as text. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : `${value as number | boolean | undefined}`
}

type Labelled = { readonly title: string } & Readonly<Record<string, unknown>>

/**
 * The label of an option or a referenced row: a country with a media ID as `Title [media ID]`, others as `Title · value`. The entity
 * declares further fields of the label; an absent value is a dash.
 */
export function labelOption(name: EntityName, option: LookupOption | Labelled): string {
  const { label = [], fields } = entityOf(name)
  const parts = label.filter((field) => fields[field]?.kind === 'text')
  const values = option as Readonly<Record<string, unknown>>
  return parts.reduce((text, field) => {
    const value = values[field]
    const shown = value === null || value === undefined || value === '' ? '–' : plainText(value)
    return field === 'media_id' ? `${text} [${shown}]` : `${text} · ${shown}`
  }, option.title)
}

export function rowTitle(name: EntityName, row: Readonly<Record<string, unknown>>): string {
  const { title, fields } = entityOf(name)
  const value = row[title]
  const field = fields[title]
  const showsMonth =
    field?.kind === 'date' ? field.isMonth === true : field?.kind === 'text' && field.format === 'month'
  if (showsMonth && typeof value === 'string') return formatMonth(value, currentLanguage())
  if (typeof value === 'object' && value !== null && 'title' in value) return plainText(value.title)
  return value === null || value === undefined || value === '' ? `#${plainText(row.id)}` : plainText(value)
}
