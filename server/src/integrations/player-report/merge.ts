// Merges a staged report into PostgreSQL set by set: players, their attribution, entries. Equal rows are not written, so that importing the
// same report again changes nothing.

import type { PoolClient } from 'pg'
import { referringTable } from '../../postgres/constraints.ts'
import { FIGURES, type Figure } from './columns.ts'
import { ERROR_CAP, ReportRejection } from './reader-messages.ts'

/** The reported values of each player. */
const INCOMING = `create temp table incoming on commit drop as
  select advertiser_id, outer_id, min(registered_at) as registered_at, max(country_id) as country_id, max(country) as country,
    max(site_id) as site_id, max(sub_id) as sub_id, max(promocode) as promocode,
    max(written) as click
  from (
    select e.*, c.written from entry e left join found_click c on c.id = e.found_click and c.advertiser_id = e.advertiser_id
  ) lines
  group by advertiser_id, outer_id`

/** Nullable columns as one text, so that a join can hash it; 'is not distinct from' would compare every pair of lines. */
const keyOf = (...columns: readonly string[]): string => `row(${columns.join(', ')})::text`

/** Selects the only partner offer with a site ID (and sub ID), else the only one with a promo code. */
const OFFER_PARTNER_OF = `create temp table offer_partner_of on commit drop as
  with without_click as (
    select distinct advertiser_id, site_id, sub_id, lower(promocode) as promocode from incoming
    where click is null and (site_id is not null or promocode is not null)
  ), offer_partners as (
    select l.id, l.site_id, l.sub_id, o.advertiser_id,
      array(select lower(code) from unnest(l.promo_codes) as code) as codes
    from offer_partner l join offer o on o.id = l.offer_id where o.advertiser_id in (select advertiser_id from without_click)
  ), by_site as (
    select a.advertiser_id, a.site_id, a.sub_id,
      case when count(*) filter (where l.sub_id = a.sub_id) > 1 then null
        when count(*) filter (where l.sub_id = a.sub_id) = 1 then min(l.id) filter (where l.sub_id = a.sub_id)
        when count(*) = 1 then min(l.id) end as id
    from (select distinct advertiser_id, site_id, sub_id from without_click where site_id is not null) a
      join offer_partners l on l.advertiser_id = a.advertiser_id and l.site_id = a.site_id
    group by a.advertiser_id, a.site_id, a.sub_id
  ), by_code as (
    select a.advertiser_id, a.promocode, case when count(*) = 1 then min(l.id) end as id
    from (select distinct advertiser_id, promocode from without_click where promocode is not null) a
      join offer_partners l on l.advertiser_id = a.advertiser_id and a.promocode = any(l.codes)
    group by a.advertiser_id, a.promocode
  )
  select ${keyOf('a.advertiser_id', 'a.site_id', 'a.sub_id', 'a.promocode')} as key, coalesce(s.id, c.id) as id,
    case when s.id is not null then 'site_id' when c.id is not null then 'promocode' end as attribution
  from without_click a
    left join by_site s on ${keyOf('s.advertiser_id', 's.site_id', 's.sub_id')} = ${keyOf('a.advertiser_id', 'a.site_id', 'a.sub_id')}
    left join by_code c on c.advertiser_id = a.advertiser_id and c.promocode = a.promocode`

/** SQL of the first deposit in a day's figures: the only deposit, else the first-day amount. */
const firstAmount = (row: string): string =>
  `case when ${row}.deposits_count = 1 or coalesce(${row}.first_day_amount, 0) = 0 then coalesce(${row}.deposits, 0) else ${row}.first_day_amount end`

/** Selects the first day with a deposit. New players are inserted with it, so that they need no update. */
const FIRST_TOLD = `create temp table first_told on commit drop as
  select distinct on (e.advertiser_id, e.outer_id) e.advertiser_id, e.outer_id, e.report_date::timestamp at time zone $1 as at, e.report_date, e.currency_id,
    ${firstAmount('e')} as amount
  from entry e where e.deposits_count > 0
  order by e.advertiser_id, e.outer_id, e.report_date`

