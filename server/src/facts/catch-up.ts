// Waits until the facts contain every change of the record that was committed before the call.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clickhouse } from '../clickhouse/client.ts'
import { isoOf } from '../clickhouse/statement.ts'
import type { Postgres } from '../postgres/client.ts'
import { readLastChangeId } from './outbox.ts'
import { readWatermark } from './watermark.ts'

interface FactStores {
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
}

const LOOK_EVERY_MS = 50

/** False if the changes are not in the facts, or the watermark has not passed them, within the limit. */
export async function waitForFacts({ postgres, clickhouse }: FactStores, limitMs: number): Promise<boolean> {
  const last = await readLastChangeId(postgres)
  const deadline = Date.now() + limitMs
  const becomes = async (look: () => Promise<boolean>): Promise<boolean> => {
    for (;;) {
      if (await look()) return true
      if (Date.now() >= deadline) return false
      await sleep(LOOK_EVERY_MS)
    }
  }
  const isHandedOver = async (): Promise<boolean> => {
    const { rows } = await postgres.pool.query('select from outbox where id <= $1 limit 1', [last])
    return rows.length === 0
  }
  if (!(await becomes(isHandedOver))) return false
  const newest = await readNewestFact(clickhouse)
  return becomes(async () => (await readWatermark(postgres)).record.getTime() >= newest)
}

/** Milliseconds of the latest logged version of a fact; 0 when nothing is logged. */
async function readNewestFact(clickhouse: Clickhouse): Promise<number> {
  const { rows } = await clickhouse.table(
    'select max(at) from (select max(known_at) as at from activity_fact_log union all select max(known_at) from spend_fact_log)',
    {},
    { lane: 'short' },
  )
  const [[text] = []] = rows
  return typeof text === 'string' ? Math.max(new Date(isoOf(text)).getTime(), 0) : 0
}
