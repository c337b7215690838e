// Makes a year of facts inside ClickHouse by arithmetic, so that every run measures the same data: skewed partner offers, returning players.
import type { Clickhouse } from '../server/src/clickhouse/client.ts'
import { sizeOf } from './figure.ts'

export interface Size {
  readonly clicks: number
  readonly registrations: number
  readonly deposits: number
  /** Partner offers with entered spend on every day. */
  readonly spendOfferPartners: number
}

/** The full size, for which the budgets are; other sizes are fractions of it. */
export const FULL: Size = {
  clicks: 20_000_000,
  registrations: 1_500_000,
  deposits: 6_000_000,
  spendOfferPartners: 3560,
}
export const SIZE = sizeOf(FULL.clicks)

export const part = (share: number): Size => ({
  clicks: Math.round(FULL.clicks * share),
  registrations: Math.round(FULL.registrations * share),
  deposits: Math.round(FULL.deposits * share),
  spendOfferPartners: FULL.spendOfferPartners,
})

export const OFFER_PARTNERS = 11_026
export const OFFERS = 300
export const PARTNERS = 400
export const SOURCES = 25
export const COUNTRIES = 60
export const FIRST_DAY = '2025-11-01'
export const DAYS = 365

/** Columns of a partner offer, from its number. */
const link = (number: string): string => `toUInt32(${number}) as offer_partner_id,
  toUInt32(cityHash64(offer_partner_id, 1) % ${OFFERS} + 1) as offer_id,
  toUInt32(cityHash64(offer_partner_id, 2) % ${PARTNERS} + 1) as partner_id,
  toUInt32(offer_id % 6 + 1) as advertiser_id,
  toUInt32(offer_partner_id % 50 + 1) as landing_id,
  toUInt32(partner_id * 10 + offer_partner_id % 10) as stream_id,
  toUInt32(stream_id % ${SOURCES} + 1) as traffic_source_id,
  toUInt32(offer_id % ${COUNTRIES} + 1) as country_id,
  concat('site', toString(offer_partner_id)) as site_id`

/** A partner offer's number, popular ones far more often. */
const skewed = (seed: string): string =>
  `toUInt32(pow((cityHash64(${seed}) % 1000003) / 1000003, 2.2) * ${OFFER_PARTNERS}) + 1`

const DAY_ZERO = `toDate('${FIRST_DAY}')`
const MONTHS = 12

export async function seedFacts(clickhouse: Clickhouse, size: Size): Promise<void> {
  for (const table of ['click', 'activity_fact', 'spend_fact', 'offer_map', 'partner_map', 'affiliate_map'])
    await clickhouse.exec(`truncate table ${table}`)
  await seedClicks(clickhouse, size)
  await seedActivity(clickhouse, size)
  await seedSpends(clickhouse, size)
  await seedMaps(clickhouse)
  for (const table of ['click', 'activity_fact', 'spend_fact'])
    await clickhouse.exec(`optimize table ${table} final`, {}, { maxSeconds: 1800 })
}

async function seedClicks(clickhouse: Clickhouse, { clicks }: Size): Promise<void> {
  const step = Math.ceil(clicks / MONTHS)
  for (let month = 0; month < MONTHS; month++) {
    await clickhouse.exec(
      `insert into click (id, day, created_at, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id,
        traffic_source_id, country_id, site_id, bot, is_click, is_unique, sub_id, ip_country)
      select generateUUIDv7(), day, toDateTime64(day, 3) + n % 86400, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id,
        stream_id, traffic_source_id, country_id, site_id, bot, is_click, is_unique, concat('s', toString(n % 5000)), 'DE'
      from (
        select number as n, ${DAY_ZERO} + toUInt16(n * ${DAYS} / ${clicks}) as day, ${link(skewed('n, 3'))},
          toUInt8(cityHash64(n, 4) % 25 = 0) as bot, toUInt8(1 - bot) as is_click, toUInt8(is_click and cityHash64(n, 5) % 5 != 0) as is_unique
        from numbers({first:UInt64}, {step:UInt64})
      )`,
      { first: month * step, step },
      { maxSeconds: 1800 },
    )
  }
}

/** Players in pieces, so that the joins fit into the memory that a query may have. */
async function seedActivity(clickhouse: Clickhouse, size: Size): Promise<void> {
  const step = Math.ceil(size.registrations / MONTHS)
  for (let first = 0; first < size.registrations; first += step)
    await seedPlayers(clickhouse, size, first, Math.min(step, size.registrations - first))
}

