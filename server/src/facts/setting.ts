// The settings that facts depend on, as set now and as applied to the stored facts.

import { isDeepStrictEqual } from 'node:util'
import { formatMoney, parseMoney } from '@tributary/contract/money'
import { DEFAULT_ZONE } from '@tributary/contract/period'
import type { Pool } from 'pg'
import type { Dated } from './terms.ts'
import { rangesSql, type StoredRange } from './terms-reader.ts'

/** The settings that facts depend on. */
export interface FactsSetting {
  /** The business time zone. */
  readonly zone: string
  /** 0: there is no report currency, so every currency needs a rate. */
  readonly reportCurrencyId: number
  /** Ten-thousandths of a percent. */
  readonly agencyPercentages: Dated<bigint>
}

interface Queryable {
  query<R extends object>(sql: string): Promise<{ rows: R[] }>
}

interface SettingRow {
  zone: string
  currency: number
  percentage: string
  /** Absent if an earlier version of the product stored the setting. */
  percentages?: readonly StoredRange[]
}

/** If the setting names no report currency, reports use EUR. */
const SETTING_SQL = `select s.business_time_zone as zone, s.agency_spend_percentage as percentage,
    ${rangesSql('agency_percentage_history')} as percentages,
    coalesce(s.report_currency_id, (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1), 0) as currency
  from setting s`

/** The present settings of facts. */
export async function readSetting(client: Queryable): Promise<FactsSetting> {
  const { rows } = await client.query<SettingRow>(SETTING_SQL)
  const row = rows[0]
  return {
    zone: row?.zone ?? DEFAULT_ZONE,
    reportCurrencyId: row?.currency ?? 0,
    agencyPercentages: toPercentages(row),
  }
}

const toPercentages = (row: SettingRow | undefined): Dated<bigint> => ({
  ranges: (row?.percentages ?? []).map(({ from, to, value }) => ({ from, to, value: parseMoney(value ?? '0') ?? 0n })),
  otherwise: parseMoney(row?.percentage ?? '0') ?? 0n,
})

const PROGRESS_NAME = 'setting'

/** The settings that the stored facts were computed with; undefined before the first facts. */
export async function readAppliedSetting(client: Queryable): Promise<FactsSetting | undefined> {
  const { rows } = await client.query<{ detail: SettingRow }>(
    `select detail from facts_progress where name = '${PROGRESS_NAME}'`,
  )
  const row = rows[0]?.detail
  return row === undefined
    ? undefined
    : { zone: row.zone, reportCurrencyId: row.currency, agencyPercentages: toPercentages(row) }
}

/** Stores the settings that facts are computed by, to find later changes. */
export async function storeAppliedSetting(pool: Pool, setting: FactsSetting): Promise<void> {
  const detail: SettingRow = {
    zone: setting.zone,
    currency: setting.reportCurrencyId,
    percentage: formatMoney(setting.agencyPercentages.otherwise),
    percentages: setting.agencyPercentages.ranges.map((range) => ({ ...range, value: formatMoney(range.value) })),
  }
  await pool.query(
    `insert into facts_progress (name, at, detail) values ($1, now(), $2)
      on conflict (name) do update set at = excluded.at, detail = excluded.detail`,
    [PROGRESS_NAME, JSON.stringify(detail)],
  )
}

/** If it is false, all facts have to be rebuilt. */
export const hasSameBase = (a: FactsSetting, b: FactsSetting): boolean =>
  a.zone === b.zone && a.reportCurrencyId === b.reportCurrencyId

/** If it is false, only facts of entered spend have to be rewritten. */
export const hasSamePercentages = (a: FactsSetting, b: FactsSetting): boolean =>
  isDeepStrictEqual(a.agencyPercentages, b.agencyPercentages)
