// Payment resolutions of players: a call of their own sets them, and undo returns the former ones.

import { isAllowed } from '@tributary/contract/access'
import { PAYMENT_EDIT } from '@tributary/contract/entities/player'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import type { FormerValue } from '../engine/model/entity-rules.ts'
import { entityNamed, type Fragment } from '../engine/model/model.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { IS_PAID_BY_PLAYER } from './closed-player.ts'

/** Numbers of players; `skipped` ones have an offer that does not pay by player. */
export interface ResolutionCounts {
  updated: number
  unchanged: number
  skipped: number
}

/** One statement that locks the players `t` in the order of their ids, changes them, and writes the audit log. */
export const setResolutions = (
  where: Fragment,
  resolution: string | null,
  { userId, requestId }: RequestContext,
): RawBuilder<ResolutionCounts> => sql<ResolutionCounts>`
  with chosen as (
    select t.id, t.payment_resolution as was, ${IS_PAID_BY_PLAYER} as is_paid_by_player
    from player as t cross join setting as s where ${where} order by t.id for update of t
  ), changed as (
    update player p set payment_resolution = ${resolution} from chosen c
    where p.id = c.id and c.is_paid_by_player and c.was is distinct from ${resolution}::text
    returning p.id, c.was
  ), noted as (
    insert into audit_log (user_id, action, entity, entity_id, before, after, request_id, cause)
    select ${userId}::int, 'update', 'player', id, jsonb_build_object('payment_resolution', was),
      jsonb_build_object('payment_resolution', ${resolution}::text), ${requestId}::text, current_setting('tributary.cause')
    from changed
  )
  select (select count(*) from changed) as updated, count(*) filter (where not is_paid_by_player) as skipped,
    count(*) filter (where is_paid_by_player and was is not distinct from ${resolution}::text) as unchanged
  from chosen`

/** Throws `forbidden` if the user may not set resolutions, `not_found` if a player is out of scope. It needs no reason: it was undone. */
export async function restoreResolutions(
  db: Db,
  context: RequestContext,
  former: readonly FormerValue[],
): Promise<void> {
  if (!isAllowed(PAYMENT_EDIT, context.holder)) throw new AppError('forbidden')
  const scope = context.scopeOf(entityNamed('player'), 't') ?? sql<boolean>`true`
  for (const [resolution, players] of Map.groupBy(former, ({ value }) => value)) {
    const ids = players.map(({ id }) => id)
    const where = sql<boolean>`t.id = any(${ids}::bigint[]) and ${scope}`
    const { rows: counts } = await setResolutions(
      where,
      typeof resolution === 'string' ? resolution : null,
      context,
    ).execute(db)
    const found = counts.reduce((sum, { updated, unchanged, skipped }) => sum + updated + unchanged + skipped, 0)
    if (found < ids.length) throw new AppError('not_found')
  }
}
