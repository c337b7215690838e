// Exports all rows of a ClickHouse list in batches. Each batch starts after the last row of the one before, so a slow reader holds no
// session, and rows that arrive meanwhile shift nothing.

import type { Entity } from '@tributary/contract/entity'
import type { ListQuery } from '@tributary/contract/list-query'
import type { Row } from '../model/model.ts'
import type { RequestContext } from '../model/request-context.ts'
import { bindParam, type ClickhouseQuery } from './condition.ts'
import {
  compileClickhouseOrder,
  compileClickhouseWhere,
  createClickhouseQuery,
  decodeRows,
  type OrderKey,
  paramsIn,
  readableColumns,
  selectColumns,
  writeOrder,
} from './list.ts'

/** Rows of a batch. In index order every batch costs the same; in any other order each one scans all rows. */
const BATCH = 10_000

export interface ClickhouseRows {
  readonly total: number
  readonly batches: AsyncIterable<Row[]>
}

export async function exportClickhouse(
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
  chosen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ClickhouseRows> {
  const asking = await createClickhouseQuery(context, entity)
  const where = await compileClickhouseWhere(asking, query)
  const order = await compileClickhouseOrder(asking, query)
  const names = readableColumns(asking).filter((name) => chosen.has(name))
  const counted = await context.engines.clickhouse.query<{ total: number }>(
    `select count() as total from ${asking.source.table} where ${where}`,
    paramsIn(asking.params, where),
    { signal },
  )
  return { total: counted[0]?.total ?? 0, batches: readBatches(asking, { where, order, names }, signal) }
}

interface Plan {
  readonly where: string
  readonly order: readonly OrderKey[]
  readonly names: readonly string[]
}

async function* readBatches(
  asking: ClickhouseQuery,
  { where, order, names }: Plan,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const { source, context } = asking
  const columns = [...order.map((key) => key.sql), selectColumns(source, names)].filter((text) => text !== '')
  let last: readonly unknown[] | undefined
  do {
    const page: ClickhouseQuery = { ...asking, params: { ...asking.params } }
    const rest = last === undefined ? where : `(${where}) and (${behind(page, order, last)})`
    const statement = `select ${columns.join(', ')} from ${source.table} where ${rest} order by ${writeOrder(order)} limit ${BATCH}`
    const { rows } = await context.engines.clickhouse.table(statement, page.params, { signal })
    const found = rows.map((values) => values.slice(order.length))
    if (found.length > 0) yield await decodeRows(asking, names, found)
    last = rows.length < BATCH ? undefined : rows.at(-1)
  } while (last !== undefined)
}

/** Condition for rows that sort after the row with these key values. */
function behind(page: ClickhouseQuery, order: readonly OrderKey[], last: readonly unknown[]): string {
  const values = order.map((key, index) => bindParam(page, last[index], key.type))
  const cases = order.map((key, index) => {
    const equal = order.slice(0, index).map((before, at) => `${before.sql} = ${values[at]}`)
    return `(${[...equal, `${key.sql} ${key.desc ? '<' : '>'} ${values[index]}`].join(' and ')})`
  })
  const [first] = order
  // Redundant, but the index is not used for alternatives.
  const bound = first === undefined ? '1' : `${first.sql} ${first.desc ? '<=' : '>='} ${values[0]}`
  return `${bound} and (${cases.join(' or ')})`
}
