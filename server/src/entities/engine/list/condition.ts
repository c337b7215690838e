// Compiles a list filter to SQL: paths become semi-joins, values become typed parameters. Hidden fields are rejected as unknown; rows out of
// scope do not match.

import type { Entity } from '@tributary/contract/entity'
import type { Field, ReferencesField } from '@tributary/contract/field'
import { operatorsOf, readFilterValue } from '@tributary/contract/filter'
import type { Condition, Operator } from '@tributary/contract/list-query'
import type { Issue } from '@tributary/contract/validate'
import { sql } from 'kysely'
import { AppError } from '../../../lib/app-error.ts'
import {
  column,
  columnOf,
  entityNamed,
  type Fragment,
  fieldsOf,
  isStored,
  type StoredField,
  tableOf,
  typed,
  typeOf,
} from '../model/model.ts'
import { isVisible, mayView, type RequestContext, scopeOfNamed } from '../model/request-context.ts'
import { readSpan, type Span } from './filter-value.ts'

/** Maximum number of steps in a path. Screens use fewer; longer paths are rejected because they cost too much. */
const DEPTH = 5

/** 422 `invalid` on a query parameter. */
export const invalidParameter = (key: string, issue: Issue['key']): AppError =>
  new AppError('invalid', { issues: { [key]: [{ key: issue }] } })

/** Conjunction of the defined parts; true if there are none. */
export const and = (parts: readonly (Fragment | undefined)[]): Fragment => {
  const given = parts.filter((part) => part !== undefined)
  return given.length === 0 ? sql`true` : sql`(${sql.join(given, sql` and `)})`
}

interface Test {
  readonly key: string
  readonly path: string
  readonly operator: Operator
  readonly values: readonly string[]
  readonly zone: string
}

/** Compiles one condition on rows under `alias`. `zone`: IANA zone of business days. Throws `invalid`. */
export function compileCondition(
  context: RequestContext,
  root: Entity,
  condition: Condition,
  alias: string,
  zone: string,
): Fragment {
  const key = `filter[${condition.path}]`
  if (condition.values.some((value) => value.includes('\0'))) throw invalidParameter(key, 'control_characters')
  const [head = '', ...rest] = condition.path.split('.')
  const others = rest.length === 0 ? otherChoices(fieldsOf(root).get(head), condition) : undefined
  if (others !== undefined)
    return compilePath(context, root, alias, [head], { ...condition, operator: 'in', values: others, key, zone })
  const found = compilePath(context, root, alias, [head, ...rest], { ...condition, key, zone })
  return condition.operator === 'nin'
    ? negate(found, rest.length === 0 && isNeverNull(fieldsOf(root).get(head)))
    : found
}

const isNeverNull = (field: Field | undefined): boolean => field?.required === true || field?.kind === 'boolean'

/** Options that `nin` does not exclude from a required choice. As an `in` condition they can use an index. */
function otherChoices(field: Field | undefined, { operator, values }: Condition): readonly string[] | undefined {
  if (operator !== 'nin' || field === undefined || !isNeverNull(field)) return undefined
  const options = field.kind === 'choice' ? field.options : field.kind === 'boolean' ? ['0', '1'] : undefined
  if (options === undefined || !values.every((value) => options.includes(value))) return undefined
  return options.filter((option) => !values.includes(option))
}

/** Negates a condition. Rows without a value pass. */
const negate = (found: Fragment, isNeverEmpty: boolean): Fragment =>
  isNeverEmpty ? sql`not (${found})` : sql`not coalesce(${found}, false)`

function compilePath(
  context: RequestContext,
  entity: Entity,
  alias: string,
  path: readonly string[],
  test: Test,
): Fragment {
  const [head = '', ...rest] = path
  const field = findField(context, entity, head, test.key)
  if (rest.length === 0) return testField(context, entity, alias, head, field, test)
  const through = compileThroughPath(context, alias, head, field, rest, test)
  return sql`${through.own} in (${through.matches})`
}

/** Condition through other rows: a column of the list, and a select of the values that it may have. */
interface ReferencedRows {
  readonly own: Fragment
  readonly matches: Fragment
}

