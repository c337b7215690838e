// Months, amounts and currencies of the spend table.

import { partnerSpend } from '@tributary/contract/entities/partner-spend'
import { formatMoney, parseMoney } from '@tributary/contract/money'
import { addDays, lastDayOf, type Period } from '@tributary/contract/period'
import type { Issue } from '@tributary/contract/validate'
import { checkField } from '@tributary/contract/validate'
import { sql } from 'kysely'
import type { Db } from '../engine/model/request-context.ts'
import { readReportCurrency } from '../rules/finance.ts'
import { keyOfPlace, type SpendPlace } from './spend-offer-partners.ts'

/** The days of 'YYYY-MM'. */
export function periodOfMonth(month: string): Period {
  return { from: `${month}-01`, to: lastDayOf(month) }
}

export function daysOf({ from, to }: Period): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

/** Null if the text is a valid amount of a spend. */
export const checkSum = (text: string): Issue | null =>
  text.trim() === '' ? { key: 'required' } : (checkField(partnerSpend.fields.sum, text)[0] ?? null)

/** '50.0000' → '50.00 EUR': two decimals, or more where the sum has them. */
export const showSum = (sum: string | null, currency: string): string =>
  `${formatMoney(parseMoney(sum ?? '') ?? 0n).replace(/0{1,2}$/, '')} ${currency}`.trim()

export const isSameSum = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && (a === b || parseMoney(a) === parseMoney(b))

/** An amount of money; `currency` is an id. */
export interface Amount {
  readonly sum: string | null
  readonly currency: number | null
}

/** True if both are given and equal; 50 EUR are not 50 USD. */
export const isSameAmount = (a: Amount, b: Amount): boolean => isSameSum(a.sum, b.sum) && a.currency === b.currency

/** That of an accepted sum; undefined if there is only a claim, whose currency is its own. */
export const acceptedCurrency = (spend: (Amount & { currency: number }) | undefined): number | undefined =>
  spend === undefined || spend.sum === null ? undefined : spend.currency

/** Months in which the last currency and the sites of a place are looked for. */
const CURRENCY_MONTHS = 3

/** The currency in which a new sum of a place is entered: that of its latest accepted sum, else the report currency. Claims choose none. */
export interface PlaceCurrencies {
  of(place: SpendPlace): number
  /** Places with a spend or claim of the last months. */
  readonly recent: readonly SpendPlace[]
  /** The report currency. */
  readonly standard: number
  /** Those in which new sums can be entered. */
  readonly active: readonly { readonly id: number; readonly value: string }[]
  /** The tag value of a currency: EUR. */
  valueOf(id: number): string
}

export async function readCurrencies(db: Db, streams: readonly number[], { to }: Period): Promise<PlaceCurrencies> {
  const { rows } = await sql<SpendPlace & { currency: number | null }>`
    select distinct on (stream_id, country_id, site_id) stream_id as stream, country_id as country, site_id as site,
      case when sum is not null and active then currency_id end as currency
    from partner_spend where stream_id = any(${streams}::int[]) and date <= ${to}::date
      and date > ${to}::date - make_interval(months => ${CURRENCY_MONTHS})
    order by stream_id, country_id, site_id, (sum is not null and active) desc, date desc`.execute(db)
  const values = await sql<{
    id: number
    value: string
    active: boolean
  }>`select id, value, active from currency order by id`.execute(db)
  const byPlace = new Map(rows.map((row) => [keyOfPlace(row), row.currency]))
  const byId = new Map(values.rows.map(({ id, value }) => [id, value]))
  const standard = (await readReportCurrency(db)) ?? values.rows[0]?.id ?? 0
  return {
    recent: rows,
    standard,
    active: values.rows.filter(({ active }) => active).map(({ id, value }) => ({ id, value })),
    of: (place) => byPlace.get(keyOfPlace(place)) ?? standard,
    valueOf: (id) => byId.get(id) ?? '',
  }
}

/** The partner's streams with their titles. */
export async function readStreams(db: Db, partner: number): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; title: string }>`
    select id, title from partner_stream where partner_id = ${partner} order by id`.execute(db)
  return new Map(rows.map(({ id, title }) => [id, title]))
}
