// What the settings of retention delete in ClickHouse: clicks, parts of visitors' IP addresses, and the logs of what was known.
import { addDays, dayOf } from '@tributary/contract/period'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Logger } from '../lib/log.ts'
import type { Postgres } from '../postgres/client.ts'
import { monthFrom } from '../postgres/month-partitions.ts'
import { shortenOldIps } from './clicks/click-cleanup.ts'
import { type DeletionOptions, deleteOldClicks } from './clicks/deleted-clicks.ts'
import { shortenKnownLogs } from './known-log.ts'

interface RetentionWork {
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
  readonly log: Logger
}

interface RetentionSetting {
  readonly zone: string
  readonly clicks: number | null
  readonly logs: number | null
  /** Days. */
  readonly addresses: number
  readonly today: string
}

async function readSetting({ pool }: Postgres, now: number): Promise<RetentionSetting> {
  const { rows } = await pool.query<RetentionSetting>(
    'select business_time_zone as zone, click_months as clicks, fact_log_months as logs, personal_data_days as addresses from setting',
  )
  const [setting] = rows
  if (setting === undefined) throw new Error('the installation has no settings row')
  return { ...setting, today: dayOf(now, setting.zone) }
}

/** The first month ('202606') that is kept; null means all. */
const cutOf = ({ today }: RetentionSetting, months: number | null): string | null =>
  months === null ? null : monthFrom(Date.parse(today), -months).replace('-', '')

/** Nothing may write clicks or their sums meanwhile. `now` is in milliseconds. */
export async function applyClickRetention(
  { postgres, clickhouse, log }: RetentionWork,
  now: number,
  options: DeletionOptions = {},
): Promise<void> {
  const setting = await readSetting(postgres, now)
  const months = await deleteOldClicks({ postgres, clickhouse }, cutOf(setting, setting.clicks), now, options)
  if (months.length > 0) log.info({ months }, 'clicks were deleted, as the settings of retention say')
  await shortenOldIps(postgres, clickhouse, addDays(setting.today, -setting.addresses))
}

/** Nothing may write facts of players and spends meanwhile. */
export async function applyLogRetention({ postgres, clickhouse, log }: RetentionWork, now: number): Promise<void> {
  const setting = await readSetting(postgres, now)
  const cut = cutOf(setting, setting.logs)
  const tables = cut === null ? [] : await shortenKnownLogs(clickhouse, cut)
  if (tables.length > 0) log.info({ tables, cut }, 'logs of what was known were shortened')
}