async function seedPlayers(
  clickhouse: Clickhouse,
  { registrations, deposits }: Size,
  first: number,
  count: number,
): Promise<void> {
  const dayOf = (number: string) => `${DAY_ZERO} + toUInt16(${number} * ${DAYS} / ${registrations})`
  const players = `select toUInt64(number + 1) as player_id, ${dayOf('number')} as registered_day, ${link(skewed('number, 6'))}
    from numbers(${first}, ${count})`
  // Every fifth player deposits, each for ninety days at most.
  const events = `select player_id, registered_day as day, toUInt8(1) as registered, 0 as deposit from (${players})
    union all
    select p as player_id, least(${DAY_ZERO} + ${DAYS - 1}, ${dayOf('(p - 1)')} + toUInt16(cityHash64(number, 8) % 90)) as day,
      toUInt8(0) as registered, cityHash64(number, 9) % 20000 + 1000 as deposit
    from (select number, toUInt64(cityHash64(number, 7) % ${Math.ceil(registrations / 5)}) * 5 + 1 as p from numbers(${deposits}))
    where p > ${first} and p <= ${first + count}`
  await clickhouse.exec(
    `insert into activity_fact (day, player_id, version, is_deleted, registrations, first_deposits, deposits_count, deposits, first_amount,
      first_day_amount, bets, income, cpa_spend, rs_spend, previous_day, previous_bet_day, registered_day, first_deposit_day,
      qualification, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id,
      site_id, outer_id)
    select days.day, days.player_id, 1, 0, days.registered, days.day = firsts.first, days.n, days.amount,
      if(days.day = firsts.first, days.amount / 2, 0), if(days.day = firsts.first, days.amount, 0), days.amount * 3, days.amount * 0.4,
      if(days.day = firsts.first, 25, 0), 0, days.previous, days.previous_bet, registered_day, firsts.first, 'unqualified',
      offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, site_id,
      concat('p', toString(days.player_id))
    from (
      select player_id, day, registered, n, amount,
        lagInFrame(day) over (partition by player_id order by day rows between unbounded preceding and current row) as previous,
        max(if(n > 0, day, toDate(0))) over (partition by player_id order by day rows between unbounded preceding and 1 preceding)
          as previous_bet
      from (
        select player_id, day, max(registered) as registered, countIf(deposit > 0) as n, toDecimal64(sum(deposit) / 100, 4) as amount
        from (${events}) group by player_id, day
      )
    ) as days
    join (${players}) as players on players.player_id = days.player_id
    left join (select player_id, min(day) as first from (${events}) where deposit > 0 group by player_id) as firsts
      on firsts.player_id = days.player_id`,
    {},
    { maxSeconds: 1800 },
  )
}

/** Entered day by day, as bookkeepers do: ids follow the days. */
async function seedSpends(clickhouse: Clickhouse, { spendOfferPartners }: Size): Promise<void> {
  await clickhouse.exec(
    `insert into spend_fact (spend_id, version, is_deleted, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id,
      traffic_source_id, country_id, site_id, base, sum)
    select number + 1, 1, 0, ${DAY_ZERO} + toUInt16(intDiv(number, ${spendOfferPartners})), offer_partner_id, offer_id, partner_id, advertiser_id, stream_id,
      traffic_source_id, country_id, site_id, toDecimal64(number % 90 + 10, 4), toDecimal64(number % 90 + 10, 4) * 1.1
    from (select number, ${link(`number % ${spendOfferPartners} + 1`)} from numbers(${spendOfferPartners * DAYS}))`,
    {},
    { maxSeconds: 1800 },
  )
}

async function seedMaps(clickhouse: Clickhouse): Promise<void> {
  await clickhouse.exec(`insert into offer_map (offer_id, version, is_deleted, advertiser_id, country_id, payment_model_id, payment_model_type, product_id)
    select number + 1, 1, 0, (number + 1) % 6 + 1, (number + 1) % ${COUNTRIES} + 1, number % 4 + 1, 'CPA', number % 5 + 1 from numbers(${OFFERS})`)
  await clickhouse.exec(`insert into partner_map (partner_id, version, is_deleted, main_manager_id, main_partner_group_id, manager_ids, partner_group_ids, partner_tag_ids)
    select number + 1, 1, 0, number % 12 + 1, number % 5 + 1, [number % 12 + 1], [number % 5 + 1], [] from numbers(${PARTNERS})`)
}
