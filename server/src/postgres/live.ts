// How any room tells open screens that something has happened, in whichever process they are connected: one NOTIFY, sent when the
// transaction it is written in commits, and not at all when it is rolled back. Who may hear it is decided where it is delivered (api/live-audience.ts).
import type { LiveAudience, LiveMessage, LivePayloads, LiveTopic } from '@tributary/contract/live'
import { type Kysely, sql } from 'kysely'
import type { Database } from './tables.ts'

export const LIVE_CHANNEL = 'live'

/** PostgreSQL's own limit of a notification is 8000 bytes. */
const MAX_BYTES = 7900

/** Throws a RangeError for a message that is too long: send keys, not rows. */
export function publishLive<T extends LiveTopic>(
  db: Kysely<Database>,
  topic: T,
  payload: LivePayloads[T],
  to: LiveAudience,
): Promise<void> {
  return publishAllLive(db, [{ topic, payload, to }])
}

/** Many in one statement; the same message twice is sent once. Senders of much gather for some tenths of a second first. */
export async function publishAllLive(db: Kysely<Database>, messages: readonly LiveMessage[]): Promise<void> {
  if (messages.length === 0) return
  const texts = messages.map((message) => JSON.stringify(message))
  const long = texts.find((text) => Buffer.byteLength(text) > MAX_BYTES)
  if (long !== undefined) throw new RangeError(`a live message may have ${MAX_BYTES} bytes: ${long.slice(0, 80)}…`)
  await sql`select pg_notify(${LIVE_CHANNEL}, message) from unnest(${texts}::text[]) as message`.execute(db)
}
