// Writes security events (sign-ins, rejections, resets) into the audit log, whose rows never change.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../postgres/client.ts'
import { plainAddress } from './address.ts'

export interface SecurityEvent {
  /** Key of the text in `causes.ts` that the audit log shows. */
  readonly cause: string
  /** Id of the affected user; null if no account matched. */
  readonly subject: number | null
  /** Id of the acting user; defaults to the subject. */
  readonly actor?: number | null
  readonly ip: string
  readonly userAgent?: string | undefined
  readonly requestId: string
  /** The record that the event concerns, if it is not the subject. */
  readonly record?: { readonly entity: string; readonly id: number }
}

const USER_AGENT_MAX = 512

export async function logSecurityEvent(db: Kysely<Database>, event: SecurityEvent): Promise<void> {
  const { cause, subject, actor = subject, ip, userAgent, requestId, record = { entity: 'user', id: subject } } = event
  const after = JSON.stringify({ ip: plainAddress(ip), user_agent: userAgent?.slice(0, USER_AGENT_MAX) ?? null })
  await sql`insert into audit_log (user_id, action, entity, entity_id, cause, after, request_id)
    values (${actor}, 'access', ${record.entity}, ${record.id}, ${cause}, ${after}::jsonb, ${requestId})`.execute(db)
}
