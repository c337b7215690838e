// Makes a change of a history, in the naive network and in the record.
import type { Postgres } from '../../src/postgres/client.ts'
import { attributionOf, makePut, writeEvents } from '../reports/reports-record.ts'
import { HISTORIES, writeRanges } from '../reports/reports-record-terms.ts'
import { addDays, sumsOf, type World } from '../reports/reports-world.ts'
import type { Change } from './ledger-history.ts'

/** The business time zone is a setting, which goes through the API. */
export type RecordChange = Exclude<Change, { of: 'zone' }>
type Made<Of extends RecordChange['of']> = Extract<RecordChange, { of: Of }>
type Make<Of extends RecordChange['of']> = (world: World, postgres: Postgres, change: Made<Of>) => Promise<void>

const at = <T>(rows: readonly T[], place: number): T | undefined => rows[place % Math.max(rows.length, 1)]

const DAY_MS = 86_400_000
const NO_TERMS = { links: [], offers: [], dated: { models: [], agency: [] } }
const OF_LINKS = [
  ...HISTORIES.map(([table]) => table),
  'offer_partner_currency_history',
  'offer_partner_country_requirement_history',
]

const makers: { readonly [Of in RecordChange['of']]: Make<Of> } = {
  async event(world, postgres, { row, type, at: time, amount, currency }) {
    const event = { player: at(world.players, row)?.id ?? 1, type, at: time, amount, currency }
    await writeEvents(postgres, [event], `late ${world.events.length}`)
    world.events.push(event)
  },
  async report(world, { pool }, { row, day, currency, deposits, income }) {
    const player = at(world.players, row)?.id ?? 1
    const report = { player, day, currency, count: deposits === 0 ? 0 : 1, deposits, firstDay: 0, bets: 50, income }
    world.reports = [...world.reports.filter((one) => one.player !== player || one.day !== day), report]
    await pool.query(
      `insert into player_report (player_id, report_date, currency_id, deposits_count, deposits, first_day_amount, bets, income)
        values ($1, $2, $3, $4, $5, 0, 50, $6)
        on conflict (player_id, report_date) do update set currency_id = excluded.currency_id, deposits_count = excluded.deposits_count,
          deposits = excluded.deposits, first_day_amount = 0, bets = 50, income = excluded.income`,
      [player, day, currency, report.count, deposits, income],
    )
  },
  /** An advertiser corrects the days of all that players of a partner offer did. */
  async days(world, { pool }, { row, by }) {
    const players = world.players.filter(({ link }) => link === at(world.links, row)?.id)
    const ids = players.map(({ id }) => id)
    for (const player of players) if (player.registeredAt !== null) player.registeredAt += by * DAY_MS
    for (const event of world.events) if (ids.includes(event.player)) event.at += by * DAY_MS
    for (const report of world.reports) if (ids.includes(report.player)) report.day = addDays(report.day, by)
    const seconds = (by * DAY_MS) / 1000
    await pool.query('update player set registered_at = registered_at + make_interval(secs => $2) where id = any($1)', [
      ids,
      seconds,
    ])
    await pool.query(
      'update player_event set happened_at = happened_at + make_interval(secs => $2) where player_id = any($1)',
      [ids, seconds],
    )
    // By way of days without reports, because a player has one report a day.
    for (const days of [1000 + by, -1000])
      await pool.query('update player_report set report_date = report_date + $2::int where player_id = any($1)', [
        ids,
        days,
      ])
  },
  async 'report withdrawn'(world, { pool }, { row }) {
    const report = at(world.reports, row)
    world.reports = world.reports.filter((one) => one !== report)
    await pool.query('delete from player_report where player_id = $1 and report_date = $2', [
      report?.player,
      report?.day,
    ])
  },
  async assignment(world, { pool }, { row, link: place }) {
    const player = at(world.players, row)
    if (player === undefined) return
    const others = world.links.filter(({ offer }) => world.offers[offer - 1]?.advertiser === player.advertiser)
    player.link = place === 0 ? null : (at(others, place)?.id ?? null)
    const columns = Object.entries(attributionOf(player, world))
    const set = columns.map(([column], index) => `${column} = $${index + 2}`).join(', ')
    await pool.query(`update player set ${set} where id = $1`, [player.id, ...columns.map(([, value]) => value)])
  },
  async resolution(world, { pool }, { row, resolution }) {
    const player = at(world.players, row)
    if (player === undefined) return
    player.resolution = resolution
    await pool.query('update player set payment_resolution = $2 where id = $1', [player.id, resolution])
  },
  async activity(world, { pool }, { row }) {
    const player = at(world.players, row)
    if (player === undefined) return
    player.isActive = !player.isActive
    await pool.query('update player set active = $2 where id = $1', [player.id, player.isActive])
  },
  async spend(world, { pool }, { row, ...change }) {
    const spend = at(world.spends, row)
    if (
      spend === undefined ||
      world.spends.some((one) => one !== spend && isSamePlace(one, { ...spend, day: change.day }))
    )
      return
    Object.assign(spend, { day: change.day, sum: change.sum, currency: change.currency, isActive: change.isActive })
    await pool.query(
      `update partner_spend set sum = $2, claim_sum = $3, claim_currency_id = $4, date = $5, currency_id = $6, active = $7
        where id = $1`,
      [spend.id, ...Object.values(sumsOf(spend)), spend.day, spend.currency, spend.isActive],
    )
  },
  async claims(world, { pool }) {
    for (const spend of world.spends) spend.state = 'accepted'
    for (const { id, sum } of world.spends)
      await pool.query('update partner_spend set sum = $2, claim_sum = null, claim_currency_id = null where id = $1', [
        id,
        sum,
      ])
  },
  async 'partner offer'(world, postgres, { row, dated, limits, isActive }) {
    const link = at(world.links, row)
    if (link === undefined) return
    Object.assign(link, { dated, limits, isActive })
    for (const table of OF_LINKS)
      await postgres.pool.query(`delete from ${table} where offer_partner_id = $1`, [link.id])
    await postgres.pool.query('update offer_partner set active = $2 where id = $1', [link.id, isActive])
    await writeRanges(makePut(postgres), { ...world, ...NO_TERMS, links: [link] })
  },
  async offer(world, postgres, { row, dated, values, model }) {
    const offer = at(world.offers, row)
    if (offer === undefined) return
    Object.assign(offer, values, { dated, model })
    for (const table of ['offer_payment_model_history', 'offer_terms_history'])
      await postgres.pool.query(`delete from ${table} where offer_id = $1`, [offer.id])
    await postgres.pool.query(
      'update offer set payment_model_id = $2, cost = $3, rs_share = $4, currency_id = $5, days = $6, baseline = $7 where id = $1',
      [offer.id, model + 1, values.cost, values.share, values.currency, values.days, values.baseline],
    )
    await writeRanges(makePut(postgres), { ...world, ...NO_TERMS, offers: [offer] })
  },
  async settings(world, postgres, { dated, percentage }) {
    Object.assign(world, { dated, agencyPercentage: percentage })
    await postgres.pool.query('delete from payment_model_share_history')
    await postgres.pool.query('delete from agency_percentage_history')
    await postgres.pool.query('update setting set agency_spend_percentage = $1', [percentage])
    for (const [index, { now }] of dated.models.entries())
      await postgres.pool.query('update payment_model set cost = $2, cpa_price_day = $3 where id = $1', [
        index + 1,
        now.share,
        now.priceDay,
      ])
    await writeRanges(makePut(postgres), { ...world, ...NO_TERMS, dated })
  },
  async rate(world, { pool }, { day, rate }) {
    world.rates = [...world.rates.filter((one) => one.day !== day), { day, rate }]
    await pool.query(
      'insert into currency_rate (currency_id, date, rate) values (2, $1, $2) on conflict (currency_id, date) do update set rate = excluded.rate',
      [day, rate],
    )
  },
  async stream(world, { pool }, { row, partner }) {
    const stream = at(world.streams, row)
    if (stream === undefined) return
    stream.partner = at(world.partners, partner)?.id ?? 1
    await pool.query('update partner_stream set partner_id = $2 where id = $1', [stream.id, stream.partner])
  },
  async partner(world, postgres) {
    const id = world.partners.length + 1
    world.partners.push({ id, groups: [], tags: [] })
    await makePut(postgres)('partner', [{ id, title: `Later ${id}` }])
  },
}

const isSamePlace = (a: World['spends'][number], b: World['spends'][number]): boolean =>
  a.stream === b.stream && a.site === b.site && a.country === b.country && a.day === b.day

export const makeChange = <Of extends RecordChange['of']>(
  world: World,
  postgres: Postgres,
  change: Made<Of> & { of: Of },
): Promise<void> => (makers[change.of] as Make<Of>)(world, postgres, change)
