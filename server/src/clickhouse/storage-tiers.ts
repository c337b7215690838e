// Storage tiers of a ClickHouse server: months of the large tables move to a volume of slower, cheaper disks when they are older.

import type { Clickhouse } from './client.ts'
import { checkName } from './statement.ts'

/** `policy` is a storage policy of the server, `coldVolume` one of its volumes. */
export interface StorageTiers {
  readonly policy: string
  readonly coldVolume: string | undefined
  readonly coldAfterMonths: number
}

/** The large tables that are partitioned by month, with the day of a row. */
const TIERED_TABLES: Readonly<Record<string, string>> = {
  click: 'day',
  player_fact_log: 'toDate(known_at)',
  activity_fact_log: 'toDate(known_at)',
  spend_fact_log: 'toDate(known_at)',
}

/** Sets policy and moves on tables that lack them. The caller holds the migration lock. */
export async function applyStorageTiers(clickhouse: Clickhouse, tiers: StorageTiers): Promise<void> {
  const rows = await clickhouse.query<{ name: string; policy: string; definition: string }>(
    `select name, storage_policy as policy, engine_full as definition from system.tables
      where database = currentDatabase() and name in ({names:Array(String)}) order by name`,
    { names: Object.keys(TIERED_TABLES) },
  )
  for (const { name, policy, definition } of rows) {
    const alter = `alter table ${checkName(name)}${clickhouse.macros.on_cluster}`
    // Old parts only learn when to move; they are not rewritten.
    if (policy !== tiers.policy)
      await clickhouse.exec(
        `${alter} modify setting storage_policy = '${checkName(tiers.policy)}', materialize_ttl_recalculate_only = 1`,
      )
    const { coldVolume } = tiers
    if (coldVolume === undefined) continue
    const move = `${TIERED_TABLES[name]} + toIntervalMonth(${tiers.coldAfterMonths}) TO VOLUME '${checkName(coldVolume)}'`
    if (!definition.includes(`TTL ${move}`)) await clickhouse.exec(`${alter} modify ttl ${move}`)
  }
}
