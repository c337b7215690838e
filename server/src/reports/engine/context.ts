// The context of a report run: the viewer, the databases and the settings of the installation.

import { sql } from 'kysely'
import type { Clickhouse } from '../../clickhouse/client.ts'
import { DELETED_MONTHS_SQL, type DeletedMonth } from '../../facts/clicks/deleted-clicks.ts'
import type { Postgres } from '../../postgres/client.ts'
import type { ReportedIncome, Viewer } from './query.ts'

/** The databases that a report reads. */
export interface ReportEngines {
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
}

/** Who runs a report, with which settings, databases and signal. */
export interface ReportContext extends ReportEngines {
  readonly viewer: Viewer
  readonly setting: ReportSetting
  readonly reportedIncome: ReportedIncome
  /** Aborts the statements of the run. */
  readonly signal: AbortSignal | undefined
}

/** Reads the settings of a report and returns its context. An abort of `signal` ends its queries. `knownAt` is that of the filter. */
export async function openReportContext(
  viewer: Viewer,
  { postgres, clickhouse }: ReportEngines,
  signal?: AbortSignal,
  knownAt?: string,
): Promise<ReportContext> {
  const [setting, reportedIncome] = await Promise.all([
    readReportSetting(postgres),
    readReportedIncome(postgres, knownAt),
  ])
  return { viewer, postgres, clickhouse, setting, reportedIncome, signal }
}

/** The last day for which each advertiser has reported income, as known at a moment; absent means now. */
async function readReportedIncome({ pool }: Postgres, knownAt: string | undefined): Promise<ReportedIncome> {
  const { rows } = await pool.query<{ advertiser: number; day: string }>(
    `select a.id as advertiser, last.day from advertiser a cross join lateral (
      select r.day from reported_income r
      where r.advertiser_id = a.id and ($1::timestamptz is null or r.reported_at <= $1)
      order by r.day desc limit 1) as last
    order by a.id`,
    [knownAt ?? null],
  )
  return { advertisers: rows.map(({ advertiser }) => advertiser), days: rows.map(({ day }) => day) }
}

/** Settings of the installation that reports depend on. */
export interface ReportSetting {
  /** The business time zone. */
  readonly zone: string
  /** ISO code of the report currency. */
  readonly currency: string
  /** Codes and ids of all countries, in the same order. */
  readonly countries: { readonly codes: readonly string[]; readonly ids: readonly number[] }
  readonly deletedClicks: readonly DeletedMonth[]
}

const DEFAULT_CURRENCY = 'EUR'

/** Zone, currency and countries of reports. Throws Error if the settings have no row. */
export async function readReportSetting({ db }: Postgres): Promise<ReportSetting> {
  const { rows } = await sql<{
    zone: string
    currency: string | null
    codes: string[]
    ids: number[]
    deleted: DeletedMonth[]
  }>`
    select s.business_time_zone as zone, c.value as currency,
      array(select code from country order by id) as codes, array(select id from country order by id) as ids,
      ${sql.raw(DELETED_MONTHS_SQL)} as deleted
    from setting s left join currency c on c.id = s.report_currency_id`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error('the installation has no settings row')
  return {
    zone: row.zone,
    currency: row.currency ?? DEFAULT_CURRENCY,
    countries: { codes: row.codes, ids: row.ids },
    deletedClicks: row.deleted,
  }
}
