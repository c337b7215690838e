// Decides who receives a live event. Nobody receives a topic or an audience that this version does not know.
import { isAllowed } from '@tributary/contract/access'
import { LIVE_TOPICS, type LiveAudience, type LiveMessage } from '@tributary/contract/live'
import { sql } from 'kysely'
import type { Person } from '../access/person.ts'
import { scopeCondition } from '../access/scope.ts'
import { entityNamed } from '../entities/engine/model/model.ts'
import type { Postgres } from '../postgres/client.ts'

/** True if the person may receive the message. It queries PostgreSQL only for events about one row if the person does not see all rows. */
export async function mayReceive(person: Person, { topic, to }: LiveMessage, postgres: Postgres): Promise<boolean> {
  return isAllowed(LIVE_TOPICS[topic], person) && (await isAddressed(person, to, postgres))
}

async function isAddressed(person: Person, to: LiveAudience, postgres: Postgres): Promise<boolean> {
  if ('everyone' in to) return to.everyone === true
  // An admin who views as another user receives the events of both.
  if ('users' in to)
    return to.users.includes(person.id) || (person.viewedBy !== null && to.users.includes(person.viewedBy))
  if ('role' in to) return to.role === person.roleId
  if ('partner' in to) {
    const { partners } = person.scope
    return partners === null || (to.partner !== null && partners.includes(to.partner))
  }
  return 'entity' in to && seesRow(person, to, postgres)
}

async function seesRow(
  person: Person,
  { entity: name, id }: { entity: string; id: number },
  { db }: Postgres,
): Promise<boolean> {
  const entity = entityNamed(name)
  if (entity.source === 'clickhouse' || !isAllowed(entity.access.view, person)) return false
  const condition = scopeCondition(entity, person.scope)
  if (condition === null) return true
  const { rows } = await sql`select 1 from ${sql.table(name)} where id = ${id} and ${condition}`.execute(db)
  return rows.length > 0
}

/** Parses a notification. Undefined if it has another form, because another version of the server may have sent it. */
export function readMessage(text: string): LiveMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message !== 'object' || message === null || !('topic' in message) || !('to' in message)) return undefined
    const { topic, to } = message
    if (typeof topic !== 'string' || !Object.hasOwn(LIVE_TOPICS, topic)) return undefined
    // Only postgres/live.ts sends these notifications, and the compiler checks their form there.
    return typeof to === 'object' && to !== null ? (message as LiveMessage) : undefined
  } catch {
    return undefined
  }
}
