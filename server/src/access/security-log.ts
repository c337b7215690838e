// What happened at the door: who came in, who was refused, what was reset. Rows of the audit log, which nobody changes.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../postgres/tables.ts'
import { plainAddress } from './address.ts'

export interface SecurityEvent {
  /** In plain words, as an admin reads it in the audit log. */
  readonly cause: string
  /** Whose account it is about; null when nobody's was meant. */
  readonly subject: number | null
  /** Who did it; the subject, when left out. */
  readonly actor?: number | null
  readonly ip: string
  readonly userAgent?: string | undefined
  readonly requestId: string
}

const USER_AGENT_MAX = 512

export async function noteSecurity(db: Kysely<Database>, event: SecurityEvent): Promise<void> {
  const { cause, subject, actor = subject, ip, userAgent, requestId } = event
  const after = JSON.stringify({ ip: plainAddress(ip), user_agent: userAgent?.slice(0, USER_AGENT_MAX) ?? null })
  await sql`insert into audit_log (user_id, action, entity, entity_id, cause, after, request_id)
    values (${actor}, 'access', 'user', ${subject}, ${cause}, ${after}::jsonb, ${requestId})`.execute(db)
}
