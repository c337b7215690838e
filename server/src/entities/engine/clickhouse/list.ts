// Lists rows of ClickHouse in the API of all lists. A page is found by its key columns first, then its rows are read whole. Titles of
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
import { readReferences } from '../read/row.ts'
import { titleOf } from '../read/select-list.ts'
import { bindParam, type ClickhouseQuery, compileClickhouseCondition } from './condition.ts'
import type { ClickhouseSource, SourceColumn } from './source.ts'

const SOURCES: Readonly<Record<string, ClickhouseSource>> = { click: clickSource }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** One page of a ClickHouse list, within the scope's time limit. Throws `page_too_deep` or `invalid`. */
export async function listClickhouse(
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
): Promise<ListAnswer<Row>> {
  const slice = readSlice(query)
  const asking = await createClickhouseQuery(context, entity)
  const { source } = asking
  const where = await compileClickhouseWhere(asking, query)
  const order = await compileClickhouseOrder(asking, query)
  const names = readableColumns(asking)
  const find = async (part: Part): Promise<Row[]> => {
    const rows = selectPage(source, selectColumns(source, names), part)
    const found = await context.engines.clickhouse.table(rows, paramsIn(asking.params, rows), scopeOptions())
    return decodeRows(asking, names, found.rows)
  }
  const wanted = { where, order: writeOrder(order), ...slice }
  const [first] = order
  if (first?.sql === source.key[0] && !isOfTimeAlone(context, source, query)) {
    const { total, part } = await locate(asking, wanted, first.desc)
    const items = part === undefined ? [] : await find(part)
    return { items, pagination: paginateList(query.page, query.limit, total) }
  }
  const [counted, items] = await Promise.all([
    context.engines.clickhouse.query<{ total: number }>(
      `select count() as total from ${source.table} where ${where}`,
      paramsIn(asking.params, where),
      scopeOptions(),
    ),
    find(wanted),
  ])
  return { items, pagination: paginateList(query.page, query.limit, counted[0]?.total ?? 0) }
}

/** Compiled clauses of a page; `size` and `offset` in rows. */
interface Part {
  readonly where: string
  readonly order: string
  readonly size: number
  readonly offset: number
}

function selectPage({ table, key }: ClickhouseSource, columns: string, { where, order, size, offset }: Part): string {
  const keys = key.join(', ')
  const page = `select ${keys} from ${table} where ${where} order by ${order} limit ${size} offset ${offset}`
  return `select ${columns} from ${table} where (${keys}) in (${page}) order by ${order}`
}

/** True if only the sort key is filtered: ClickHouse then counts from its index without reading rows. */
const isOfTimeAlone = (
  { partners }: RequestContext,
  { key }: ClickhouseSource,
  { conditions, query }: ListQuery,
): boolean => partners === null && query === '' && conditions.every(({ path }) => path === key[0])

/** Counts rows per day and restricts the page to its days: otherwise a rare value or a deep page reads most of the table. */
async function locate(
  { context, source, params }: ClickhouseQuery,
  wanted: Part,
  isDesc: boolean,
): Promise<{ total: number; part: Part | undefined }> {
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
  // By day first, so that pages join seamlessly also where days were cut in another time zone.
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
  const asking = await createClickhouseQuery(context, entity)
  const where = await compileClickhouseWhere(asking, {
    conditions: [{ path: 'id', operator: 'eq', values: [id] }],
    query: '',
  })
  const names = readableColumns(asking)
  const statement = `select ${selectColumns(asking.source, names)} from ${asking.source.table} where ${where} limit 1`
  const [values] = (await context.engines.clickhouse.table(statement, asking.params, scopeOptions())).rows
  if (values === undefined) throw new AppError('not_found')
  const [row] = await decodeRows(asking, names, [values])
  if (row === undefined) throw new AppError('not_found')
  return row
}

export async function createClickhouseQuery(context: RequestContext, entity: Entity): Promise<ClickhouseQuery> {
  const source = SOURCES[entity.name]
  if (source === undefined) throw new Error(`${entity.name} has no source in ClickHouse`)
  const { db } = context.engines.postgres
  return { db, context, entity, source, zone: await readBusinessZone(db), params: {} }
}

export async function compileClickhouseWhere(
  asking: ClickhouseQuery,
  query: Pick<ListQuery, 'conditions' | 'query'>,
): Promise<string> {
  const parts: string[] = []
  if (asking.context.partners !== null)
    parts.push(`partner_id in ${bindParam(asking, asking.context.partners, 'Array(UInt32)')}`)
  for (const condition of query.conditions) {
    if (isGiven(condition)) parts.push(`(${await compileClickhouseCondition(asking, condition)})`)
  }
  if (query.query !== '') parts.push(await compileSearch(asking, query.query))
  return parts.join(' and ') || '1'
}

