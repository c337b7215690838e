// Finds partners with the same contact, regardless of case.
import type { Calls } from '@tributary/contract/calls/registry'
import { sql } from 'kysely'
import { entityNamed } from '../entities/engine/model/model.ts'
import { contextFor } from '../entities/engine/model/request-context.ts'
import { readRowId } from '../entities/engine/model/row-id.ts'
import { readEntity } from '../entities/engine/store.ts'
import type { Handler } from './handler.ts'

interface Found {
  id: number
  title: string
  is_seen: boolean
}

export const checkDuplicate: Handler<Calls['partner_info_check_duplicate']> = async (
  { params, person, requestId },
  services,
) => {
  const context = contextFor(person, requestId, services)
  const id = readRowId(params.id)
  await readEntity(context, entityNamed('partner_info'), id, { detailed: false })
  const isSeen = context.scopeOf(entityNamed('partner'), 'p') ?? sql`true`
  const statement = sql<Found>`select p.id, p.title, (${isSeen}) as is_seen from partner as p
    where exists (select from partner_info as asked join partner_info as other
      on other.type = asked.type and lower(other.value) = lower(asked.value) and other.partner_id <> asked.partner_id
      where asked.id = ${id} and other.partner_id = p.id)
    order by p.id`
  const { rows } = await statement.execute(services.postgres.db)
  const seen = rows.filter((row) => row.is_seen)
  return {
    duplicates: seen.map(({ id: partner, title }) => ({ partner: { id: partner, title } })),
    others: rows.length - seen.length,
  }
}
