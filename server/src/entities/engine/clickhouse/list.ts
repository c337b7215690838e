// Lists rows of ClickHouse like rows of PostgreSQL. It finds a page by the key columns first, then reads only the rows of the page. Titles of
// references come from PostgreSQL.

import type { Entity } from '@tributary/contract/entity'
import { isGiven, type ListAnswer, type ListQuery, paginateList } from '@tributary/contract/list-query'
import { sql } from 'kysely'
import { scopeOptions } from '../../../clickhouse/client.ts'
import { isoOf } from '../../../clickhouse/statement.ts'
import { AppError } from '../../../lib/app-error.ts'
import { clickSource } from '../../rules/click.ts'
import { invalidParameter } from '../list/condition.ts'
import { compileReferencedOrder } from '../list/order.ts'
import { readSlice } from '../list/params.ts'
import { entityNamed, type Fragment, fieldsOf, type Row, tableOf } from '../model/model.ts'
import { isVisible, type RequestContext, readBusinessZone } from '../model/request-context.ts'
import { readReferences } from '../read/references.ts'
import { titleOf } from '../read/select-list.ts'
import { bindParam, type ClickhouseQuery, compileClickhouseCondition } from './condition.ts'
import type { ClickhouseSource, SourceColumn } from './source.ts'

const SOURCES: Readonly<Record<string, ClickhouseSource>> = { click: clickSource }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Reads one page of a ClickHouse list, within the time limit of the current scope. Throws `page_too_deep` or `invalid`. */
export async function listClickhouse(
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
): Promise<ListAnswer<Row>> {
  const slice = readSlice(query)
  const builder = await createClickhouseQuery(context, entity)
  const { source } = builder
  const where = await compileClickhouseWhere(builder, query)
  const order = await compileClickhouseOrder(builder, query)
  const names = readableColumns(builder)
  const find = async (part: PageClauses): Promise<Row[]> => {
    const rows = selectPage(source, selectColumns(source, names), part)
    const foundRows = await context.engines.clickhouse.table(rows, paramsIn(builder.params, rows), scopeOptions())
    return decodeRows(builder, names, foundRows.rows)
  }
  const wanted = { where, order: writeOrder(order), ...slice }
  const [first] = order
  if (first?.sql === source.key[0] && !isFilteredByTimeOnly(context, source, query)) {
    const { total, part } = await restrictToDays(builder, wanted, first.desc)
    const items = part === undefined ? [] : await find(part)
    return { items, pagination: paginateList(query.page, query.limit, total) }
  }
  const [counted, items] = await Promise.all([
    context.engines.clickhouse.query<{ total: number }>(
      `select count() as total from ${source.table} where ${where}`,
      paramsIn(builder.params, where),
      scopeOptions(),
    ),
    find(wanted),
  ])
  return { items, pagination: paginateList(query.page, query.limit, counted[0]?.total ?? 0) }
}

/** Compiled clauses of a page; `size` and `offset` in rows. */
interface PageClauses {
  readonly where: string
  readonly order: string
  readonly size: number
  readonly offset: number
}

function selectPage(
  { table, key }: ClickhouseSource,
  columns: string,
  { where, order, size, offset }: PageClauses,
): string {
  const keys = key.join(', ')
  const page = `select ${keys} from ${table} where ${where} order by ${order} limit ${size} offset ${offset}`
  return `select ${columns} from ${table} where (${keys}) in (${page}) order by ${order}`
}

/** True if only the sort key is filtered: ClickHouse then counts from its index without reading rows. */
const isFilteredByTimeOnly = (
  { partners }: RequestContext,
  { key }: ClickhouseSource,
  { conditions, query }: ListQuery,
): boolean => partners === null && query === '' && conditions.every(({ path }) => path === key[0])

/** Counts rows per day and restricts the page to its days: otherwise a rare value or a deep page reads most of the table. */
async function restrictToDays(
  { context, source, params }: ClickhouseQuery,
  wanted: PageClauses,
  isDesc: boolean,
): Promise<{ total: number; part: PageClauses | undefined }> {
  const { table, day } = source
  const { where, size, offset } = wanted
  const direction = isDesc ? 'desc' : 'asc'
  const statement = `select ${day} as name, count() as rows from ${table} where ${where} group by name order by name ${direction}`
  const { clickhouse } = context.engines
  const days = await clickhouse.query<{ name: string; rows: number }>(
    statement,
    paramsIn(params, statement),
    scopeOptions(),
  )
  const names: string[] = []
  let before = 0
  let total = 0
  for (const { name, rows } of days) {
    if (total + rows <= offset) before += rows
    else if (total < offset + size) names.push(`'${name}'`)
    total += rows
  }
  if (names.length === 0) return { total, part: undefined }
  // Sorting by day first keeps pages free of gaps and overlaps even if `day` was computed in another time zone.
  const part = {
    where: `${day} in (${names.join(', ')}) and (${where})`,
    order: `${day} ${direction}, ${wanted.order}`,
    size,
    offset: offset - before,
  }
  return { total, part }
}

