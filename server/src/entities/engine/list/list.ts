// Lists and looks up rows of PostgreSQL: one statement reads a page and its total, except for large lists.

import type { Entity } from '@tributary/contract/entity'
import { EXACT_COUNT } from '@tributary/contract/limits'
import { type ListAnswer, type ListQuery, type LookupAnswer, paginateList } from '@tributary/contract/list-query'
import { sql } from 'kysely'
import { column, columnOf, type Fragment, fieldsOf, type Row, tableOf, typed } from '../model/model.ts'
import { type Db, isVisible, type RequestContext } from '../model/request-context.ts'
import { completeRows } from '../read/row.ts'
import { runPrepared } from '../read/run-statement.ts'
import { selectList, titleOf } from '../read/select-list.ts'
import { and } from './condition.ts'
import { type CompiledPage, joinPage, limitAndOffset, type PageRows, runLargePage } from './large-page.ts'
import { compileOrder } from './order.ts'
import { readSlice } from './params.ts'
import { compileWhere } from './where.ts'

/** What a read of rows includes. */
export interface ListOptions {
  /** Include nested collections. */
  readonly detailed: boolean
}

/** One page of rows. Throws `page_too_deep` or `invalid`. */
export async function listRows(
  db: Db,
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
  { detailed }: ListOptions,
): Promise<ListAnswer<Row>> {
  const page = await compilePage(db, context, entity, query)
  const counts = entity.countsUnapproved
    ? await compileCounts(db, context, entity, query, page.where)
    : countSome(entity, page.where)
  const list = selectList(context, entity)
  const { items, total, counted } = entity.isLarge
    ? await runLargePage(db, context, entity, query, page, counts, list)
    : await runPage(db, context, entity, page, counts, list)
  await completeRows(db, context, entity, items, detailed)
  const isMany = !entity.countsUnapproved && total > EXACT_COUNT
  const known = isMany ? await estimateTotal(db, entity, page.where) : total
  const pagination = { ...paginateList(query.page, query.limit, known), ...(isMany && { approximate: true as const }) }
  return entity.countsUnapproved
    ? { items, pagination, count_data: { unapproved: [Number(counted['~unapproved'] ?? 0)] } }
    : { items, pagination }
}

/**
 * Reads page and counts in one statement. Counts are materialized, or PostgreSQL may count again for each row of the page. An empty page has
 * no row to carry them, so they are read separately.
 */
async function runPage(
  db: Db,
  context: RequestContext,
  entity: Entity,
  page: CompiledPage,
  counts: Fragment,
  list: Fragment,
): Promise<PageRows> {
  const rows = await runPrepared(
    db,
    context,
    sql<Row>`with "~counts" as materialized (${counts}),
      "~page" as materialized (select t.id from ${tableOf(entity)} as t where ${page.where} order by ${page.order} ${limitAndOffset(page)})
    select "~counts".*, ${list} from ${joinPage(entity)} cross join "~counts" order by ${page.order}`,
  )
  const counted = rows[0] ?? (await runPrepared(db, context, sql<Row>`${counts}`))[0] ?? {}
  const items = rows.map(({ '~total': _total, '~unapproved': _unapproved, ...row }) => row)
  return { items, total: Number(counted['~total'] ?? 0), counted }
}

/** One page of select options. Throws `page_too_deep` or `invalid`. */
export async function lookUpRows(
  db: Db,
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
): Promise<LookupAnswer> {
  const page = await compilePage(db, context, entity, query)
  const labels = (entity.label ?? []).flatMap((name) => {
    const field = fieldsOf(entity).get(name)
    return field === undefined || !isVisible(context, field)
      ? []
      : [sql`${column('t', columnOf(name, field))} as ${sql.id(name)}`]
  })
  const columns = [sql`t.id`, sql`${sql.raw(titleOf(entity, 't'))} as title`, ...labels]
  const found = await runPage(db, context, entity, page, countWhere(entity, page.where), sql.join(columns))
  // Selected above: id, title and the labels of the contract.
  const options = found.items as LookupAnswer['options']
  return { options, pagination: paginateList(query.page, query.limit, found.total) }
}

const countWhere = (entity: Entity, where: Fragment): Fragment =>
  sql`select count(*) as "~total" from ${tableOf(entity)} as t where ${where}`

/** Counts rows, but stops at EXACT_COUNT + 1, which means "more". */
function countSome(entity: Entity, where: Fragment): Fragment {
  const rows = sql`select from ${tableOf(entity)} as t where ${where} limit ${typed(EXACT_COUNT + 1, 'bigint')}`
  return sql`select count(*) as "~total" from (${rows}) as counted`
}

/** PostgreSQL's estimate of the total, at least EXACT_COUNT + 1. */
async function estimateTotal(db: Db, entity: Entity, where: Fragment): Promise<number> {
  const statement = sql<Row>`explain (format json) select from ${tableOf(entity)} as t where ${where}`
  const [plan] = (await statement.execute(db)).rows
  const nodes = plan?.['QUERY PLAN'] as { Plan: { 'Plan Rows': number } }[] | undefined
  return Math.max(EXACT_COUNT + 1, nodes?.[0]?.Plan['Plan Rows'] ?? 0)
}

async function compilePage(db: Db, context: RequestContext, entity: Entity, query: ListQuery): Promise<CompiledPage> {
  const slice = readSlice(query)
  return {
    where: await compileWhere(db, context, entity, query),
    order: compileOrder(context, entity, query),
    ...slice,
  }
}

/** Selects the total and the number of unapproved rows regardless of a filter on state; one scan if there is no such filter. */
async function compileCounts(
  db: Db,
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
  where: Fragment,
): Promise<Fragment> {
  const isWaiting = sql`t.state = 'unapproved'`
  const conditions = query.conditions.filter(({ path }) => path !== 'state')
  if (conditions.length === query.conditions.length) {
    return sql`select count(*) as "~total", count(*) filter (where ${isWaiting}) as "~unapproved" from ${tableOf(entity)} as t where ${where}`
  }
  const anyState = await compileWhere(db, context, entity, { ...query, conditions })
  return sql`select (${countWhere(entity, where)}) as "~total", (${countWhere(entity, and([anyState, isWaiting]))}) as "~unapproved"`
}