/** Like compileCondition, but in two parts; undefined if the condition is on the row itself. */
export function compileReferencedRows(
  context: RequestContext,
  root: Entity,
  condition: Condition,
  alias: string,
  zone: string,
): ReferencedRows | undefined {
  const [head = '', ...rest] = condition.path.split('.')
  const key = `filter[${condition.path}]`
  const field = fieldsOf(root).get(head)
  const test = { ...condition, key, zone }
  if (field === undefined || condition.values.some((value) => value.includes('\0'))) return undefined
  if (rest.length > 0) return compileThroughPath(context, alias, head, findField(context, root, head, key), rest, test)
  if (!operatorsOf(field).includes(condition.operator)) return undefined
  findField(context, root, head, key)
  if (field.kind === 'reference' && condition.operator === 'like')
    return compileThroughPath(context, alias, head, field, [entityNamed(field.to).title], test)
  return field.kind === 'references' ? compileThroughJoin(context, alias, field, test) : undefined
}

function compileThroughPath(
  context: RequestContext,
  alias: string,
  head: string,
  field: Field,
  rest: readonly string[],
  test: Test,
): ReferencedRows {
  const inner = `${alias}_`
  if (inner.length > DEPTH) throw invalidParameter(test.key, 'unknown_field')
  const descend = (target: Entity): Fragment =>
    and([compilePath(context, target, inner, rest, test), context.scopeOf(target, inner)])
  if (field.kind === 'reference') {
    const target = entityNamed(field.to)
    return {
      own: column(alias, columnOf(head, field)),
      matches: sql`select ${column(inner, 'id')} from ${tableOf(target)} as ${sql.id(inner)} where ${descend(target)}`,
    }
  }
  if (field.kind === 'references') {
    const target = entityNamed(field.to)
    const { table, own, other } = field.through
    return {
      own: column(alias, 'id'),
      matches: sql`select ${column('j', own)} from ${sql.id(table)} as j join ${tableOf(target)} as ${sql.id(inner)} on ${column(inner, 'id')} = ${column('j', other)} where ${descend(target)}`,
    }
  }
  if (field.kind === 'children') {
    const target = entityNamed(field.of)
    return {
      own: column(alias, 'id'),
      matches: sql`select ${column(inner, `${field.by}_id`)} from ${tableOf(target)} as ${sql.id(inner)} where ${descend(target)}`,
    }
  }
  throw invalidParameter(test.key, 'unknown_field')
}

/** Ids out of scope match nothing, so that they reveal nothing. */
function compileThroughJoin(
  context: RequestContext,
  alias: string,
  field: ReferencesField,
  test: Test,
): ReferencedRows {
  const { table, own, other } = field.through
  const target = entityNamed(field.to)
  const inner = `${alias}_`
  const scope = scopeOfNamed(context, target, inner)
  const visible =
    scope &&
    sql` and ${column('j', other)} in (select ${column(inner, 'id')} from ${tableOf(target)} as ${sql.id(inner)} where ${scope})`
  return {
    own: column(alias, 'id'),
    matches: sql`select ${column('j', own)} from ${sql.id(table)} as j where ${column('j', other)} = any(${ids(field, test)})${visible ?? sql``}`,
  }
}

function findField(context: RequestContext, entity: Entity, name: string, key: string): Field {
  const field = fieldsOf(entity).get(name)
  if (field === undefined || field.unfiltered || !isVisible(context, field) || !mayQueryField(context, entity, name)) {
    throw invalidParameter(key, 'unknown_field')
  }
  return field
}

/**
 * True if the caller may filter and sort by the field. Without view access to the entity only fields of look-ups are allowed, because filters
 * reveal values by trial.
 */
export function mayQueryField(context: RequestContext, entity: Entity, name: string): boolean {
  if (mayView(context, entity)) return true
  const isLabel = name === 'id' || name === 'active' || name === entity.title || entity.label?.includes(name) === true
  return isLabel || fieldsOf(entity).get(name)?.kind === 'reference'
}

function testField(
  context: RequestContext,
  entity: Entity,
  alias: string,
  name: string,
  field: Field,
  test: Test,
): Fragment {
  if (!operatorsOf(field).includes(test.operator))
    throw invalidParameter(`${test.key}[${test.operator}]`, 'unknown_operator')
  if (field.kind === 'reference' && test.operator === 'like') {
    const target = entityNamed(field.to)
    return compilePath(context, entity, alias, [name, target.title], { ...test, path: `${name}.${target.title}` })
  }
  if (field.kind === 'references') {
    const through = compileThroughJoin(context, alias, field, test)
    return sql`${through.own} in (${through.matches})`
  }
  if (field.kind === 'children') {
    const target = entityNamed(field.of)
    const inner = `${alias}_`
    const matches = and([sql`${column(inner, 'id')} = any(${ids(field, test)})`, context.scopeOf(target, inner)])
    return sql`${column(alias, 'id')} in (select ${column(inner, `${field.by}_id`)} from ${tableOf(target)} as ${sql.id(inner)} where ${matches})`
  }
  if (!isStored(field)) throw invalidParameter(test.key, 'unknown_field')
  const stored = column(alias, columnOf(name, field))
  if (field.kind === 'datetime') return testInstant(stored, test)
  if (field.kind === 'texts' || field.kind === 'choices') return testList(stored, field, test)
  return testScalar(entity, stored, field, test)
}