/** Reads one row. Throws `not_found` if it is absent or out of scope. */
export async function readClickhouse(context: RequestContext, entity: Entity, id: string): Promise<Row> {
  if (!UUID.test(id)) throw new AppError('not_found')
  const builder = await createClickhouseQuery(context, entity)
  const where = await compileClickhouseWhere(builder, {
    conditions: [{ path: 'id', operator: 'eq', values: [id] }],
    query: '',
  })
  const names = readableColumns(builder)
  const statement = `select ${selectColumns(builder.source, names)} from ${builder.source.table} where ${where} limit 1`
  const [values] = (await context.engines.clickhouse.table(statement, builder.params, scopeOptions())).rows
  if (values === undefined) throw new AppError('not_found')
  const [row] = await decodeRows(builder, names, [values])
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Begins a query of an entity that is stored in ClickHouse. Throws Error for any other entity. */
export async function createClickhouseQuery(context: RequestContext, entity: Entity): Promise<ClickhouseQuery> {
  const source = SOURCES[entity.name]
  if (source === undefined) throw new Error(`${entity.name} has no source in ClickHouse`)
  const { db } = context.engines.postgres
  return { db, context, entity, source, zone: await readBusinessZone(db), params: {} }
}

/**
 * SQL conditions of the filters, the search text and the rows that the caller may see. Throws `invalid` like `compileClickhouseCondition`.
 */
export async function compileClickhouseWhere(
  builder: ClickhouseQuery,
  query: Pick<ListQuery, 'conditions' | 'query'>,
): Promise<string> {
  const parts: string[] = []
  if (builder.context.partners !== null)
    parts.push(`partner_id in ${bindParam(builder, builder.context.partners, 'Array(UInt32)')}`)
  for (const condition of query.conditions) {
    if (isGiven(condition)) parts.push(`(${await compileClickhouseCondition(builder, condition)})`)
  }
  if (query.query !== '') parts.push(await compileSearch(builder, query.query))
  return parts.join(' and ') || '1'
}

/** Matches the id if the text is a UUID, otherwise any searched text field. */
async function compileSearch(builder: ClickhouseQuery, text: string): Promise<string> {
  if (UUID.test(text)) return compileClickhouseCondition(builder, { path: 'id', operator: 'eq', values: [text] })
  const names = [...fieldsOf(builder.entity)].filter(
    ([name, field]) => field.searched && isVisible(builder.context, field) && name in builder.source.columns,
  )
  const parts = await Promise.all(
    names.map(([path]) => compileClickhouseCondition(builder, { path, operator: 'like', values: [text] })),
  )
  return parts.length === 0 ? '0' : `(${parts.join(' or ')})`
}

/** An expression by which rows are sorted. */
export interface OrderKey {
  readonly sql: string
  readonly desc: boolean
  /** ClickHouse type of a parameter compared with the key. */
  readonly type: string
}

/** SQL after ORDER BY. */
export const writeOrder = (keys: readonly OrderKey[]): string =>
  keys.map((key) => `${key.sql} ${key.desc ? 'desc' : 'asc'}`).join(', ')

const typeOfKey = ({ type }: SourceColumn): string => (type === 'DateTime64' ? "DateTime64(3, 'UTC')" : type)

/** Compiles the order. The table's key comes last, so that the order is total. */
export async function compileClickhouseOrder(builder: ClickhouseQuery, { order }: ListQuery): Promise<OrderKey[]> {
  const { source, entity } = builder
  const sort =
    order.length > 0 ? order : [{ path: entity.list.sort?.by ?? source.key[0], desc: entity.list.sort?.desc ?? true }]
  const keys: OrderKey[] = []
  for (const { path, desc } of sort) {
    // UUIDv7 values grow with time, but ClickHouse does not compare UUIDs bytewise.
    if (path === 'id') keys.push(...source.key.map((name) => keyOf(source, name, desc)))
    else keys.push({ ...(await compileSortKey(builder, path)), desc })
  }
  const desc = sort.at(-1)?.desc ?? true
  for (const name of source.key) if (!keys.some(({ sql: key }) => key === name)) keys.push(keyOf(source, name, desc))
  return keys
}

function keyOf({ columns }: ClickhouseSource, name: string, desc: boolean): OrderKey {
  const column = columns[name]
  if (column === undefined) throw new Error(`the key ${name} is no column of the source`)
  return { sql: name, desc, type: typeOfKey(column) }
}

/** Compiles a sort key. For references, PostgreSQL ranks the ids by title. */
async function compileSortKey(builder: ClickhouseQuery, path: string): Promise<Pick<OrderKey, 'sql' | 'type'>> {
  const [head = '', ...rest] = path.split('.')
  const field = fieldsOf(builder.entity).get(head)
  const column = builder.source.columns[head]
  if (field === undefined || column === undefined || !isVisible(builder.context, field))
    throw invalidParameter(`order[${path}]`, 'unknown_field')
  if (rest.length > 0 && field.kind !== 'reference') throw invalidParameter(`order[${path}]`, 'unknown_field')
  if (field.kind === 'text') return { sql: `lowerUTF8(${column.sql})`, type: 'String' }
  if (field.kind !== 'reference') return { sql: column.sql, type: typeOfKey(column) }
  const target = entityNamed(field.to)
  const inner =
    rest.length > 0 ? compileReferencedOrder(builder.context, target, path, rest.join('.')) : titleOrder(target)
  const statement = sql<{ id: number }>`select t.id from ${tableOf(target)} as t order by ${inner}`
  const ids = (await statement.execute(builder.db)).rows.map((row) => row.id)
  const ranks = ids.map((_, index) => index + 1)
  const list = (values: number[]): string => bindParam(builder, values, 'Array(UInt32)')
  return { sql: `transform(${column.sql}, ${list(ids)}, ${list(ranks)}, toUInt32(0))`, type: 'UInt32' }
}

const titleOrder = (target: Entity): Fragment => sql`lower(${sql.raw(titleOf(target, 't'))}), t.id`

/** The parameters that the statement uses; ClickHouse rejects unused ones. */
export const paramsIn = (params: Readonly<Record<string, unknown>>, statement: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([name]) => statement.includes(`{${name}:`)))

