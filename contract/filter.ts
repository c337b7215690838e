// Defines the filter operators of each field kind, and the kinds that a list can be sorted by.
import type { Field, FieldKind } from './field.ts'
import type { Operator } from './list-query.ts'

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
