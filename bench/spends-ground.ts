// Makes the network of the bench of spends: a year of plans and facts of 6 advertisers in 60 countries, and partners whose AGENCY streams had clicks.

import { addDays, DEFAULT_ZONE, daysBetween, today } from '@tributary/contract/period'
import type { Services } from '../server/src/services.ts'
import { sumMonths } from './report-ground.ts'

const TODAY = today(DEFAULT_ZONE)
export const MONTHS = 12
const ADVERTISERS = 6
const COUNTRIES = 60
const CELLS = ADVERTISERS * COUNTRIES
/** Partners with spend and players in every cell of the plan on every day. */
const BUDGET_PARTNERS = 3

export const GRID_PARTNER = BUDGET_PARTNERS + 1
export const IMPORT_PARTNER = GRID_PARTNER + 1
export const FIRST_SHEET_PARTNER = IMPORT_PARTNER + 1
export const SHEET_FILES = 40
const PARTNERS = FIRST_SHEET_PARTNER + SHEET_FILES - 1

export const IMPORT_ROWS = 100_000
const IMPORT_DAYS = 365
const IMPORT_STREAMS = Math.ceil(IMPORT_ROWS / IMPORT_DAYS)
export const SHEET_STREAMS = 20
const GRID_CELLS = 20_000

/** 'YYYY-MM' so many months before the current one. */
export function monthAgo(months: number): string {
  const [year = 0, month = 0] = TODAY.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 7)
}

/** The months whose tables are shown; the older one only for a start. */
export const GRID_MONTH = monthAgo(1)
export const GRID_START = monthAgo(2)
export const GRID_STREAMS = Math.floor(GRID_CELLS / daysIn(GRID_MONTH))

export function daysIn(month: string): number {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
}

const FIRST_DAY = `${monthAgo(MONTHS - 1)}-01`
export const IMPORT_FIRST_DAY = addDays(TODAY, -IMPORT_DAYS)

/** Streams of a partner: the ids follow each other, in the order of partners. */
const STREAMS = [
  [GRID_PARTNER, GRID_STREAMS],
  [IMPORT_PARTNER, IMPORT_STREAMS],
  ...Array.from({ length: SHEET_FILES }, (_, index) => [FIRST_SHEET_PARTNER + index, SHEET_STREAMS] as const),
] as const

const DIRECTORY = `
  -- The clock of this machine starts no parse by itself.
  insert into sheet_run (kind, due_at, files) values ('daily', '2998-01-01', 0), ('monthly', '2998-01-01', 0);
  insert into currency (id, title, value) values (1, 'Euro', 'EUR');
  update setting set report_currency_id = 1;
  insert into country (title, code, currency_id)
    select 'Country ' || n, chr(65 + n / 26) || chr(65 + n % 26), 1 from generate_series(1, ${COUNTRIES}) n;
  insert into traffic_source (title) values ('Source');
  insert into advertiser (title, default_domain, default_currency_id)
    select 'Advertiser ' || n, 'https://a' || n || '.example', 1 from generate_series(1, ${ADVERTISERS}) n;
  insert into advertiser_country (advertiser_id, country_id) select a.id, c.id from country c, advertiser a order by c.id, a.id;
  insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, state)
    select 'Offer ' || k.id, k.advertiser_id, k.id, m.id, 1, 'approved' from advertiser_country k, payment_model m where m.type = 'AGENCY' order by k.id;
  insert into partner (title, state) select 'Partner ' || n, 'approved' from generate_series(1, ${PARTNERS}) n;
  insert into partner_group (title) values ('Group');
  insert into partner_partner_group (partner_id, partner_group_id, spend_spreadsheet_id)
    select n, 1, case when n >= ${FIRST_SHEET_PARTNER} then 'spreadsheet-of-partner-' || n end from generate_series(1, ${PARTNERS}) n;
  insert into partner_stream (partner_id, title)
    select partner, 'Stream ' || lpad(n::text, 4, '0') from (values ${STREAMS.map(([partner, count]) => `(${partner}, ${count})`).join(', ')})
      as own (partner, count), generate_series(1, count) n order by partner, n;
  insert into offer_partner (offer_id, partner_id, stream_id, traffic_source_id, site_id, currency_id, state)
    select 1, partner_id, id, 1, 'site-' || id, 1, 'approved' from partner_stream order by id;
  insert into budget (advertiser_id, country_id, month, planned, state)
    select a.id, c.id, m::date, 1000 + a.id * c.id, 'approved'
    from advertiser a, country c, generate_series('${FIRST_DAY}'::date, '${TODAY}'::date, interval '1 month') m;
  insert into partner_budget (partner_id, advertiser_id, country_id, month, planned)
    select p, b.advertiser_id, b.country_id, b.month, 300 from budget b, generate_series(1, ${BUDGET_PARTNERS}) p;`