/** Values that a player gets from the click or partner offer, as the tracker does for postbacks. */
const OWNED = `create temp table owned on commit drop as
  select i.*, y.id is null as is_new, coalesce(y.id, nextval(pg_get_serial_sequence('player', 'id'))) as player_id,
    coalesce(y.offer_partner_id, c.offer_partner_id, l.id) as paid_by, d.at as deposit_at, d.amount as deposit_amount,
    case when d.at is not null then coalesce(d.currency_id, offer_partner_currency_on(g.id, d.report_date), b.default_currency_id) end as deposit_currency_id, c.id as click_id, coalesce(c.offer_partner_id, l.id) as offer_partner_id, coalesce(c.offer_id, l.offer_id) as offer_id,
    coalesce(c.partner_id, l.partner_id) as partner_id, coalesce(c.stream_id, l.stream_id) as stream_id,
    coalesce(c.traffic_source_id, l.traffic_source_id) as traffic_source_id, c.landing_id,
    case when c.id is not null then c.site_id when l.id is not null then l.site_id else i.site_id end as own_site_id,
    case when c.id is not null then c.sub_id else coalesce(i.sub_id, l.sub_id) end as own_sub_id,
    c.sub2, c.sub3, c.sub4, c.sub5, c.partner_click_id,
    case when c.id is not null then c.promocode else i.promocode end as own_promocode,
    case when c.id is not null then c.media_id when l.id is not null then coalesce(n.media_id, v.media_id) end as media_id, c.ip_country,
    case when c.id is not null then 'click' else coalesce(k.attribution, 'none') end as attribution
  from incoming i
    left join found_click c on c.written = i.click
    left join offer_partner_of k on i.click is null
      and k.key = ${keyOf('i.advertiser_id', 'i.site_id', 'i.sub_id', 'lower(i.promocode)')}
    left join offer_partner l on l.id = k.id
    left join offer o on o.id = l.offer_id
    left join advertiser_country n on n.id = o.advertiser_country_id
    left join advertiser v on v.id = o.advertiser_id
    left join first_told d on d.advertiser_id = i.advertiser_id and d.outer_id = i.outer_id
    left join offer_partner g on g.id = coalesce(c.offer_partner_id, l.id)
    left join advertiser b on b.id = i.advertiser_id
    left join player y on y.advertiser_id = i.advertiser_id and y.outer_id = i.outer_id`

/** Updates players that a postback has created meanwhile: they are no longer new. */
const KNOWN_BY_NOW = `update owned w set is_new = false, player_id = p.id, paid_by = coalesce(p.offer_partner_id, w.paid_by)
  from player p where w.is_new and p.advertiser_id = w.advertiser_id and p.outer_id = w.outer_id`

const OWNED_COLUMNS = [
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'stream_id',
  'traffic_source_id',
  'landing_id',
  'click_id',
]
const TOLD_COLUMNS = ['sub2', 'sub3', 'sub4', 'sub5', 'partner_click_id', 'media_id', 'ip_country', 'attribution']
const TAKEN = [...OWNED_COLUMNS, ...TOLD_COLUMNS]

const ADD_PLAYERS = `insert into player (id, outer_id, advertiser_id, registered_at, actual_country_id, geo_country, site_id, sub_id, promocode,
    first_deposit_at, first_deposit_amount, first_deposit_currency_id, ${TAKEN.join(', ')})
  select w.player_id, w.outer_id, w.advertiser_id, w.registered_at, w.country_id, w.country, w.own_site_id, w.own_sub_id, w.own_promocode,
    w.deposit_at, w.deposit_amount, w.deposit_currency_id, ${TAKEN.map((name) => `w.${name}`).join(', ')}
  from owned w where w.is_new
  order by w.advertiser_id, w.outer_id
  on conflict (advertiser_id, outer_id) do nothing`

