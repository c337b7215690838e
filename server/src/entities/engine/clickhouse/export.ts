// Exports all rows of a ClickHouse list in batches. Each batch starts after the last row of the previous one, so that a slow reader holds no
// session and new rows do not shift batches.

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

/** All rows of a list, read batch by batch. */
export interface ClickhouseRows {
  readonly total: number
  readonly batches: AsyncIterable<Row[]>
  /** Sentences below the rows. */
  readonly notes?: readonly string[]
}

/** Reads the rows of a list in batches, ordered and limited to what the caller may see. Throws `invalid` for a bad filter. */
export async function exportClickhouse(
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
  chosen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ClickhouseRows> {
  const builder = await createClickhouseQuery(context, entity)
  const where = await compileClickhouseWhere(builder, query)
  const order = await compileClickhouseOrder(builder, query)
  const names = readableColumns(builder).filter((name) => chosen.has(name))
  const counted = await context.engines.clickhouse.query<{ total: number }>(
    `select count() as total from ${builder.source.table} where ${where}`,
    paramsIn(builder.params, where),
    { signal },
  )
  return {
    total: counted[0]?.total ?? 0,
    batches: readBatches(builder, { where, order, names }, signal),
    notes: await builder.source.notesOf(context.engines.postgres.db, query, context.language ?? 'en'),
  }
}

interface ExportPlan {
  readonly where: string
  readonly order: readonly OrderKey[]
  readonly names: readonly string[]
}

async function* readBatches(
  builder: ClickhouseQuery,
  { where, order, names }: ExportPlan,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const { source, context } = builder
  const columns = [...order.map((key) => key.sql), selectColumns(source, names)].filter((text) => text !== '')
  let last: readonly unknown[] | undefined
  do {
    const page: ClickhouseQuery = { ...builder, params: { ...builder.params } }
    const rest = last === undefined ? where : `(${where}) and (${isSortedAfter(page, order, last)})`
    const statement = `select ${columns.join(', ')} from ${source.table} where ${rest} order by ${writeOrder(order)} limit ${BATCH}`
    const { rows } = await context.engines.clickhouse.table(statement, page.params, { signal })
    const found = rows.map((values) => values.slice(order.length))
    if (found.length > 0) yield await decodeRows(builder, names, found)
    last = rows.length < BATCH ? undefined : rows.at(-1)
  } while (last !== undefined)
}

/** Condition for rows that sort after the row with these key values. */
function isSortedAfter(page: ClickhouseQuery, order: readonly OrderKey[], last: readonly unknown[]): string {
  const values = order.map((key, index) => bindParam(page, last[index], key.type))
  const cases = order.map((key, index) => {
    const equal = order.slice(0, index).map((before, at) => `${before.sql} = ${values[at]}`)
    return `(${[...equal, `${key.sql} ${key.desc ? '<' : '>'} ${values[index]}`].join(' and ')})`
  })
  const [first] = order
  // Redundant, but ClickHouse does not use the index for the OR below.
  const bound = first === undefined ? '1' : `${first.sql} ${first.desc ? '<=' : '>='} ${values[0]}`
  return `${bound} and (${cases.join(' or ')})`
}
