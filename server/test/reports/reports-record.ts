// Puts a random world into the record, as the product's own doors would leave it, in place of the one before.
import type { Clickhouse } from '../../src/clickhouse/client.ts'
import { REBUILT_TABLES } from '../../src/facts/rebuild.ts'
import type { Postgres } from '../../src/postgres/client.ts'
import { INSERT_INBOX } from '../support/inbox-rows.ts'
import { mediaOf } from './reports-oracle.ts'
import { writeRanges } from './reports-record-terms.ts'
import { OWN_FORMULAS, titleOf } from './reports-recount.ts'
import { COUNTRIES, type Player, type PlayerEvent, sumsOf, type World } from './reports-world.ts'

const EMPTIED = [
  'click_inbox',
  'click_writer',
  'outbox',
  'player',
  'player_report',
  'partner_spend',
  'currency_rate',
  'ledger_rate',
  'country',
  'product',
  'traffic_source',
  'landing',
  'advertiser',
  'partner_group',
  'partner_tag',
  'partner',
  'offer_partner_tag',
  '"user"',
  'payment_model_share_history',
  'agency_percentage_history',
]
const FACTS = [...['click', ...REBUILT_TABLES], ...['player_fact_log', 'activity_fact_log', 'spend_fact_log']]

export async function clearWorld(postgres: Postgres, clickhouse: Clickhouse): Promise<void> {
  // Without triggers: the ledger is append-only.
  await postgres.pool.query(
    `begin; set local session_replication_role = replica; truncate ${EMPTIED.join(', ')} cascade; commit`,
  )
  for (const table of FACTS) await clickhouse.exec(`truncate table ${table}`)
}

export async function writeDirectory(postgres: Postgres, world: World): Promise<void> {
  const put = makePut(postgres)
  await postgres.pool.query(
    `insert into currency (id, title, value) values (1, 'Euro', 'EUR'), (2, 'Dollar', 'USD'), (3, 'Nothing', 'ZZZ') on conflict do nothing`,
  )
  for (const [index, { now }] of world.dated.models.entries())
    await postgres.pool.query('update payment_model set title = $2, cost = $3, cpa_price_day = $4 where id = $1', [
      index + 1,
      titleOf(index + 1),
      now.share,
      now.priceDay,
    ])
  await postgres.pool.query(
    'update setting set report_currency_id = 1, business_time_zone = $1, agency_spend_percentage = $2',
    [world.zone, world.agencyPercentage],
  )
  await put(
    'currency_rate',
    world.rates.map(({ day, rate }) => ({ currency_id: 2, date: day, rate })),
  )
  await put(
    'country',
    COUNTRIES.map((code, index) => ({ id: index + 1, title: titleOf(index + 1), code, currency_id: 1 })),
  )
  await put(
    'product',
    world.products.map((id) => ({ id, title: titleOf(id) })),
  )
  for (const table of ['traffic_source', 'partner_tag', 'offer_partner_tag'])
    await put(
      table,
      [1, 2].map((id) => ({ id, title: titleOf(id) })),
    )
  await put(
    'landing',
    [1, 2].map((id) => ({ id, title: titleOf(id), value: `/${id}` })),
  )
  await put(
    'partner_group',
    [1, 2, 3].map((id) => ({ id, title: titleOf(id) })),
  )
  await put(
    '"user"',
    [1, 2, 3].map((id) => ({ id, full_name: titleOf(id), email: `u${id}@tributary.test`, role_id: 3 })),
  )
  await put(
    'advertiser',
    [1, 2].map((id) => ({
      id,
      title: titleOf(id),
      default_domain: 'https://a.test',
      default_currency_id: 1,
      media_id: `m${id}`,
    })),
  )
  await put(
    'advertiser_country',
    [1, 2].flatMap((advertiser) =>
      [1, 2].map((country) => ({ id: advertiser * 10 + country, advertiser_id: advertiser, country_id: country })),
    ),
  )
  await put(
    'offer',
    world.offers.map((row) => ({
      id: row.id,
      title: titleOf(row.id),
      advertiser_id: row.advertiser,
      advertiser_country_id: row.advertiser * 10 + row.country,
      payment_model_id: row.model + 1,
      currency_id: row.currency,
      cost: row.cost,
      rs_share: row.share,
      days: row.days,
      baseline: row.baseline,
      product_id: row.product,
    })),
  )
  await put(
    'partner',
    world.partners.map((row) => ({ id: row.id, title: titleOf(row.id) })),
  )
  await put(
    'partner_partner_tag',
    world.partners.flatMap((row) => row.tags.map((tag) => ({ partner_id: row.id, partner_tag_id: tag }))),
  )
  const memberships = world.partners.flatMap((row) =>
    row.groups.map((group, index) => ({ ...group, partner: row.id, id: row.id * 10 + index })),
  )
  await put(
    'partner_partner_group',
    memberships.map((row) => ({ id: row.id, partner_id: row.partner, partner_group_id: row.group })),
  )
  await put(
    'partner_group_manager',
    memberships.flatMap((row) =>
      row.managers.map((manager, index) => ({
        id: row.id * 10 + index,
        partner_partner_group_id: row.id,
        user_id: manager.user,
        is_main: manager.isMain,
      })),
    ),
  )
  await put(
    'partner_advertiser_affiliate',
    world.affiliates.map((row) => ({ partner_id: row.partner, advertiser_id: row.advertiser, affiliate_id: row.id })),
  )
  await put(
    'partner_stream',
    world.streams.map((row) => ({
      id: row.id,
      partner_id: row.partner,
      title: titleOf(row.id),
      traffic_source_id: row.source,
    })),
  )
  await put(
    'offer_partner',
    world.links.map((row) => ({
      id: row.id,
      offer_id: row.offer,
      partner_id: row.partner,
      stream_id: row.stream,
      traffic_source_id: row.source,
      site_id: row.site,
      sub_id: row.sub,
      currency_id: row.currency,
      baseline: row.baseline,
      baseline_period_days: row.period,
      max_days_from_registration: row.maxDays,
      bet_requirement: row.bets,
      country_requirement: row.needsCountry,
      active: row.isActive,
    })),
  )
  await put(
    'offer_partner_offer_partner_tag',
    world.links.flatMap((row) => row.tags.map((tag) => ({ offer_partner_id: row.id, offer_partner_tag_id: tag }))),
  )
  await writeRanges(put, world)
}