/** A player, a click and a spend of each budget partner in each cell of the plan on each day. */
const PLACE = `number as n, toDate('${FIRST_DAY}') + toUInt16(intDiv(n, ${CELLS * BUDGET_PARTNERS})) as day,
  toUInt32(intDiv(n, ${BUDGET_PARTNERS}) % ${CELLS}) as cell, toUInt32(n % ${BUDGET_PARTNERS} + 1) as partner_id, cell + 1 as offer_id,
  toUInt32(cell % ${ADVERTISERS} + 1) as advertiser_id, toUInt32(intDiv(cell, ${ADVERTISERS}) + 1) as country_id,
  toUInt32(1000000 + cell * ${BUDGET_PARTNERS} + partner_id) as offer_partner_id, offer_partner_id as stream_id, toUInt32(1) as traffic_source_id,
  concat('budget-', toString(offer_partner_id)) as site_id`
const KEYS = 'offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id'
const FACTS_FROM = `from (select ${PLACE} from numbers(${(daysBetween(FIRST_DAY, TODAY) + 1) * CELLS * BUDGET_PARTNERS}))`

const FACTS = [
  `insert into click (id, day, created_at, is_click, is_unique, ${KEYS}) select generateUUIDv7(), day, toDateTime64(day, 3), 1, 1, ${KEYS} ${FACTS_FROM}`,
  `insert into spend_fact (spend_id, version, is_deleted, day, base, sum, ${KEYS})
    select 10000000 + n, 1, 0, day, toDecimal64(n % 9 + 1, 4), toDecimal64(n % 9 + 1, 4), ${KEYS} ${FACTS_FROM}`,
  `insert into activity_fact (day, player_id, version, is_deleted, registrations, first_deposits, deposits_count, deposits, registered_day,
      first_deposit_day, qualification, ${KEYS})
    select day, 10000000 + n, 1, 0, 1, 1, 1, 20, day, day, 'unqualified', ${KEYS} ${FACTS_FROM}`,
  // Clicks of all streams in the months of the grid, and of the imported ones on all their days.
  clicksOf(0, GRID_STREAMS, `${GRID_START}-01`, daysIn(GRID_START) + daysIn(GRID_MONTH)),
  clicksOf(GRID_STREAMS, IMPORT_STREAMS, IMPORT_FIRST_DAY, IMPORT_DAYS + 1),
  clicksOf(GRID_STREAMS + IMPORT_STREAMS, SHEET_FILES * SHEET_STREAMS, `${GRID_MONTH}-01`, daysIn(GRID_MONTH)),
]

function clicksOf(before: number, streams: number, from: string, days: number): string {
  return `insert into click (id, day, created_at, is_click, is_unique, partner_id, offer_id, advertiser_id, offer_partner_id, stream_id, country_id,
      traffic_source_id)
    select generateUUIDv7(), toDate('${from}') + toUInt16(number % ${days}) as day, toDateTime64(day, 3) + 43200, 1, 1, ${GRID_PARTNER}, 1, 1, stream_id,
      toUInt32(${before} + intDiv(number, ${days}) + 1) as stream_id, 1, 1 from numbers(${streams * days})`
}

export async function makeGround(services: Services): Promise<void> {
  await services.postgres.pool.query(DIRECTORY)
  for (const statement of FACTS) await services.clickhouse.exec(statement, {}, { maxSeconds: 600 })
  await sumMonths(services)
  await services.postgres.pool.query('vacuum analyze')
}
