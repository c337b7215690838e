// The measured reports, each with the best hand-written query for the same numbers in ClickHouse and in PostgreSQL.

import { cohortRequest } from '@tributary/contract/reports/cohort'
import { type GeneralReportInput, generalReportRequest } from '@tributary/contract/reports/general'
import type { Clickhouse } from '../server/src/clickhouse/client.ts'
import { answerCohort } from '../server/src/reports/kinds/cohort.ts'
import { answerGeneralReport } from '../server/src/reports/kinds/general.ts'
import type { Services } from '../server/src/services.ts'

export interface Case {
  readonly name: string
  /** PostgreSQL is measured once in this number of rounds. */
  readonly postgresEvery: number
  readonly hand: string
  readonly postgres: string
  /** Runs everything between the request's body and the answer's text. */
  readonly ask: (services: Services) => Promise<string>
}

interface Days {
  readonly from: string
  readonly to: string
}

const MONTH: Days = { from: '2026-06-01', to: '2026-06-30' }
const MONTH_BEFORE: Days = { from: '2026-05-01', to: '2026-05-31' }
const YEAR: Days = { from: '2025-11-01', to: '2026-10-31' }

const ADMIN = { role: 'ADMIN', partners: null, language: 'en' } as const

/** SQL that differs between ClickHouse and PostgreSQL. */
interface Dialect {
  readonly click: string
  readonly activity: string
  readonly spend: string
  /** Of activity: what qualification cost. */
  readonly playerSpend: string
  /** Counts current rows only, without replaced and deleted ones. */
  readonly there: string
  readonly month: (day: string) => string
  readonly countIf: (condition: string) => string
  readonly sumIf: (value: string, condition: string) => string
  readonly depositors: string
  readonly monthsBetween: (from: string, to: string) => string
}

const CLICKHOUSE: Dialect = {
  click: 'click',
  activity: 'activity_fact final',
  spend: 'spend_fact final',
  playerSpend: 'cpa_spend + rs_spend',
  there: 'is_deleted = 0 and ',
  month: (day) => `toStartOfMonth(${day})`,
  countIf: (condition) => `countIf(${condition})`,
  sumIf: (value, condition) => `sumIf(${value}, ${condition})`,
  depositors: 'uniqExactIf(player_id, deposits_count > 0)',
  monthsBetween: (from, to) => `dateDiff('month', ${from}, ${to})`,
}
const POSTGRES: Dialect = {
  click: 'bench_click',
  activity: 'bench_activity',
  spend: 'bench_spend',
  playerSpend: 'player_spend',
  there: '',
  month: (day) => `date_trunc('month', ${day})::date`,
  countIf: (condition) => `count(*) filter (where ${condition})`,
  sumIf: (value, condition) => `sum(${value}) filter (where ${condition})`,
  depositors: 'count(distinct player_id) filter (where deposits_count > 0)',
  monthsBetween: (from, to) =>
    `((extract(year from ${to}) - extract(year from ${from})) * 12 + extract(month from ${to}) - extract(month from ${from}))`,
}

const SUMS = [
  'clicks',
  'uniques',
  'registrations',
  'first_deposits',
  'deposits_count',
  'deposits',
  'first_day',
  'first_amount',
  'bets',
  'bettors',
  'income',
  'player_spend',
  'entered_spend',
]
const zeros = (count: number): string => Array.from({ length: count }, () => '0').join(', ')

interface General {
  readonly name: string
  readonly postgresEvery: number
  readonly days: Days
  readonly second?: Days
  readonly request: Omit<GeneralReportInput, 'filter'> & { readonly filter: object }
  /** Grouping of the hand-written queries. */
  readonly keys: string
  readonly where?: string
}

/** The query omits what only the product needs: totals of outer levels, unallocated spend, order, page, titles. */
function writeGeneral({ keys, days, second, where = '' }: General, dialect: Dialect): string {
  const { click, activity, spend, there, playerSpend, month, countIf, sumIf } = dialect
  const hasMonth = keys.includes('month')
  // A second period stands before the first, and both are read at once: which of the two a day is in is one more key.
  const columns = `${keys.replace('month', `${month('day')} as month`)}${second ? `, day >= date '${days.from}' as is_first` : ''}`
  const groups = `${keys}${second ? ', is_first' : ''}`
  const within = `day between date '${(second ?? days).from}' and date '${days.to}'${where}`
  const start = hasMonth ? `greatest(date '${days.from}', ${month('day')})` : `date '${days.from}'`
  const startOfDay = second
    ? `case when day >= date '${days.from}' then date '${days.from}' else date '${second.from}' end`
    : start
  const sums = SUMS.flatMap((name) =>
    second
      ? [`${sumIf(name, 'is_first')} as ${name}_1`, `${sumIf(name, 'not is_first')} as ${name}_2`]
      : [`sum(${name}) as ${name}`],
  )
  return `select ${keys}, ${sums.join(', ')} from (
    select ${columns}, sum(is_click) as clicks, sum(is_unique) as uniques, 0 as registrations, 0 as first_deposits, 0 as deposits_count,
      0 as deposits, 0 as first_day, 0 as first_amount, 0 as bets, 0 as bettors, 0 as income, 0 as player_spend, 0 as entered_spend
    from ${click} where ${within} group by ${groups}
    union all
    select ${columns}, 0, 0, sum(registrations), sum(first_deposits), sum(deposits_count), sum(deposits), sum(first_day_amount),
      sum(first_amount), sum(bets), ${countIf(`bets > 0 and previous_bet_day < ${startOfDay}`)}, sum(income), sum(${playerSpend}), 0
    from ${activity} where ${there}${within} group by ${groups}
    union all
    select ${columns}, ${zeros(12)}, sum(sum) from ${spend} where ${there}${within} group by ${groups}
  ) facts group by ${keys} order by ${second ? 'clicks_1' : 'clicks'} desc`
}

