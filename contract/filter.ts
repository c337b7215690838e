// Defines the filter operators of each field kind, the values that a filter can hold, and the kinds that a list can be sorted by.
import type { Field, FieldKind } from './field.ts'
import type { Condition, Operator } from './list-query.ts'
import { firstDayOf, isDay, isMonth } from './period.ts'

const TEXT = ['eq', 'in', 'nin', 'like'] as const
const ORDERED = ['eq', 'in', 'nin', 'bwn', 'gt'] as const
const EXACT = ['eq', 'in', 'nin'] as const

export const OPERATORS_BY_KIND: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text: TEXT,
  uuid: TEXT,
  texts: TEXT,
  integer: [...ORDERED, 'like'],
  decimal: ORDERED,
  date: ORDERED,
  datetime: ORDERED,
  boolean: EXACT,
  choice: EXACT,
  choices: EXACT,
  /** `like` searches the title of the referenced row. */
  reference: [...EXACT, 'gt', 'like'],
  references: EXACT,
  children: EXACT,
  json: [],
  derived: [],
}

/** Operators that a field accepts. */
export const operatorsOf = ({ kind, whole }: Pick<Field, 'kind' | 'whole'>): readonly Operator[] =>
  whole ? OPERATORS_BY_KIND[kind].filter((operator) => operator !== 'like') : OPERATORS_BY_KIND[kind]

export const SORTABLE_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'text',
  'uuid',
  'integer',
  'decimal',
  'date',
  'datetime',
  'boolean',
  'choice',
  'reference',
])

const WHOLE = /^-?\d{1,18}$/
const DECIMAL = /^-?\d{1,18}(\.\d{1,10})?$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TRUE = new Set(['1', 'true'])
const FALSE = new Set(['0', 'false'])
/** An ISO 8601 time to the minute or finer; without an offset it is of the business zone. */
export const INSTANT = /^(?!0000)\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?$/

/** The value of a filter text as a parameter of the record; undefined if it does not fit the field's type. */
export function readFilterValue(field: Field, text: string): string | boolean | undefined {
  switch (field.kind) {
    case 'integer':
    case 'reference':
    case 'references':
    case 'children':
      return WHOLE.test(text) ? text : undefined
    case 'decimal':
      return DECIMAL.test(text) ? text : undefined
    case 'boolean':
      return TRUE.has(text) ? true : FALSE.has(text) ? false : undefined
    case 'date': {
      const day = field.isMonth === true ? firstDayOf(text) : text
      return isDay(day) ? day : undefined
    }
    case 'uuid':
      return UUID.test(text) ? text.toLowerCase() : undefined
    case 'choice':
    case 'choices':
      return field.options.includes(text) ? text : undefined
    case 'text':
      return field.format === 'month' && !isMonth(text) ? undefined : text
    case 'texts':
    case 'datetime':
    case 'json':
    case 'derived':
      return text
  }
}

/** True if a filter on the field can hold the text. */
function isFilterValue(field: Field, operator: Operator, text: string): boolean {
  if (operator === 'like' || (operator === 'bwn' && text === '')) return true
  if (field.kind === 'datetime') return isDay(text) || INSTANT.test(text)
  return readFilterValue(field, text) !== undefined
}

/** The condition with those of its values that a filter on the field can hold; null if none is left, or the field has no such operator. */
export function keepFilterValues(field: Field, condition: Condition): Condition | null {
  const { operator, values } = condition
  if (!operatorsOf(field).includes(operator)) return null
  const kept = values.filter((text) => isFilterValue(field, operator, text))
  if (kept.length === values.length) return condition
  return operator === 'bwn' || kept.length === 0 ? null : { ...condition, values: kept }
}
