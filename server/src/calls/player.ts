// Handlers that set payment resolutions of many players, and look up players' countries and promo codes.
import type { Calls } from '@tributary/contract/calls/registry'
import { LOOKUP_LIMIT } from '@tributary/contract/limits'
import { paginateList } from '@tributary/contract/list-query'
import { sql } from 'kysely'
import { likePattern } from '../entities/engine/list/condition.ts'
import { readSelection, readSlice } from '../entities/engine/list/params.ts'
import { compileWhere } from '../entities/engine/list/where.ts'
import { entityNamed, type Fragment } from '../entities/engine/model/model.ts'
import type { Db, RequestContext } from '../entities/engine/model/request-context.ts'
import { withReason } from '../entities/engine/save/cause.ts'
import { changeRecord } from '../entities/engine/store.ts'
import { hasClosedFigures, IS_PAID_BY_PLAYER } from '../entities/rules/closed-player.ts'
import { setResolutions } from '../entities/rules/payment-resolution.ts'
import { invalidField } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

const player = entityNamed('player')
/** The cause of the change. */
const RESOLVING = 'payment resolution'

/** Throws `invalid` if a closed month will true up one of the players: who is not approved is not owed. */
async function rejectWithoutReason(db: Db, where: Fragment, resolution: string | null): Promise<void> {
  const { rows } = await sql`select from player as t cross join setting as s
    where ${where} and (t.payment_resolution is not distinct from 'not_approved') <> ${resolution === 'not_approved'}
      and ${hasClosedFigures(sql`t.id`, sql`array[t.partner_id]`)} and ${IS_PAID_BY_PLAYER} limit 1`.execute(db)
  if (rows.length > 0) throw invalidField('reason', 'required')
}

export const bulkUpdatePlayers: Handler<Calls['player_bulk_update']> = async ({ body, context }) => {
  const { reason = '', ...selection } = body
  return changeRecord(context, withReason(RESOLVING, reason), async (db) => {
    const where = await compileWhere(db, context, player, readSelection(selection))
    if (reason === '') await rejectWithoutReason(db, where, body.payment_resolution)
    const { rows } = await setResolutions(where, body.payment_resolution, context).execute(db)
    return rows[0] ?? { updated: 0, unchanged: 0, skipped: 0 }
  })
}

type ValueCall = Calls['player_geo_country'] | Calls['player_promocode']

/** Selects distinct values of a column. Each is found by the index from the previous one, because many players share few values. */
const selectValues = (name: 'geo_country' | 'promocode', context: RequestContext): Fragment => {
  const column = sql.id('t', name)
  const scope = context.scopeOf(player, 't')
  // A user with a narrowed view sees few players, so reading all of them is fast.
  if (scope !== undefined)
    return sql`select distinct ${column} as value from player as t where ${column} is not null and ${scope}`
  return sql`with recursive step as (
      (select ${column} as value from player as t where ${column} is not null order by 1 limit 1)
      union all
      select (select ${column} from player as t where ${column} > step.value order by 1 limit 1) from step where step.value is not null
    ) select value from step where value is not null`
}

function lookUpValues(name: 'geo_country' | 'promocode'): Handler<ValueCall> {
  return async ({ query, context }, services) => {
    const limit = Number(query.limit ?? LOOKUP_LIMIT)
    const page = Number(query.page ?? 1)
    const { size, offset } = readSlice({ page, limit })
    const found = sql`select value from (${selectValues(name, context)}) as v where value ilike ${likePattern(query.query ?? '')}`
    const { rows } = await sql<{ value: string | null; total: number }>`with found as materialized (${found})
      select (select count(*) from found) as total, value from (select 1) as one
        left join (select value from found order by lower(value), value limit ${size} offset ${offset}) as page on true`.execute(
      services.postgres.db,
    )
    const options = rows.flatMap(({ value }) => (value === null ? [] : [{ id: value, title: value }]))
    return { options, pagination: paginateList(page, limit, rows[0]?.total ?? 0) }
  }
}

export const lookUpGeoCountries: Handler<Calls['player_geo_country']> = lookUpValues('geo_country')
export const lookUpPromocodes: Handler<Calls['player_promocode']> = lookUpValues('promocode')