/** Columns of one's own; their ids are their places in the list, from 1. */
export async function writeFormulas(postgres: Postgres): Promise<void> {
  const rows = OWN_FORMULAS.map(({ title, expression, unit }, place) => ({
    id: place + 1,
    title,
    expression,
    unit,
    user_id: 1,
  }))
  await makePut(postgres)('report_formula', rows)
}

export async function writeClicks(postgres: Postgres, world: World): Promise<void> {
  const { rows } = await postgres.pool.query<{ id: number }>('insert into click_writer default values returning id')
  const writer = rows[0]?.id ?? 0
  await postgres.pool.query(INSERT_INBOX, [
    JSON.stringify(
      world.clicks.map((click) => {
        const link = world.links[click.link - 1]
        const offer = world.offers[(link?.offer ?? 1) - 1]
        return {
          id: click.id,
          writer,
          created_at: new Date(click.at).toISOString(),
          offer_partner_id: click.link,
          offer_id: offer?.id,
          partner_id: link?.partner,
          advertiser_id: offer?.advertiser,
          landing_id: click.landing,
          stream_id: link?.stream,
          traffic_source_id: link?.source,
          country_id: offer?.country,
          bot: click.isBot,
          canonical_id: click.isDuplicate ? world.clicks[0]?.id : null,
          site_id: link?.site,
          sub_id: click.sub,
          promocode: click.promocode,
          media_id: mediaOf(link, world),
          ip: '192.0.2.1',
          ip_country: click.ipCountry,
          url: '/',
          target: 'https://a.test',
        }
      }),
    ),
  ])
}

export async function writePlayers(postgres: Postgres, world: World): Promise<void> {
  const put = makePut(postgres)
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  await put(
    'player',
    world.players.map((row) => ({
      id: row.id,
      advertiser_id: row.advertiser,
      outer_id: row.outer,
      click_id: row.click,
      registered_at: time(row.registeredAt),
      actual_country_id: row.actualCountry,
      landing_id: row.landing,
      sub_id: row.sub,
      promocode: row.promocode,
      payment_resolution: row.resolution,
      active: row.isActive,
      ...attributionOf(row, world),
    })),
  )
}

/** What a player has of the link that they came by. */
export function attributionOf({ link: id }: Player, world: World): Record<string, unknown> {
  const link = id === null ? undefined : world.links[id - 1]
  return {
    offer_partner_id: link?.id ?? null,
    offer_id: link?.offer ?? null,
    partner_id: link?.partner ?? null,
    stream_id: link?.stream ?? null,
    traffic_source_id: link?.source ?? null,
    site_id: link?.site ?? null,
    media_id: mediaOf(link, world),
    attribution: link === undefined ? 'none' : 'click',
  }
}

/** An event that was told twice is entered once, by its identity. Later calls need another `name`. */
export async function writeEvents(postgres: Postgres, events: readonly PlayerEvent[], name = ''): Promise<void> {
  const put = makePut(postgres)
  const rows = events.map((row, index) => ({
    player_id: row.player,
    type: row.type,
    happened_at: new Date(row.at).toISOString(),
    amount: row.amount,
    currency_id: row.currency,
    identity: `${row.at} ${index}${name}`,
  }))
  await put('player_event', rows)
  await put('player_event', rows.slice(0, 10), 'on conflict do nothing')
}

export async function writeBooks(postgres: Postgres, world: World): Promise<void> {
  const put = makePut(postgres)
  await put(
    'player_report',
    world.reports.map((row) => ({
      player_id: row.player,
      report_date: row.day,
      currency_id: row.currency,
      deposits_count: row.count,
      deposits: row.deposits,
      first_day_amount: row.firstDay,
      bets: row.bets,
      income: row.income,
    })),
  )
  await put(
    'partner_spend',
    world.spends.map((row) => ({
      id: row.id,
      stream_id: row.stream,
      site_id: row.site,
      country_id: row.country,
      date: row.day,
      ...sumsOf(row),
      source: row.source ?? 'manual',
      currency_id: row.currency,
      active: row.isActive,
    })),
  )
}

export function makePut(postgres: Postgres) {
  return async (table: string, rows: readonly Record<string, unknown>[], tail = ''): Promise<void> => {
    const [first] = rows
    if (first === undefined) return
    const columns = Object.keys(first)
    const values = rows.map(
      (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
    )
    await postgres.pool.query(
      `insert into ${table} (${columns.join(', ')}) values ${values.join(', ')} ${tail}`,
      rows.flatMap((row) => columns.map((column) => row[column])),
    )
  }
}
