// Tracks who has a form of a row open. PostgreSQL stores it, so that all processes agree; live events announce changes. Each call first checks
// that the person may change the row.

import { isAllowed } from '@tributary/contract/access'
import type { Calls } from '@tributary/contract/calls/registry'
import { type EntityName, isEntityName } from '@tributary/contract/entities/registry'
import { EDITING_EXPIRY_SECONDS } from '@tributary/contract/limits'
import { sql } from 'kysely'
import { entityNamed, type Row, readRowId } from '../entities/engine/model/model.ts'
import { readEntity } from '../entities/engine/store.ts'
import { AppError } from '../lib/app-error.ts'
import { publishLive } from '../postgres/live.ts'
import type { Services } from '../services.ts'
import type { CallInput, Handler } from './handler.ts'

type EditingCall = Calls['editing_renew'] | Calls['editing_leave']

interface Place {
  readonly entity: EntityName
  readonly id: number
}

async function findRow({ params, person, context }: CallInput<EditingCall>): Promise<Place & { row: Row }> {
  if (!isEntityName(params.entity)) throw new AppError('not_found')
  const entity = entityNamed(params.entity)
  if (!isAllowed(entity.access.edit, person)) throw new AppError('forbidden')
  const id = readRowId(params.id)
  const row = await readEntity(context, entity, id, { detailed: false })
  return { entity: params.entity, id, row }
}

export const renewEditing: Handler<Calls['editing_renew']> = async (input, services) => {
  const { entity, id, row } = await findRow(input)
  const { body, person } = input
  const isNew = await renew({ entity, id }, body.screen, person.id, services)
  if (isNew || body.hasSaved === true) await publishChange({ entity, id }, services)
  const version = typeof row.version === 'number' ? row.version : null
  return { version, others: await findOthers({ entity, id }, body.screen, person.id, services) }
}

export const leaveEditing: Handler<Calls['editing_leave']> = async (input, services) => {
  const { entity, id } = await findRow(input)
  // The leave is stored instead of deleting the row, because a renewal that was sent earlier may arrive later.
  const { numAffectedRows } = await sql`insert into editing (entity, entity_id, screen, user_id, left_at)
    values (${entity}, ${id}, ${input.query.screen}, ${input.person.id}, now())
    on conflict (entity, entity_id, screen) do update set seen_at = now(), left_at = now()
      where editing.user_id = excluded.user_id and editing.left_at is null`.execute(services.postgres.db)
  if (numAffectedRows === 1n) await publishChange({ entity, id }, services)
}

const publishChange = ({ entity, id }: Place, { postgres }: Services): Promise<void> =>
  publishLive(postgres.db, 'editing', { entity, id }, { entity, id })

/** Renews the presence of a screen. Returns true if the screen is new; then expired rows are deleted, too. */
async function renew({ entity, id }: Place, screen: string, user: number, { postgres }: Services): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`insert into editing (entity, entity_id, screen, user_id)
    values (${entity}, ${id}, ${screen}, ${user})
    on conflict (entity, entity_id, screen) do update set seen_at = now()
      where editing.user_id = excluded.user_id and editing.left_at is null
    returning xmax = 0 as is_new`.execute(postgres.db)
  const isNew = rows[0]?.is_new === true
  if (isNew)
    await sql`delete from editing where seen_at < now() - make_interval(secs => ${EDITING_EXPIRY_SECONDS})`.execute(
      postgres.db,
    )
  return isNew
}

async function findOthers({ entity, id }: Place, screen: string, user: number, { postgres }: Services) {
  const { rows } = await sql<{ screen: string; full_name: string; since: Date; user_id: number }>`
    select e.screen, u.full_name, e.since, e.user_id from editing as e join "user" as u on u.id = e.user_id
    where e.entity = ${entity} and e.entity_id = ${id} and e.screen <> ${screen} and e.left_at is null
      and e.seen_at >= now() - make_interval(secs => ${EDITING_EXPIRY_SECONDS})
    order by e.since, e.screen`.execute(postgres.db)
  return rows.map((row) => ({
    screen: row.screen,
    full_name: row.full_name,
    since: new Date(row.since).toISOString(),
    is_me: row.user_id === user,
  }))
}