function readAll(field: Field, test: Test): (string | boolean)[] {
  return test.values.map((text) => {
    const value = readFilterValue(field, text)
    if (value === undefined)
      throw invalidParameter(
        test.key,
        field.kind === 'choice' || field.kind === 'choices' ? 'choice_unknown' : 'value_invalid',
      )
    return value
  })
}

const ids = (field: Field, test: Test): Fragment => typed(readAll(field, test), 'bigint[]')

function testScalar(entity: Entity, stored: Fragment, field: StoredField, test: Test): Fragment {
  const type = typeOf(field)
  switch (test.operator) {
    case 'like':
      return containsText(entity, stored, test.values[0] ?? '')
    case 'bwn':
      return testRange(stored, field, test)
    case 'gt':
      return sql`${stored} > ${typed(readAll(field, test)[0], type)}`
    case 'eq':
      return sql`${stored} = ${typed(readAll(field, test)[0], type)}`
    case 'in':
    case 'nin':
      return sql`${stored} = any(${typed(readAll(field, test), `${type}[]`)})`
  }
}

function testRange(stored: Fragment, field: StoredField, test: Test): Fragment {
  const [from = '', to = ''] = test.values
  const type = typeOf(field)
  const [low, high] = [from, to].map((text) =>
    text === '' ? undefined : readAll(field, { ...test, values: [text] })[0],
  )
  if (low !== undefined && high !== undefined && isReversed(field, String(low), String(high)))
    throw invalidParameter(test.key, 'dates_reversed')
  return and([
    low === undefined ? undefined : sql`${stored} >= ${typed(low, type)}`,
    high === undefined ? undefined : sql`${stored} <= ${typed(high, type)}`,
  ])
}

const isReversed = (field: StoredField, low: string, high: string): boolean => field.kind === 'date' && low > high

function testInstant(stored: Fragment, test: Test): Fragment {
  const spans = readSpans(test)
  const [first, second] = spans
  const after = (value: string): Fragment => sql`${stored} >= ${typed(value, 'timestamptz')}`
  const before = (value: string): Fragment => sql`${stored} < ${typed(value, 'timestamptz')}`
  if (test.operator === 'gt') return first === undefined ? sql`true` : after(first.until)
  if (test.operator === 'bwn') return and([first && after(first.from), second && before(second.until)])
  const within = spans.flatMap((span) => (span ? [and([after(span.from), before(span.until)])] : []))
  return within.length === 0 ? sql`false` : sql`(${sql.join(within, sql` or `)})`
}

/** Spans of the values that a timestamp is compared with; undefined for an open end of a range. Throws `invalid`. */
export function readSpans({ key, operator, values, zone }: Omit<Test, 'path'>): (Span | undefined)[] {
  const spans = values.map((text) => {
    if (text === '' && operator === 'bwn') return undefined
    const span = readSpan(text, zone)
    if (span === undefined) throw invalidParameter(key, 'date_invalid')
    return span
  })
  const [first, second] = spans
  if (operator === 'bwn' && first !== undefined && second !== undefined && first.from >= second.until)
    throw invalidParameter(key, 'dates_reversed')
  return spans
}

function testList(stored: Fragment, field: Field, test: Test): Fragment {
  if (test.operator === 'like') {
    return sql`exists (select from unnest(${stored}) as item where item ilike ${likePattern(test.values[0] ?? '')})`
  }
  return sql`${stored} && ${typed(readAll(field, test), 'text[]')}`
}

/** Condition: the text contains another one, in any case. Large lists are compared in lower case, as their trigram indexes are. */
export const containsText = (entity: Entity, stored: Fragment, text: string): Fragment =>
  entity.isLarge
    ? sql`lower(${stored}::text) like lower(${likePattern(text)})`
    : sql`${stored}::text ilike ${likePattern(text)}`

/** LIKE pattern that matches the text anywhere, with its wildcards escaped. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
