// The first logged version of facts: reports cannot answer as known before it.
import type { Clickhouse } from '../clickhouse/client.ts'
import { isoOf } from '../clickhouse/moment.ts'

/** Null when nothing is logged. Answered from the ranges of parts, without reading rows. */
export async function readBegin(clickhouse: Clickhouse): Promise<Date | null> {
  const { rows } = await clickhouse.table(
    `select min(begin) from (
      select min(known_at) as begin, count() as n from activity_fact_log union all select min(known_at), count() from spend_fact_log
    ) where n > 0 having count() > 0`,
    {},
    { lane: 'short' },
  )
  const [[text] = []] = rows
  return typeof text === 'string' ? new Date(isoOf(text)) : null
}