/** Names of the columns that the caller may see. */
export const readableColumns = ({ entity, source, context }: ClickhouseQuery): string[] =>
  [...fieldsOf(entity)].flatMap(([name, field]) => (name in source.columns && isVisible(context, field) ? [name] : []))

/** SQL of the named columns, followed by the extra ones of the source. */
export const selectColumns = (source: ClickhouseSource, names: readonly string[]): string =>
  [...names.map((name) => source.columns[name]?.sql ?? name), ...source.extra].join(', ')

const ZERO = '00000000-0000-0000-0000-000000000000'

/** Rows with values as the API answers them. `foundRows` are arrays in the order of `names`; titles of references come from PostgreSQL. */
export async function decodeRows(
  builder: ClickhouseQuery,
  names: readonly string[],
  foundRows: readonly (readonly unknown[])[],
): Promise<Row[]> {
  const { source, db, context } = builder
  const rows = foundRows.map((values) =>
    Object.fromEntries(names.map((name, index) => [name, decode(source.columns[name]?.type, values[index])])),
  )
  const extra = foundRows.map((values) => values.slice(names.length))
  await source.derive(db, rows, extra, context)
  await addTitles(builder, rows)
  return rows
}

function decode(type: string | undefined, value: unknown): unknown {
  if (type === 'UInt8') return Number(value) === 1
  if (type === 'DateTime64') return isoOf(String(value))
  return value === '' || value === 0 || value === ZERO ? null : value
}

async function addTitles({ db, context, entity }: ClickhouseQuery, rows: readonly Row[]): Promise<void> {
  for (const [name, field] of fieldsOf(entity)) {
    if (field.kind !== 'reference' || !isVisible(context, field)) continue
    const ids = [...new Set(rows.flatMap((row) => (typeof row[name] === 'number' ? [row[name]] : [])))]
    const references = await readReferences(db, context, entityNamed(field.to), ids)
    for (const row of rows) if (row[name] !== null) row[name] = references.get(row[name]) ?? null
  }
}
