// Publishes live events to open screens of all processes by NOTIFY, which PostgreSQL sends when the transaction commits. The recipients are
// filtered on delivery (api/live-audience.ts).
import type { LiveAudience, LiveMessage, LivePayloads, LiveTopic } from '@tributary/contract/live'
import { type Kysely, sql } from 'kysely'
import type { Database } from './client.ts'

export const LIVE_CHANNEL = 'live'

/** PostgreSQL's limit is 8000 bytes. */
const MAX_BYTES = 7900

/** Throws a RangeError above 7900 bytes: send keys, not rows. */
export function publishLive<T extends LiveTopic>(
  db: Kysely<Database>,
  topic: T,
  payload: LivePayloads[T],
  to: LiveAudience,
): Promise<void> {
  return publishAllLive(db, [{ topic, payload, to }])
}

/** Publishes several events in one statement; equal ones are sent once. Frequent senders collect for some tenths of a second. */
export async function publishAllLive(db: Kysely<Database>, messages: readonly LiveMessage[]): Promise<void> {
  if (messages.length === 0) return
  const texts = messages.map((message) => JSON.stringify(message))
  const long = texts.find((text) => Buffer.byteLength(text) > MAX_BYTES)
  if (long !== undefined) throw new RangeError(`a live message may have ${MAX_BYTES} bytes: ${long.slice(0, 80)}…`)
  await sql`select pg_notify(${LIVE_CHANNEL}, message) from unnest(${texts}::text[]) as message`.execute(db)
}
