// What is owed: the general report's spend of players and AGENCY partner offers as known on a moment, by key, in the currency of the term. It
// reads the facts that reports read, through the same source.

import { unitsOf } from '@tributary/contract/money'
import { lastDayOf } from '@tributary/contract/period'
import type { Clickhouse } from '../clickhouse/client.ts'
import { Params } from '../reports/engine/params.ts'
import { REPORT_SETTINGS } from '../reports/engine/run-statement.ts'
import { sourceFromSql } from '../reports/model/known.ts'
import type { DayLine, Lines, PlayerLine } from './ledger-diff.ts'
import { type LedgerKey, type LedgerKind, type PartnerMonth, partnerMonthText } from './ledger-key.ts'

export interface Owed {
  readonly key: LedgerKey
  readonly lines: Lines
}

const MAX_SECONDS = 300
const KEY_COLUMNS = `partner_id, toString(formatDateTime(day, '%Y-%m')) as earned_month, offer_partner_id, stream_id, traffic_source_id, country_id,
  advertiser_id`

interface OwedRow {
  partner_id: number
  earned_month: string
  offer_partner_id: number
  stream_id: number
  traffic_source_id: number
  country_id: number
  advertiser_id: number
  kind: LedgerKind
  currency: number
  player: number
  on_day: string
  rate: string
  base: string
  amount: string
}

/** `knownAt` null: as known now. Months that nobody owes anything for have no keys. */
export async function readOwed(
  clickhouse: Clickhouse,
  months: readonly PartnerMonth[],
  knownAt: Date | null,
): Promise<Owed[]> {
  if (months.length === 0) return []
  const wanted = new Set(months.map(partnerMonthText))
  const names = [...new Set(months.map(({ month }) => month))].sort()
  const params = new Params()
  const days = {
    first: { from: `${names[0]}-01`, to: lastDayOf(names.at(-1) ?? '') },
    second: null,
    knownAt: knownAt === null ? null : knownAt.toISOString().replace('T', ' ').replace('Z', ''),
  }
  const partners = params.bindAs('partners', 'Array(UInt32)', [...new Set(months.map(({ partner }) => partner))])
  const numbers = params.bindAs(
    'months',
    'Array(UInt32)',
    names.map((month) => Number(month.replace('-', ''))),
  )
  const where = `is_deleted = 0 and partner_id in ${partners} and offer_partner_id != 0 and toYYYYMM(day) in ${numbers}`
  const activity = sourceFromSql('activity', days, params)
  const rows = await clickhouse.query<OwedRow>(
    `select ${KEY_COLUMNS}, 'cpa' as kind, cpa_currency_id as currency, player_id as player, toString(day) as on_day, toDecimal64(0, 4) as rate,
  cpa_original as base, cpa_original as amount
from ${activity} where ${where} and cpa_original != 0 and day between {from1:Date} and {to1:Date}
union all
select ${KEY_COLUMNS}, 'rs', income_currency_id, 0, toString(day), rs_rate, sum(income_original), sum(rs_original)
from ${activity} where ${where} and rs_original != 0 and day between {from1:Date} and {to1:Date}
group by all
union all
select ${KEY_COLUMNS}, 'agency', currency_id, 0, toString(day), agency_rate, sum(base_original), sum(sum_original)
from ${sourceFromSql('spend', days, params)} where ${where} and is_agency = 1 and sum_original != 0 and day between {from1:Date} and {to1:Date}
group by all`,
    { ...params.values, from1: days.first.from, to1: days.first.to },
    { lane: 'long', maxSeconds: MAX_SECONDS, settings: REPORT_SETTINGS },
  )
  return groupByKey(rows.filter((row) => wanted.has(`${row.partner_id} ${row.earned_month}`)))
}

function groupByKey(rows: readonly OwedRow[]): Owed[] {
  const byKey = Map.groupBy(rows, (row) =>
    [
      row.partner_id,
      row.earned_month,
      row.offer_partner_id,
      row.stream_id,
      row.traffic_source_id,
      row.country_id,
      row.advertiser_id,
      row.kind,
      row.currency,
    ].join(' '),
  )
  return [...byKey.values()].flatMap((lines) => {
    const [first] = lines
    return first === undefined ? [] : [{ key: toKey(first), lines: toLines(lines) }]
  })
}

const toKey = (row: OwedRow): LedgerKey => ({
  partner: row.partner_id,
  month: row.earned_month,
  offerPartner: row.offer_partner_id,
  stream: row.stream_id,
  trafficSource: row.traffic_source_id,
  country: row.country_id,
  advertiser: row.advertiser_id,
  kind: row.kind,
  currency: row.currency,
})

const toLines = (rows: readonly OwedRow[]): Lines => ({
  players: rows
    .filter(({ kind }) => kind === 'cpa')
    .map((row): PlayerLine => ({ player: row.player, day: row.on_day, price: unitsOf(row.base) })),
  days: rows
    .filter(({ kind }) => kind !== 'cpa')
    .map(
      (row): DayLine => ({
        day: row.on_day,
        rate: unitsOf(row.rate),
        base: unitsOf(row.base),
        amount: unitsOf(row.amount),
      }),
    ),
})