/** Attributes players that had no partner offer. */
const ATTRIBUTE_PLAYERS = `update player p set site_id = w.own_site_id, sub_id = w.own_sub_id, promocode = w.own_promocode,
    ${TAKEN.map((name) => `${name} = w.${name}`).join(', ')}
  from owned w
  where p.advertiser_id = w.advertiser_id and p.outer_id = w.outer_id and p.attribution = 'none' and w.attribution <> 'none'`

/** Fills empty values; an existing registration date changes only on request. */
const UPDATE_PLAYERS = `update player p set
    registered_at = case when $1 then coalesce(w.registered_at, p.registered_at) else coalesce(p.registered_at, w.registered_at) end,
    actual_country_id = coalesce(p.actual_country_id, w.country_id), geo_country = coalesce(p.geo_country, w.country)
  from incoming w
  where p.advertiser_id = w.advertiser_id and p.outer_id = w.outer_id and (
    (w.registered_at is not null and (p.registered_at is null or ($1 and p.registered_at <> w.registered_at)))
    or (p.actual_country_id is null and w.country_id is not null) or (p.geo_country is null and w.country is not null))`

const ALL = [...FIGURES, 'currency_id']

const isAmount = (name: Figure): boolean => name !== 'deposits_count'

/**
 * What the report says of each player and day. A figure that it has no column for stays as it is stored, and the currency, too, if it has no
 * column for any amount.
 */
function figureSql(given: readonly Figure[]): string {
  const defaults = 'offer_partner_currency_on(l.id, e.report_date), a.default_currency_id'
  const currency = `coalesce(e.currency_id, ${given.some(isAmount) ? '' : 'r.currency_id, '}${defaults})`
  const figureOf = (name: Figure): string => `coalesce(${given.includes(name) ? 'e' : 'r'}.${name}, 0)`
  const stored =
    given.length === FIGURES.length
      ? ''
      : 'left join player_report r on r.player_id = w.player_id and r.report_date = e.report_date'
  return `create temp table figure on commit drop as
  select w.player_id, w.is_new, e.line, e.report_date, ${FIGURES.map((name) => `${figureOf(name)} as ${name}`).join(', ')},
    ${currency} as currency_id
  from entry e join owned w on w.advertiser_id = e.advertiser_id and w.outer_id = e.outer_id
    join advertiser a on a.id = w.advertiser_id left join offer_partner l on l.id = w.paid_by ${stored}
  where num_nonnulls(${FIGURES.map((name) => `e.${name}`).join(', ')}) > 0`
}

/** Throws ReportRejection for lines that would put stored amounts into another currency, as the report has no column for them. */
async function rejectMixedCurrencies(client: PoolClient, given: readonly Figure[]): Promise<void> {
  const kept = FIGURES.filter((name) => isAmount(name) && !given.includes(name))
  if (kept.length === 0) return
  const { rows } = await client.query<{ line: number; value: string }>(
    `select f.line, c.value from figure f join player_report r on r.player_id = f.player_id and r.report_date = f.report_date
      join currency c on c.id = r.currency_id
    where r.currency_id is distinct from f.currency_id and (${kept.map((name) => `r.${name} <> 0`).join(' or ')})
    order by f.line limit ${ERROR_CAP}`,
  )
  if (rows.length === 0) return
  throw new ReportRejection(
    rows.map(({ line, value }) => ({ line, column: 'currency', key: 'import_currency_mixed', value })),
  )
}

const differs = `(${ALL.map((name) => `r.${name}`).join(', ')}) is distinct from (${ALL.map((name) => `f.${name}`).join(', ')})`

const UPDATE_ENTRIES = `update player_report r set ${ALL.map((name) => `${name} = f.${name}`).join(', ')}, report_id = $1
  from figure f where r.player_id = f.player_id and r.report_date = f.report_date and ${differs}`

/**
 * Inserts entries and players in one statement, entries first: uncommitted rows slow down all readers of a table, and players are read more
 * often than entries.
 */
