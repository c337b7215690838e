// What a change did to a field, as a line of a list: 'Cost: 30.00 → 35.00'; of a created or deleted record, 'Cost: 30.00'.
import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import type { Language } from '@tributary/contract/language'
import { formatMonth, isMonth } from '@tributary/contract/period'
import { choiceLabel, fieldLabel, type Words } from '@tributary/contract/words/entity-words'
import { dayText } from './day-text.ts'

/** Longer values are cut; the panel of the change shows all. */
const VALUE_LENGTH = 40
const NOTHING = '–'
/** Behind the second decimal. */
const UNNEEDED_ZEROS = /(\.\d\d\d*?)0+$/

/** Whose words name the fields. */
export interface ChangeWords {
  readonly words: Words
  readonly language: Language
}

/** The changed field with its values; only its name if a line cannot show them. A created or deleted record has one value of each field. */
export function describeChange(
  { words, language }: ChangeWords,
  name: EntityName,
  field: Field,
  change: HistoryEntry['changes'][number],
  action: HistoryEntry['action'],
): string {
  const label = fieldLabel(words, name, change.field)
  const choice = (option: unknown) => choiceLabel(words, name, change.field, String(option))
  const textOf = (value: unknown): string | null => {
    const parts = Array.isArray(value) ? value : [value]
    const texts = parts.map((part) => valueText(field, part, { words, language, choice }))
    return texts.some((text) => text === null) ? null : texts.join(', ') || NOTHING
  }
  const [before, after] = [textOf(change.before), textOf(change.after)]
  if (action !== 'update') {
    const only = action === 'delete' ? before : after
    return only === null ? label : `${label}: ${cut(only)}`
  }
  return before === null || after === null ? label : `${label}: ${cut(before)} → ${cut(after)}`
}

const cut = (text: string): string =>
  text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH - 1).trimEnd()}…` : text

interface ValueWords extends ChangeWords {
  readonly choice: (option: unknown) => string
}

/** Null if a line cannot show the value: a moment needs a time zone, and JSON has no words. */
function valueText(field: Field, value: unknown, { words, language, choice }: ValueWords): string | null {
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'boolean') return value ? words.common.values.yes : words.common.values.no
  if (typeof value === 'object') return 'title' in value ? String(value.title) : null
  if (field.kind === 'datetime' || field.kind === 'json') return null
  if (field.kind === 'choice' || field.kind === 'choices') return choice(value)
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
  if (field.kind === 'date') return field.isMonth === true ? formatMonth(text, language) : dayText(text, language)
  if (field.kind === 'decimal') return text.replace(UNNEEDED_ZEROS, '$1')
  return field.kind === 'text' && isMonth(text) ? formatMonth(text, language) : text
}