/** Matches the id if the text is a UUID, otherwise any searched text field. */
async function compileSearch(asking: ClickhouseQuery, text: string): Promise<string> {
  if (UUID.test(text)) return compileClickhouseCondition(asking, { path: 'id', operator: 'eq', values: [text] })
  const names = [...fieldsOf(asking.entity)].filter(
    ([name, field]) => field.searched && isVisible(asking.context, field) && name in asking.source.columns,
  )
  const parts = await Promise.all(
    names.map(([path]) => compileClickhouseCondition(asking, { path, operator: 'like', values: [text] })),
  )
  return parts.length === 0 ? '0' : `(${parts.join(' or ')})`
}

export interface OrderKey {
  readonly sql: string
  readonly desc: boolean
  /** ClickHouse type of a parameter compared with the key. */
  readonly type: string
}

export const writeOrder = (keys: readonly OrderKey[]): string =>
  keys.map((key) => `${key.sql} ${key.desc ? 'desc' : 'asc'}`).join(', ')

const typeOfKey = ({ type }: SourceColumn): string => (type === 'DateTime64' ? "DateTime64(3, 'UTC')" : type)

/** Ends with the table's key, so that the order is total. */
export async function compileClickhouseOrder(asking: ClickhouseQuery, { order }: ListQuery): Promise<OrderKey[]> {
  const { source, entity } = asking
  const sort =
    order.length > 0 ? order : [{ path: entity.list.sort?.by ?? source.key[0], desc: entity.list.sort?.desc ?? true }]
  const keys: OrderKey[] = []
  for (const { path, desc } of sort) {
    // UUIDv7 grow with time, but ClickHouse does not compare UUIDs bytewise.
    if (path === 'id') keys.push(...source.key.map((name) => keyOf(source, name, desc)))
    else keys.push({ ...(await compileSortKey(asking, path)), desc })
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

/** Sorts references by title: PostgreSQL ranks the ids. */
async function compileSortKey(asking: ClickhouseQuery, path: string): Promise<Pick<OrderKey, 'sql' | 'type'>> {
  const [head = '', ...rest] = path.split('.')
  const field = fieldsOf(asking.entity).get(head)
  const column = asking.source.columns[head]
  if (field === undefined || column === undefined || !isVisible(asking.context, field))
    throw invalidParameter(`order[${path}]`, 'unknown_field')
  if (rest.length > 0 && field.kind !== 'reference') throw invalidParameter(`order[${path}]`, 'unknown_field')
  if (field.kind === 'text') return { sql: `lowerUTF8(${column.sql})`, type: 'String' }
  if (field.kind !== 'reference') return { sql: column.sql, type: typeOfKey(column) }
  const target = entityNamed(field.to)
  const inner =
    rest.length > 0 ? compileReferencedOrder(asking.context, target, path, rest.join('.')) : titleOrder(target)
  const statement = sql<{ id: number }>`select t.id from ${tableOf(target)} as t order by ${inner}`
  const ids = (await statement.execute(asking.db)).rows.map((row) => row.id)
  const ranks = ids.map((_, index) => index + 1)
  const list = (values: number[]): string => bindParam(asking, values, 'Array(UInt32)')
  return { sql: `transform(${column.sql}, ${list(ids)}, ${list(ranks)}, toUInt32(0))`, type: 'UInt32' }
}

const titleOrder = (target: Entity): Fragment => sql`lower(${sql.raw(titleOf(target, 't'))}), t.id`

/** The parameters that the statement names; ClickHouse rejects others. */
export const paramsIn = (params: Readonly<Record<string, unknown>>, statement: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([name]) => statement.includes(`{${name}:`)))

export const readableColumns = ({ entity, source, context }: ClickhouseQuery): string[] =>
  [...fieldsOf(entity)].flatMap(([name, field]) => (name in source.columns && isVisible(context, field) ? [name] : []))

export const selectColumns = (source: ClickhouseSource, names: readonly string[]): string =>
  [...names.map((name) => source.columns[name]?.sql ?? name), ...source.extra].join(', ')

const ZERO = '00000000-0000-0000-0000-000000000000'

export async function decodeRows(
  asking: ClickhouseQuery,
  names: readonly string[],
  found: readonly (readonly unknown[])[],
): Promise<Row[]> {
  const { source, db, context } = asking
  const rows = found.map((values) =>
    Object.fromEntries(names.map((name, index) => [name, decode(source.columns[name]?.type, values[index])])),
  )
  const extra = found.map((values) => values.slice(names.length))
  await source.derive(db, rows, extra, context)
  await addTitles(asking, rows)
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
