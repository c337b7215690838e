// Loads clicks directly into the facts, like historical clicks.

import { createPastClicks } from '../../src/facts/clicks/click-loader.ts'
import type { InboxClick } from '../../src/facts/columns.ts'
import type { Services } from '../../src/services.ts'

type Engines = Pick<Services, 'postgres' | 'clickhouse'>

export async function loadClicks(engines: Engines, clicks: readonly InboxClick[], zone: string): Promise<void> {
  const past = createPastClicks(zone)
  for (const click of clicks) past.add(click)
  await past.insert(engines)
}
