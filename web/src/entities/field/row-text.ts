// Rows, options and values as text, for questions, messages and chips.

import type { EntityName } from '@tributary/contract/entities/registry'
import { formatDay, formatMonth } from '@tributary/contract/period'
import type { LookupOption } from '../../data/lookup.ts'
import { roleTitle } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { isolate, joinTexts } from '../../lib/isolate.ts'
import { entityOf, fieldAt, valueAt } from './field-at.ts'

/** Any JSON value of a row as text. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : `${value as number | boolean | undefined}`
}

type Labelled = { readonly title: string } & Readonly<Record<string, unknown>>

/**
 * The label of an option or a referenced row: a country with a media ID as `Title [media ID]`, others as `Title · value`. The entity
 * declares further fields of the label; an empty value is a dash, one that is hidden from the reader is left out.
 */
export function labelOption(name: EntityName, option: LookupOption | Labelled): string {
  const { label = [], fields } = entityOf(name)
  const title = name === 'user_role' ? roleTitle(option.title) : option.title
  const parts = label.filter((field) => fields[field]?.kind === 'text')
  const values = option as Readonly<Record<string, unknown>>
  return parts.reduce(
    (text, field) => {
      const value = values[field]
      if (value === undefined) return text
      const shown = value === null || value === '' ? '–' : plainText(value)
      return field === 'media_id' ? `${text} [${shown}]` : `${text} · ${isolate(shown)}`
    },
    parts.length === 0 ? title : isolate(title),
  )
}

/** What names a row in questions and messages: the fields that the entity declares for it, or its title. */
export function rowTitle(name: EntityName, row: Readonly<Record<string, unknown>>): string {
  const { title, namedBy = [] } = entityOf(name)
  const parts = namedBy.flatMap((path) =>
    path === 'id' ? recordNumber(plainText(row.id)) : (partOf(name, row, path) ?? []),
  )
  return parts.length > 1 ? joinTexts(parts) : (partOf(name, row, title) ?? `#${plainText(row.id)}`)
}

function partOf(name: EntityName, row: Readonly<Record<string, unknown>>, path: string): string | null {
  const value = valueAt(row, path)
  const field = fieldAt(name, path)?.field
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'object' && 'title' in value) return plainText(value.title)
  if (typeof value !== 'string') return plainText(value)
  if (name === 'user_role' && path === 'title') return roleTitle(value)
  if (field?.kind === 'date' && field.isMonth !== true) return formatDay(value)
  const isMonth = field?.kind === 'date' || (field?.kind === 'text' && field.format === 'month')
  return isMonth ? formatMonth(value, currentLanguage()) : value
}

/** The parts of '-1234.50 EUR', whose minus may be a true one. */
export function splitAmount(text: string): { readonly amount: string; readonly currency: string } {
  const [amount = '', ...currency] = text.replace('\u2212', '-').split(' ')
  return { amount, currency: currency.join(' ') }
}
