// The settings on which every fact depends.

import { isDeepStrictEqual } from 'node:util'
import { formatMoney, parseMoney } from '@tributary/contract/money'
import { DEFAULT_ZONE } from '@tributary/contract/period'
import type { Pool } from 'pg'
import type { Dated } from './terms.ts'
import { rangesSql, type StoredRange } from './terms-reader.ts'

export interface FactsSetting {
  /** Where business days begin. */
  readonly zone: string
  /** 0: no currency is the report's own, each needs a rate. */
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
  /** Absent in what an earlier version kept. */
  percentages?: readonly StoredRange[]
}

/** Without a report currency of its own the installation reports in EUR. */
const SELECT = `select s.business_time_zone as zone, s.agency_spend_percentage as percentage,
    ${rangesSql('agency_percentage_history')} as percentages,
    coalesce(s.report_currency_id, (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1), 0) as currency
  from setting s`

export async function readSetting(client: Queryable): Promise<FactsSetting> {
  const { rows } = await client.query<SettingRow>(SELECT)
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

const KEPT = 'setting'

/** The settings with which the facts were written; undefined before the first time. */
export async function readKeptSetting(client: Queryable): Promise<FactsSetting | undefined> {
  const { rows } = await client.query<{ detail: SettingRow }>(
    `select detail from facts_progress where name = '${KEPT}'`,
  )
  const row = rows[0]?.detail
  return row === undefined
    ? undefined
    : { zone: row.zone, reportCurrencyId: row.currency, agencyPercentages: toPercentages(row) }
}

export async function keepSetting(pool: Pool, setting: FactsSetting): Promise<void> {
  const detail: SettingRow = {
    zone: setting.zone,
    currency: setting.reportCurrencyId,
    percentage: formatMoney(setting.agencyPercentages.otherwise),
    percentages: setting.agencyPercentages.ranges.map((range) => ({ ...range, value: formatMoney(range.value) })),
  }
  await pool.query(
    `insert into facts_progress (name, at, detail) values ($1, now(), $2)
      on conflict (name) do update set at = excluded.at, detail = excluded.detail`,
    [KEPT, JSON.stringify(detail)],
  )
}

/** Without it no fact stays as it is. */
export const hasSameBase = (a: FactsSetting, b: FactsSetting): boolean =>
  a.zone === b.zone && a.reportCurrencyId === b.reportCurrencyId

/** Without it entered spend changes, and nothing else. */
export const hasSamePercentages = (a: FactsSetting, b: FactsSetting): boolean =>
  isDeepStrictEqual(a.agencyPercentages, b.agencyPercentages)
