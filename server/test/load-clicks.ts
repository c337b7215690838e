// Clicks straight into the facts, by the way that clicks of the past go.
import type { Clickhouse } from '../src/clickhouse/client.ts'
import type { InboxClick } from '../src/facts/click-lines.ts'
import { gatherClicks } from '../src/facts/click-loader.ts'

export async function loadClicks(clickhouse: Clickhouse, clicks: readonly InboxClick[], zone: string): Promise<void> {
  const past = gatherClicks(zone)
  for (const click of clicks) past.add(click)
  await past.insert(clickhouse)
}