const general = (one: General): Case => ({
  name: one.name,
  postgresEvery: one.postgresEvery,
  hand: writeGeneral(one, CLICKHOUSE),
  postgres: writeGeneral(one, POSTGRES),
  async ask(services) {
    const { days, second, request } = one
    const filter = {
      ...request.filter,
      dateFrom: days.from,
      dateTo: days.to,
      ...(second && { secondDateFrom: second.from, secondDateTo: second.to }),
    }
    return JSON.stringify(
      await answerGeneralReport(generalReportRequest.parse({ ...request, filter }), ADMIN, services),
    )
  },
})

/** Players by the month of their registration, and what they brought in each month since. */
function writeCohorts({ activity, spend, there, playerSpend, month, depositors, monthsBetween }: Dialect): string {
  const within = (day: string): string => `${there}${day} between date '${YEAR.from}' and date '${YEAR.to}'`
  return `select cohort, period, sum(players) as players, sum(depositors) as depositors, sum(new_deposits) as new_deposits,
      sum(deposits_count) as deposits_count, sum(deposits) as deposits, sum(income) as income, sum(player_spend) as player_spend,
      sum(entered_spend) as entered_spend from (
    select ${month('day')} as cohort, 0 as period, 0 as players, 0 as depositors, 0 as new_deposits, 0 as deposits_count,
      0 as deposits, 0 as income, 0 as player_spend, sum(sum) as entered_spend
    from ${spend} where ${within('day')} group by 1
    union all
    select ${month('registered_day')}, ${monthsBetween(month('registered_day'), month('day'))}, sum(registrations), ${depositors},
      sum(first_deposits), sum(deposits_count), sum(deposits), sum(income), sum(${playerSpend}), 0
    from ${activity} where ${within('registered_day')} group by 1, 2
  ) facts group by cohort, period order by cohort, period`
}

const cohorts: Case = {
  name: 'cohorts',
  postgresEvery: 3,
  hand: writeCohorts(CLICKHOUSE),
  postgres: writeCohorts(POSTGRES),
  async ask(services) {
    const filter = { period: 'month', cohortBy: 'registration', dateFrom: YEAR.from, dateTo: YEAR.to } as const
    const variant = { isCumulative: false, isFlat: false }
    return JSON.stringify(await answerCohort(cohortRequest.parse({ filter }), ADMIN, services, variant))
  },
}

const TWO_LEVELS = { groupBy: 'offer', secondGroupBy: 'traffic_source' }

/** The partner who brings most, and the three countries that they bring most from. */
async function findBusiest(clickhouse: Clickhouse): Promise<{ partner: number; countries: number[] }> {
  const [most] = await clickhouse.query<{ partner_id: number }>(
    'select partner_id from click group by partner_id order by count() desc, partner_id limit 1',
  )
  const partner = most?.partner_id ?? 0
  const countries = await clickhouse.query<{ country_id: number }>(
    'select country_id from click where partner_id = {partner:UInt32} group by country_id order by count() desc, country_id limit 3',
    { partner },
  )
  return { partner, countries: countries.map((row) => row.country_id) }
}

export async function casesOf(clickhouse: Clickhouse): Promise<readonly Case[]> {
  const { partner, countries } = await findBusiest(clickhouse)
  return [
    general({
      name: 'month',
      postgresEvery: 1,
      days: MONTH,
      request: { filter: TWO_LEVELS },
      keys: 'offer_id, traffic_source_id',
    }),
    // Every row in one answer: unusual, so measured without a limit.
    general({
      name: 'month_whole',
      postgresEvery: 3,
      days: MONTH,
      request: { filter: TWO_LEVELS, pagination: { limit: -1 } },
      keys: 'offer_id, traffic_source_id',
    }),
    general({
      name: 'second',
      postgresEvery: 3,
      days: MONTH,
      second: MONTH_BEFORE,
      request: { filter: TWO_LEVELS },
      keys: 'offer_id, traffic_source_id',
    }),
    general({
      name: 'partner',
      postgresEvery: 1,
      days: YEAR,
      request: { filter: { groupBy: 'offer', secondGroupBy: 'month', partners: [partner], countries } },
      keys: 'offer_id, month',
      where: ` and partner_id = ${partner} and country_id in (${countries.join(', ')})`,
    }),
    general({
      name: 'year',
      postgresEvery: 3,
      days: YEAR,
      request: {
        filter: { groupBy: 'partner', secondGroupBy: 'offer', thirdGroupBy: 'traffic_source', fourthGroupBy: 'month' },
      },
      keys: 'partner_id, offer_id, traffic_source_id, month',
    }),
    cohorts,
  ]
}