const ADD_ENTRIES_AND_PLAYERS = `with added as (${ADD_PLAYERS})
  insert into player_report (player_id, report_date, ${ALL.join(', ')}, report_id)
  select f.player_id, f.report_date, ${ALL.map((name) => `f.${name}`).join(', ')}, $1 from figure f
  where not exists (select from player_report r where r.player_id = f.player_id and r.report_date = f.report_date)
  order by f.player_id, f.report_date
  on conflict (player_id, report_date) do nothing`

const PLAYERS_ADDED = 'select count(*) as total from owned w join player p on p.id = w.player_id where w.is_new'

/** First deposits in the reports, as a table, so that the planner knows its size. */
const TOLD_DEPOSITS = `create temp table told_deposit on commit drop as
  select distinct on (r.player_id) r.player_id, r.report_date::timestamp at time zone $1 as at, r.currency_id,
    ${firstAmount('r')} as amount
  from player_report r
  where r.player_id in (select player_id from figure where deposits_count > 0 and not is_new) and r.deposits_count > 0
  order by r.player_id, r.report_date`

/** Sets the first deposit of players without a deposit postback from the reports. New players have it already. */
const FIRST_DEPOSITS = `update player p set first_deposit_at = d.at, first_deposit_amount = d.amount, first_deposit_currency_id = d.currency_id
  from told_deposit d
  where p.id = d.player_id
    and not exists (select from player_event e where e.player_id = p.id and e.type = 'dep')
    and (p.first_deposit_at, p.first_deposit_amount, p.first_deposit_currency_id) is distinct from (d.at, d.amount, d.currency_id)`

export interface Merged {
  readonly playersAdded: number
  readonly entriesAdded: number
  readonly entriesChanged: number
}

export interface MergeOptions {
  readonly reportId: number
  /** The figures that the report has a column for. */
  readonly figures: readonly Figure[]
  readonly updatesRegistrations: boolean
  readonly businessZone: string
  /** Called between the steps with the completed fraction (0 to 1). */
  readonly onStep: (share: number) => void
}

/** Merges the staged entries. The settings of the transaction name the user and the cause. */
export async function mergeReport(client: PoolClient, options: MergeOptions): Promise<Merged> {
  const { updatesRegistrations, businessZone, onStep } = options
  await client.query(INCOMING)
  await client.query('analyze incoming')
  await client.query(OFFER_PARTNER_OF)
  await client.query('analyze offer_partner_of')
  await client.query(FIRST_TOLD, [businessZone])
  await client.query('analyze first_told')
  await client.query(OWNED)
  await client.query('analyze owned')
  onStep(0.2)
  const { entriesAdded, entriesChanged } = await writeEntries(client, options)
  await client.query(ATTRIBUTE_PLAYERS)
  await client.query(UPDATE_PLAYERS, [updatesRegistrations])
  const { rows: counted } = await client.query<{ total: number }>(PLAYERS_ADDED)
  onStep(0.9)
  await client.query(TOLD_DEPOSITS, [businessZone])
  await client.query('analyze told_deposit')
  await client.query(FIRST_DEPOSITS)
  return { playersAdded: counted[0]?.total ?? 0, entriesAdded, entriesChanged }
}

const TURNS = 5

/** Writes players and entries, and repeats if a postback created one of the new players meanwhile. */
async function writeEntries(
  client: PoolClient,
  { reportId, figures }: MergeOptions,
): Promise<Pick<Merged, 'entriesAdded' | 'entriesChanged'>> {
  for (let turn = 1; ; turn++) {
    await client.query('savepoint writing')
    try {
      await client.query(figureSql(figures))
      await client.query('create index on figure (player_id, report_date)')
      await client.query('analyze figure')
      await rejectMixedCurrencies(client, figures)
      const changed = await client.query(UPDATE_ENTRIES, [reportId])
      const added = await client.query(ADD_ENTRIES_AND_PLAYERS, [reportId])
      return { entriesAdded: added.rowCount ?? 0, entriesChanged: changed.rowCount ?? 0 }
    } catch (error) {
      if (turn === TURNS || referringTable(error) !== 'player_report') throw error
      await client.query('rollback to savepoint writing')
      await client.query(KNOWN_BY_NOW)
    }
  }
}
