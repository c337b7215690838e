// Compiles a list filter to ClickHouse SQL with the operators and value syntax of PostgreSQL lists. A path through a reference is resolved to
// ids in PostgreSQL first.

import type { Entity } from '@tributary/contract/entity'
import { OPERATORS_BY_KIND, readFilterValue } from '@tributary/contract/filter'
import { type Condition, EMPTY_QUERY } from '@tributary/contract/list-query'
import { sql } from 'kysely'
import { AppError } from '../../../lib/app-error.ts'
import { invalidParameter, readSpans } from '../list/condition.ts'
import { compileWhere } from '../list/where.ts'
import { entityNamed, fieldsOf, tableOf } from '../model/model.ts'
import { type Db, isVisible, type RequestContext } from '../model/request-context.ts'
import { type ClickhouseSource, type SourceColumn, toClickhouseTime } from './source.ts'

/** A query under construction; `params` grows with each bound value. */
export interface ClickhouseQuery {
  readonly db: Db
  readonly context: RequestContext
  readonly entity: Entity
  readonly source: ClickhouseSource
  readonly zone: string
  /** Parameters of the statement; each condition adds its own. */
  readonly params: Record<string, unknown>
}

/** Adds a parameter to the query and returns its placeholder. `type` is a ClickHouse type. */
export function bindParam({ params }: Pick<ClickhouseQuery, 'params'>, value: unknown, type: string): string {
  const name = `p${Object.keys(params).length}`
  params[name] = value
  return `{${name}:${type}}`
}

/** SQL of a filter condition. Throws `invalid` that names an unknown or hidden field, an operator that it lacks, or a bad value. */
export async function compileClickhouseCondition(builder: ClickhouseQuery, condition: Condition): Promise<string> {
  const found = await compile(builder, condition)
  return condition.operator === 'nin' ? `not (${found})` : found
}

async function compile(builder: ClickhouseQuery, { path, operator, values }: Condition): Promise<string> {
  const key = `filter[${path}]`
  const [head = '', ...rest] = path.split('.')
  const field = fieldsOf(builder.entity).get(head)
  const column = builder.source.columns[head]
  if (field === undefined || column === undefined || field.unfiltered || !isVisible(builder.context, field)) {
    throw invalidParameter(key, 'unknown_field')
  }
  if (values.some((value) => value.includes('\0'))) throw invalidParameter(key, 'control_characters')
  if (field.kind === 'reference' && (rest.length > 0 || operator === 'like')) {
    const target = entityNamed(field.to)
    const inner = { path: rest.length > 0 ? rest.join('.') : target.title, operator, values }
    // `nin` is negated by the caller.
    const onTarget = { ...inner, operator: operator === 'nin' ? ('in' as const) : operator }
    const ids = await findIds(builder, target, onTarget).catch((error: unknown) => {
      throw namedAs(key, error)
    })
    return `${column.sql} in ${bindParam(builder, ids, 'Array(UInt32)')}`
  }
  if (rest.length > 0) throw invalidParameter(key, 'unknown_field')
  if (!OPERATORS_BY_KIND[field.kind].includes(operator))
    throw invalidParameter(`${key}[${operator}]`, 'unknown_operator')
  if (column.type === 'DateTime64') return compareInstants(builder, column, { path, operator, values })
  if (operator === 'like')
    return `positionCaseInsensitiveUTF8(toString(${column.sql}), ${bindParam(builder, values[0] ?? '', 'String')}) > 0`
  const read = values.map((text) => {
    const value = readFilterValue(field, text)
    if (value === undefined || isTooLarge(column, value))
      throw invalidParameter(key, field.kind === 'choice' ? 'choice_unknown' : 'value_invalid')
    return column.type === 'String' || column.type === 'UUID' ? value : Number(value)
  })
  return compareValues(builder, column, head, operator, read)
}

const isTooLarge = ({ type }: SourceColumn, value: string | boolean): boolean =>
  type === 'UInt32' && (Number(value) < 0 || Number(value) > 0xffff_ffff)

function compareValues(
  builder: ClickhouseQuery,
  column: SourceColumn,
  name: string,
  operator: Condition['operator'],
  read: (string | number | boolean)[],
): string {
  const { choices } = column
  if (choices !== undefined && operator !== 'gt') {
    const conditions = read.map((value) => choices[String(value)])
    if (conditions.every((condition) => condition !== undefined))
      return conditions.map((sql) => `(${sql})`).join(' or ') || '0'
  }
  if (operator === 'gt') return `${column.sql} > ${bindParam(builder, read[0], column.type)}`
  const isIn = `${column.sql} in ${bindParam(builder, read, `Array(${column.type})`)}`
  if (name !== 'id' || operator === 'nin') return isIn
  const times = read.map((id) => builder.source.timeOf(String(id)))
  return `${isIn} and ${builder.source.key[0]} in ${bindParam(builder, times, "Array(DateTime64(3, 'UTC'))")}`
}

function compareInstants(
  builder: ClickhouseQuery,
  column: SourceColumn,
  { path, operator, values }: Condition,
): string {
  const spans = readSpans({ key: `filter[${path}]`, operator, values, zone: builder.zone })
  const instant = (iso: string): string => bindParam(builder, toClickhouseTime(iso), "DateTime64(3, 'UTC')")
  const after = (iso: string): string => `${column.sql} >= ${instant(iso)}`
  const before = (iso: string): string => `${column.sql} < ${instant(iso)}`
  const [first, second] = spans
  if (operator === 'gt') return first === undefined ? '1' : after(first.until)
  if (operator === 'bwn')
    return [first && after(first.from), second && before(second.until)].filter(Boolean).join(' and ') || '1'
  const within = spans.flatMap((span) => (span ? [`(${after(span.from)} and ${before(span.until)})`] : []))
  return within.length === 0 ? '0' : `(${within.join(' or ')})`
}

/** Renames the parameter in an error of PostgreSQL's compiler to the one that the request sent. */
function namedAs(key: string, error: unknown): unknown {
  const issues = error instanceof AppError ? error.details.issues : undefined
  const [first] = Object.values(issues ?? {})
  return Array.isArray(first) ? new AppError('invalid', { issues: { [key]: first } }, { cause: error }) : error
}

async function findIds({ db, context }: ClickhouseQuery, target: Entity, condition: Condition): Promise<number[]> {
  const where = await compileWhere(db, context, target, { ...EMPTY_QUERY, conditions: [condition] })
  const { rows } = await sql<{ id: number }>`select t.id from ${tableOf(target)} as t where ${where}`.execute(db)
  return rows.map((row) => row.id)
}
