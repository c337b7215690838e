// Reads pages of large lists. Few matching rows are all read and sorted; many are read in index order until the page is full. PostgreSQL plans
// each statement with its own values.

import type { Entity } from '@tributary/contract/entity'
import { PAGE_SIZES } from '@tributary/contract/limits'
import type { ListQuery } from '@tributary/contract/list-query'
import { sql } from 'kysely'
import { type Fragment, type Row, tableOf, typed } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { runUnprepared } from '../read/run-statement.ts'
import { and } from './condition.ts'
import { compileReferenceWalk } from './order.ts'

/** Up to this many rows, sorting beats reading in index order. */
const SORTED_ROWS_MAX = 1000

/** Clauses of a list statement on the alias `t`; `size` and `offset` in rows. */
export interface CompiledPage {
  readonly where: Fragment
  readonly order: Fragment
  readonly size: number
  readonly offset: number
}

/** Rows of a page, number of rows of the list (capped at EXACT_COUNT + 1), and the row of all counts. */
export interface PageRows {
  readonly items: Row[]
  readonly total: number
  readonly counted: Row
}

/**
 * SQL of LIMIT and OFFSET of a page. Sizes that screens offer are written into the text: with a parameter PostgreSQL does not know how many rows
 * it reads, and plans every execution of a prepared list anew.
 */
export function limitAndOffset({ size, offset }: CompiledPage): Fragment {
  const isOffered = PAGE_SIZES.some((offered) => offered === size)
  const limit = isOffered ? sql.raw(String(size)) : typed(size, 'bigint')
  return sql`limit ${limit} offset ${offset === 0 ? sql.raw('0') : typed(offset, 'bigint')}`
}

/** FROM clause for the rows whose ids are in the CTE "~page", as `t`: ids come from an index alone, and only shown rows are read. */
export const joinPage = (entity: Entity): Fragment => sql`"~page" join ${tableOf(entity)} as t on t.id = "~page".id`

/** Counts, then reads the page. `counts` selects "~total"; `list` selects the columns of a row. */
export async function runLargePage(
  db: Db,
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
  page: CompiledPage,
  counts: Fragment,
  list: Fragment,
): Promise<PageRows> {
  const [counted = {}] = await runUnprepared(db, context, sql<Row>`${counts}`)
  const total = Number(counted['~total'] ?? 0)
  if (total <= page.offset) return { items: [], total, counted }
  const ids =
    total <= SORTED_ROWS_MAX
      ? await selectFewById(db, context, entity, page)
      : selectManyInOrder(context, entity, query, page)
  const items = await runUnprepared(
    db,
    context,
    sql<Row>`with "~page" as materialized (${ids}) select ${list} from ${joinPage(entity)} order by ${page.order}`,
  )
  return { items, total, counted }
}

async function selectFewById(db: Db, context: RequestContext, entity: Entity, page: CompiledPage): Promise<Fragment> {
  const statement = sql<{ id: number }>`select t.id from ${tableOf(entity)} as t where ${page.where}`
  const ids = typed(
    (await runUnprepared(db, context, statement)).map(({ id }) => id),
    'bigint[]',
  )
  return sql`select t.id from ${tableOf(entity)} as t where t.id = any(${ids}) order by ${page.order} ${limitAndOffset(page)}`
}

function selectManyInOrder(context: RequestContext, entity: Entity, query: ListQuery, page: CompiledPage): Fragment {
  const walk = compileReferenceWalk(context, entity, query)
  if (walk === undefined)
    return sql`select t.id from ${tableOf(entity)} as t where ${page.where} order by ${page.order} ${limitAndOffset(page)}`
  const most = typed(page.offset + page.size, 'bigint')
  const next = sql`select t.id from ${tableOf(entity)} as t where ${and([walk.isNext, page.where])} order by ${walk.within} limit ${most}`
  return sql`select t.id from (${walk.steps}) as r cross join lateral (${next}) as t order by ${walk.order} ${limitAndOffset(page)}`
}
