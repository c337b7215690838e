// Filter operators of each field kind, and the kinds a list can be sorted by. Server, filter panel and OpenAPI use it.
import type { Field, FieldKind } from './field.ts'
import type { Operator } from './list-query.ts'

const TEXT = ['eq', 'in', 'nin', 'like'] as const
const ORDERED = ['eq', 'in', 'nin', 'bwn', 'gt'] as const
const CHOSEN = ['eq', 'in', 'nin'] as const

export const OPERATORS_OF: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text: TEXT,
  uuid: TEXT,
  texts: TEXT,
  integer: [...ORDERED, 'like'],
  decimal: ORDERED,
  date: ORDERED,
  datetime: ORDERED,
  boolean: CHOSEN,
  choice: CHOSEN,
  choices: CHOSEN,
  /** `like` searches the title of the referenced row. */
  reference: [...CHOSEN, 'gt', 'like'],
  references: CHOSEN,
  children: CHOSEN,
  json: [],
  derived: [],
}

/** Operators that a field accepts. */
export const operatorsOf = ({ kind, whole }: Pick<Field, 'kind' | 'whole'>): readonly Operator[] =>
  whole ? OPERATORS_OF[kind].filter((operator) => operator !== 'like') : OPERATORS_OF[kind]

export const SORTED_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>([
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
