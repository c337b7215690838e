// From a change in PostgreSQL to the rows that reports read.

import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Clickhouse } from '../../src/clickhouse/client.ts'
import { createOutboxProjector, type OutboxProjector } from '../../src/facts/outbox-projector.ts'
import type { QualifiedPlayer } from '../../src/facts/players/qualification-marks.ts'
import { createProjection } from '../../src/facts/projection.ts'
import type { Postgres } from '../../src/postgres/client.ts'
import { addEvent, addPlayer, addReport, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { startTestServices } from '../support/harness.ts'

let postgres: Postgres
let clickhouse: Clickhouse
let record: FactsRecord
let projector: OutboxProjector
let qualified: QualifiedPlayer[] = []
let sql: ReturnType<typeof sqlOf>

beforeAll(async () => {
  const services = await startTestServices()
  postgres = services.postgres
  clickhouse = services.clickhouse
  sql = sqlOf(postgres)
  record = await writeFactsRecord(postgres)
})

beforeEach(() => {
  qualified = []
  projector = makeProjector()
})

function makeProjector(): OutboxProjector {
  const projection = createProjection(postgres, clickhouse, {
    onQualified: async (_, players) => void qualified.push(...players),
  })
  return createOutboxProjector(postgres, clickhouse, projection)
}

async function settle(by: OutboxProjector = projector): Promise<void> {
  while ((await by.projectOnce()).hasMore);
}

const CURRENT = 'settings do_not_merge_across_partitions_select_final = 1'
const daysOf = (player: number) =>
  clickhouse.query<Record<string, unknown>>(
    `select * except (version, player_id) from activity_fact final where player_id = {player:UInt32} and is_deleted = 0 order by day ${CURRENT}`,
    { player },
  )
async function playerRow(player: number) {
  const statement = `select * from player_fact final where player_id = {player:UInt32} ${CURRENT}`
  return (await clickhouse.query<Record<string, unknown>>(statement, { player }))[0]
}
const logOf = (player: number) =>
  clickhouse.query<{ day: string; is_deleted: number; cause: string }>(
    'select day, is_deleted, cause from activity_fact_log where player_id = {player:UInt32} order by version, day',
    { player },
  )

test('registrations, deposits and bets count on their own business days, in the report currency [REP-15][REP-02]', async () => {
  const [link] = record.links
  // In Kyiv (UTC+2), 21:30Z on the 10th is still the 10th, and 22:30Z is the 11th.
  const player = await addPlayer(postgres, link, '2026-02-10T21:30:00Z')
  await addEvent(postgres, player, 'dep', '2026-02-10T22:30:00Z', 100, record.usd)
  await addEvent(postgres, player, 'dep', '2026-02-11T10:00:00Z', 33.3333, record.usd)
  await addEvent(postgres, player, 'bet', '2026-03-02T10:00:00Z', 10, record.usd)
  await settle()
  const days = await daysOf(player)
  expect(
    days.map((row) => [row.day, row.registrations, row.first_deposits, row.deposits_count, row.deposits, row.bets]),
  ).toEqual([
    ['2026-02-10', 1, 0, 0, '0', '0'],
    ['2026-02-11', 0, 1, 2, '66.6667', '0'],
    ['2026-03-02', 0, 0, 0, '0', '8'],
  ])
  expect(days[1]).toMatchObject({
    first_amount: '50',
    first_day_amount: '66.6667',
    registered_day: '2026-02-10',
    source: 'postback',
  })
  expect(days.map((row) => [row.previous_day, row.previous_bet_day])).toEqual([
    ['1970-01-01', '1970-01-01'],
    ['2026-02-10', '1970-01-01'],
    ['2026-02-11', '1970-01-01'],
  ])
  expect(await playerRow(player)).toMatchObject({
    country_id: record.countries[0],
    first_deposit_at: '2026-02-10 22:30:00.000',
  })
})

test('a qualified player is marked once, announced once and costs the terms of that day; the mark keeps the version [PLY-04] [FORM-07]', async () => {
  const [link] = record.links
  await sql(
    `insert into offer_partner_cost_history (offer_partner_id, value, date_from, date_to) values ($1, 30, '2026-02-01', '2026-02-28')`,
    [link],
  )
  const player = await addPlayer(postgres, link, '2026-02-27T10:00:00Z')
  await addEvent(postgres, player, 'dep', '2026-02-28T10:00:00Z', 60, record.eur)
  await settle()
  expect(await sql('select qualification, qualified_at, version from player where id = $1', [player])).toEqual([
    { qualification: 'qualified', qualified_at: '2026-02-28', version: 1 },
  ])
  expect((await daysOf(player)).at(-1)).toMatchObject({ day: '2026-02-28', qualified_players: 1, cpa_spend: '30' })
  expect(qualified.filter(({ id }) => id === player)).toHaveLength(1)

  await sql(`update player set payment_resolution = 'not_approved' where id = $1`, [player])
  await settle()
  expect((await daysOf(player)).at(-1)).toMatchObject({ qualified_players: 1, cpa_spend: '0' })
  await sql('update player set payment_resolution = null where id = $1', [player])

  await sql('update offer_partner set baseline = 70 where id = $1', [link])
  await settle()
  expect(await sql('select qualification, qualified_at from player where id = $1', [player])).toEqual([
    { qualification: 'lost', qualified_at: null },
  ])
  expect((await daysOf(player)).at(-1)).toMatchObject({ qualified_players: 0, cpa_spend: '0', qualification: 'lost' })

  await sql('update offer_partner set baseline = 50 where id = $1', [link])
  await sql('delete from offer_partner_cost_history where offer_partner_id = $1', [link])
  await settle()
  expect((await daysOf(player)).at(-1)).toMatchObject({ qualified_players: 1, cpa_spend: '40' })
  expect(qualified.filter(({ id }) => id === player)).toHaveLength(1)
})

test('revenue share uses the percentage of the day, CPA+RS uses both terms [REP-02]', async () => {
  const [, rs, both] = record.links
  await sql(
    `insert into offer_partner_rs_share_history (offer_partner_id, value, date_from) values ($1, 25, '2026-04-02')`,
    [rs],
  )
  const first = await addPlayer(postgres, rs, '2026-04-01T10:00:00Z')
  await addReport(postgres, first, '2026-04-01', record.eur, { income: 100 })
  await addReport(postgres, first, '2026-04-02', record.eur, { income: -10 })
  const second = await addPlayer(postgres, both, '2026-04-01T10:00:00Z')
  await addReport(postgres, second, '2026-04-03', record.eur, { income: 50, deposits: 50, deposits_count: 1 })
  await settle()
  expect((await daysOf(first)).map((row) => [row.rs_spend, row.cpa_spend])).toEqual([
    ['40', '0'],
    ['-2.5', '0'],
  ])
  expect((await daysOf(second)).at(-1)).toMatchObject({
    rs_spend: '5',
    cpa_spend: '40',
    first_deposits: 1,
    first_amount: '50',
  })
})

test('a report replaces the postbacks of its day, and the same report replaces itself [PLY-04][REP-15]', async () => {
  const [link] = record.links
  const player = await addPlayer(postgres, link, '2026-05-01T10:00:00Z')
  await addEvent(postgres, player, 'dep', '2026-05-02T10:00:00Z', 20, record.eur)
  await addEvent(postgres, player, 'dep', '2026-05-03T10:00:00Z', 20, record.eur)
  await settle()
  for (let time = 0; time < 2; time++) {
    await addReport(postgres, player, '2026-05-02', record.eur, {
      deposits: 25,
      deposits_count: 2,
      first_day_amount: 24,
      bets: 7,
      income: 3,
    })
    await settle()
    expect((await daysOf(player)).map((row) => [row.day, row.source, row.deposits_count, row.deposits])).toEqual([
      ['2026-05-01', 'none', 0, '0'],
      ['2026-05-02', 'report', 2, '25'],
      ['2026-05-03', 'postback', 1, '20'],
    ])
    expect((await daysOf(player))[1]).toMatchObject({
      first_amount: '20',
      first_day_amount: '24',
      bets: '7',
      income: '3',
    })
  }
  await addReport(postgres, player, '2026-05-02', record.eur, {
    deposits: 0,
    deposits_count: 0,
    first_day_amount: 0,
    bets: 0,
    income: 0,
  })
  await settle()
  expect((await daysOf(player)).map((row) => [row.day, row.first_deposits])).toEqual([
    ['2026-05-01', 0],
    ['2026-05-03', 1],
  ])
})

test('projecting again changes nothing and adds nothing to the log [SYS-06]', async () => {
  const [link] = record.links
  const player = await addPlayer(postgres, link, '2026-05-11T10:00:00Z')
  await addEvent(postgres, player, 'dep', '2026-05-12T10:00:00Z', 20, record.eur)
  await settle()
  const before = [await daysOf(player), await playerRow(player), await logOf(player)]
  await sql(`insert into outbox (kind, key, cause) values ('player', $1, 'again'), ('link', $2, 'again')`, [
    player,
    link,
  ])
  await settle()
  expect([await daysOf(player), await playerRow(player), await logOf(player)]).toEqual(before)
})

test('late events, a reassigned player and a deleted player change their rows [PLY-04]', async () => {
  const [link, other] = record.links
  const player = await addPlayer(postgres, link, '2026-06-10T10:00:00Z')
  await addEvent(postgres, player, 'dep', '2026-06-12T10:00:00Z', 20, record.eur)
  await settle()
  await addEvent(postgres, player, 'dep', '2026-06-11T10:00:00Z', 5, record.eur)
  await sql('update player set offer_partner_id = $2 where id = $1', [player, other])
  await settle()
  expect(
    (await daysOf(player)).map((row) => [row.day, row.first_deposits, row.first_amount, row.offer_partner_id]),
  ).toEqual([
    ['2026-06-10', 0, '0', other],
    ['2026-06-11', 1, '5', other],
    ['2026-06-12', 0, '0', other],
  ])
  await sql('delete from player_report where player_id = $1', [player])
  await sql('delete from player where id = $1', [player])
  await settle()
  expect(await daysOf(player)).toEqual([])
  expect(await playerRow(player)).toMatchObject({ is_deleted: 1 })
  expect((await logOf(player)).slice(-3)).toEqual(
    ['2026-06-10', '2026-06-11', '2026-06-12'].map((day) => ({ day, is_deleted: 1, cause: 'delete player_event' })),
  )
})

test('an amount without a rate is excluded with a warning; a later rate includes it [REP-02]', async () => {
  const [link] = record.links
  const player = await addPlayer(postgres, link, '2026-06-20T10:00:00Z')
  await addEvent(postgres, player, 'dep', '2026-06-21T10:00:00Z', 20, record.zzz)
  await settle()
  expect((await daysOf(player)).at(-1)).toMatchObject({ deposits_count: 1, deposits: '0', rate_missing: 1 })
  await sql(`insert into currency_rate (currency_id, date, rate) values ($1, '2026-06-21', 2)`, [record.zzz])
  await settle()
  expect((await daysOf(player)).at(-1)).toMatchObject({ deposits_count: 1, deposits: '40', rate_missing: 0 })
  await sql('update currency_rate set rate = 3 where currency_id = $1', [record.zzz])
  await settle()
  expect((await daysOf(player)).at(-1)).toMatchObject({ deposits: '60' })
  await sql('delete from currency_rate where currency_id = $1', [record.zzz])
  await settle()
  expect((await daysOf(player)).at(-1)).toMatchObject({ deposits: '0', rate_missing: 1 })
})

test('days begin in the business zone, even with 23 or 25 hours [REP-15]', async () => {
  const [link] = record.links
  // Kyiv: 29.03.2026 begins at 22:00Z the evening before and ends at 21:00Z; 25.10.2026 begins at 21:00Z and ends at 22:00Z.
  const spring = await addPlayer(postgres, link, '2026-03-28T22:00:00Z')
  await addEvent(postgres, spring, 'bet', '2026-03-29T20:59:59Z', 1, record.eur)
  await addEvent(postgres, spring, 'bet', '2026-03-29T21:00:00Z', 1, record.eur)
  const autumn = await addPlayer(postgres, link, '2026-10-24T21:00:00Z')
  await addEvent(postgres, autumn, 'bet', '2026-10-25T21:59:59Z', 1, record.eur)
  await addEvent(postgres, autumn, 'bet', '2026-10-25T22:00:00Z', 1, record.eur)
  await settle()
  expect((await daysOf(spring)).map((row) => [row.day, row.bets])).toEqual([
    ['2026-03-29', '1'],
    ['2026-03-30', '1'],
  ])
  expect((await daysOf(autumn)).map((row) => [row.day, row.bets])).toEqual([
    ['2026-10-25', '1'],
    ['2026-10-26', '1'],
  ])
})

test('an unregistered player without partner offer counts only its events [PLY-02][REP-02]', async () => {
  const [row] = await sql(`insert into player (outer_id, advertiser_id) values ('nobody', $1) returning id`, [
    record.advertiser,
  ])
  const player = row?.id ?? 0
  await addEvent(postgres, player, 'dep', '2026-06-25T10:00:00Z', 3, record.eur)
  await settle()
  expect(await daysOf(player)).toMatchObject([
    {
      day: '2026-06-25',
      registrations: 0,
      first_deposits: 1,
      deposits: '3',
      qualified_players: 0,
      offer_partner_id: 0,
      click_day: '1970-01-01',
    },
  ])
  expect(await playerRow(player)).toMatchObject({
    registered_day: '1970-01-01',
    registered_at: '1970-01-01 00:00:00.000',
  })
})

test('amounts that no engine can store do not stop the others [API-05]', async () => {
  const [link] = record.links
  const strange = await addPlayer(postgres, link, '9998-01-01T00:00:00Z', { sub_id: 'tab\t"quote" \\ \u2028 🙂' })
  await addEvent(postgres, strange, 'dep', '0044-03-15T12:00:00Z', 99_999_999_999_999, record.eur)
  await addEvent(postgres, strange, 'dep', '0044-03-15T13:00:00Z', 99_999_999_999_999, record.eur)
  await addReport(postgres, strange, '9999-12-31', record.eur, { deposits_count: -4, deposits: -5, income: -1 })
  const plain = await addPlayer(postgres, link, '2026-06-25T10:00:00Z')
  await settle()
  expect(await daysOf(plain)).toHaveLength(1)
  expect((await daysOf(strange)).map((row) => [row.day, row.deposits_count, row.deposits, row.sub_id])).toEqual([
    ['1970-01-02', 2, '99999999999999.9999', 'tab\t"quote" \\ \u2028 🙂'],
    ['2149-06-06', 0, '-5', 'tab\t"quote" \\ \u2028 🙂'],
  ])
})

test('a spend belongs to the partner offer of its stream and country and bears the agency percentage of an AGENCY one [REP-02] [SPD-03]', async () => {
  const [[stream], [ukraine, poland]] = [record.streams, record.countries]
  await sql('update setting set agency_spend_percentage = 10')
  await sql('update offer set payment_model_id = 4 where id = $1', [record.offers[0]])
  const spends = await sql(
    `insert into partner_spend (stream_id, site_id, country_id, date, sum, currency_id)
      values ($1, null, $2, '2026-07-01', 100, $4), ($1, 'site2', $2, '2026-07-01', 1, $5), ($1, null, $3, '2026-07-01', 1, $4) returning id`,
    [stream, ukraine, poland, record.eur, record.usd],
  )
  await settle()
  const rows = await clickhouse.query<Record<string, unknown>>(
    'select offer_partner_id, partner_id, site_id, base, sum, base_original from spend_fact final where is_deleted = 0 order by spend_id',
  )
  expect(rows).toEqual([
    {
      offer_partner_id: record.links[0],
      partner_id: record.partners[0],
      site_id: 'site0',
      base: '100',
      sum: '110',
      base_original: '100',
    },
    {
      offer_partner_id: record.links[2],
      partner_id: record.partners[0],
      site_id: 'site2',
      base: '0.8',
      sum: '0.8',
      base_original: '1',
    },
    { offer_partner_id: 0, partner_id: record.partners[0], site_id: '', base: '1', sum: '1', base_original: '1' },
  ])
  await sql('update partner_spend set active = false where id = $1', [spends[0]?.id])
  await settle()
  expect(await clickhouse.query('select count() as rows from spend_fact final where is_deleted = 0')).toEqual([
    { rows: 2 },
  ])
})

test('maps follow offers, partners, managers, groups and tags [SYS-06]', async () => {
  const [partner] = record.partners
  const [role] = await sql(`select id from user_role where kind = 'MANAGER'`)
  const [group] = await sql(`insert into partner_group (title) values ('G') returning id`)
  const [inGroup] = await sql(
    'insert into partner_partner_group (partner_id, partner_group_id) values ($1, $2) returning id',
    [partner, group?.id],
  )
  const users: number[] = []
  for (const email of ['a@example.com', 'b@example.com']) {
    const [user] = await sql(
      'insert into "user" (full_name, email, role_id) values ($1::text, $1::text, $2) returning id',
      [email, role?.id],
    )
    users.push(user?.id ?? 0)
  }
  await sql(
    'insert into partner_group_manager (partner_partner_group_id, user_id, is_main) values ($1, $2, false), ($1, $3, true)',
    [inGroup?.id, ...users],
  )
  await sql('insert into partner_advertiser_affiliate (partner_id, advertiser_id, affiliate_id) values ($1, $2, $3)', [
    partner,
    record.advertiser,
    'aff',
  ])
  await settle()
  expect(
    await clickhouse.query('select * except version from partner_map final where partner_id = {partner:UInt32}', {
      partner,
    }),
  ).toEqual([
    {
      partner_id: partner,
      is_deleted: 0,
      main_manager_id: users[1],
      main_partner_group_id: group?.id,
      manager_ids: users,
      partner_group_ids: [group?.id],
      partner_tag_ids: [],
    },
  ])
  expect(await clickhouse.query('select affiliate_id from affiliate_map final where is_deleted = 0')).toEqual([
    { affiliate_id: 'aff' },
  ])
  await sql('delete from partner_advertiser_affiliate')
  await sql('update offer set payment_model_id = $2 where id = $1', [record.offers[3], record.paymentModels.RS])
  await settle()
  expect(await clickhouse.query('select affiliate_id from affiliate_map final where is_deleted = 0')).toEqual([])
  expect(
    await clickhouse.query('select payment_model_type from offer_map final where offer_id = {offer:UInt32}', {
      offer: record.offers[3],
    }),
  ).toEqual([{ payment_model_type: 'RS' }])
})
