// Pages of lists with hundreds of thousands of rows. They are counted first, so that the way to the rows of the page can be chosen by how many
// there are: few are found and sorted, many are read in the order of an index until the page is full. Each statement is planned with its values.

import type { Entity } from '@tributary/contract/entity'
import type { ListQuery } from '@tributary/contract/list-query'
import { sql } from 'kysely'
import { type Fragment, type Row, tableOf, typed } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { runUnprepared } from '../read/run-statement.ts'
import { and } from './condition.ts'
import { referenceWalkOf } from './order.ts'

/** So many rows are sorted sooner than they are met along an index. */
const FEW = 1000

export interface CompiledPage {
  readonly where: Fragment
  readonly order: Fragment
  readonly size: number
  readonly offset: number
}

export interface PageRows {
  readonly items: Row[]
  readonly total: number
  readonly counted: Row
}

export const limitAndOffset = ({ size, offset }: CompiledPage): Fragment =>
  sql`limit ${typed(size, 'bigint')} offset ${typed(offset, 'bigint')}`

/** The rows whose ids are in "~page", under the alias `t`: ids are found along an index alone, and only rows that are shown are read. */
export const joinPage = (entity: Entity): Fragment => sql`"~page" join ${tableOf(entity)} as t on t.id = "~page".id`

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
  const ids = total <= FEW ? await findFew(db, context, entity, page) : walkMany(context, entity, query, page)
  const items = await runUnprepared(
    db,
    context,
    sql<Row>`with "~page" as materialized (${ids}) select ${list} from ${joinPage(entity)} order by ${page.order}`,
  )
  return { items, total, counted }
}

async function findFew(db: Db, context: RequestContext, entity: Entity, page: CompiledPage): Promise<Fragment> {
  const statement = sql<{ id: number }>`select t.id from ${tableOf(entity)} as t where ${page.where}`
  const ids = typed(
    (await runUnprepared(db, context, statement)).map(({ id }) => id),
    'bigint[]',
  )
  return sql`select t.id from ${tableOf(entity)} as t where t.id = any(${ids}) order by ${page.order} ${limitAndOffset(page)}`
}

function walkMany(context: RequestContext, entity: Entity, query: ListQuery, page: CompiledPage): Fragment {
  const walk = referenceWalkOf(context, entity, query)
  if (walk === undefined)
    return sql`select t.id from ${tableOf(entity)} as t where ${page.where} order by ${page.order} ${limitAndOffset(page)}`
  const most = typed(page.offset + page.size, 'bigint')
  const next = sql`select t.id from ${tableOf(entity)} as t where ${and([walk.isNext, page.where])} order by ${walk.within} limit ${most}`
  return sql`select t.id from (${walk.steps}) as r cross join lateral (${next}) as t order by ${walk.order} ${limitAndOffset(page)}`
}
