// What foreign keys promise of players, their report entries and spends is kept by statement: what is referred to is there, and stays.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { createClickFinder } from '../../src/tracker/clicks/recorded-clicks.ts'
import { addPlayer, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'
import { INSERT_INBOX } from '../support/inbox-rows.ts'

let services: TestServices
let record: FactsRecord

beforeAll(async () => {
  services = await startTestServices()
  record = await writeFactsRecord(services.postgres)
})

const REFERENCES = {
  player: {
    advertiser_id: 'advertiser',
    offer_id: 'offer',
    offer_partner_id: 'offer_partner',
    partner_id: 'partner',
    stream_id: 'partner_stream',
    traffic_source_id: 'traffic_source',
    landing_id: 'landing',
    actual_country_id: 'country',
    first_deposit_currency_id: 'currency',
  },
  player_report: { player_id: 'player', currency_id: 'currency', report_id: 'report' },
  partner_spend: {
    stream_id: 'partner_stream',
    country_id: 'country',
    currency_id: 'currency',
    offer_partner_id: 'offer_partner',
  },
} as const
const NOBODY = 999_999

const CASES = Object.entries(REFERENCES).flatMap(([table, columns]) =>
  Object.entries(columns).map(([column, referred]) => ({ table, column, referred })),
)

/** A row of the table that refers to the row of the other, and to nothing else but what it must. */
async function refer(table: string, column: string, id: number): Promise<void> {
  const sql = sqlOf(services.postgres)
  const row = { ...(await requiredOf(table, `${column}-${id}`)), [column]: id }
  const names = Object.keys(row)
  await sql(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  )
}

/** Values of what a row of the table must have. */
async function requiredOf(table: string, name: string): Promise<Record<string, unknown>> {
  if (table === 'player') return { advertiser_id: record.advertiser, outer_id: name }
  if (table === 'player_report')
    return {
      player_id: await addPlayer(services.postgres, record.links[0], '2026-03-01'),
      report_date: '2026-03-01',
      currency_id: record.eur,
    }
  const [stream] = await sqlOf(services.postgres)('select stream_id as id from offer_partner order by id limit 1')
  return {
    stream_id: stream?.id,
    country_id: record.countries[0],
    currency_id: record.eur,
    date: '2026-03-01',
    sum: 1,
    site_id: name,
  }
}

/** A row that nobody refers to yet, a copy of one that there is. */
async function copyRow(referred: string): Promise<number> {
  const sql = sqlOf(services.postgres)
  const own: Record<string, string> = {
    landing: "insert into landing (title, value) values ('kept', 'kept')",
    report: "insert into report (type, file_name) values ('file', 'kept')",
    traffic_source: "insert into traffic_source (title) values ('kept')",
    currency: "insert into currency (title, value) values ('kept', 'KPT')",
    country: `insert into country (title, code, currency_id) values ('kept', 'ZZ', ${record.eur})`,
    partner: "insert into partner (title) values ('kept')",
    advertiser: `insert into advertiser (title, default_domain, default_currency_id) values ('kept', 'https://k.example', ${record.eur})`,
    partner_stream: `insert into partner_stream (partner_id, title) values (${record.partners[0]}, 'kept')`,
    offer: `insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost)
      select 'kept', advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost from offer limit 1`,
    offer_partner: `insert into offer_partner (offer_id, partner_id, stream_id, traffic_source_id, site_id, currency_id)
      select offer_id, partner_id, stream_id, traffic_source_id, 'kept', currency_id from offer_partner limit 1`,
  }
  if (referred === 'player') return addPlayer(services.postgres, record.links[0], '2026-03-01')
  const [row] = await sql(`${own[referred]} returning id`)
  return row?.id ?? 0
}

test.each(CASES)(
  '$table.$column: what it refers to is there, and is not deleted [ENT-25]',
  async ({ table, column, referred }) => {
    const sql = sqlOf(services.postgres)
    const violation = { code: '23503', table, constraint: `${table}_${column}_fkey` }
    await expect(refer(table, column, NOBODY)).rejects.toMatchObject(violation)
    const id = await copyRow(referred)
    await refer(table, column, id)
    await expect(sql(`delete from ${referred} where id = $1`, [id])).rejects.toMatchObject(violation)
    await expect(sql(`update ${table} set ${column} = $2 where ${column} = $1`, [id, NOBODY])).rejects.toMatchObject(
      violation,
    )
    await sql(`delete from ${table} where ${column} = $1`, [id])
    await sql(`delete from ${referred} where id = $1`, [id])
  },
)

test('a user with entries in the audit log is not deleted [ENT-25]', async () => {
  const sql = sqlOf(services.postgres)
  const [user] = await sql(
    `insert into "user" (full_name, email, role_id) select 'Kept', 'kept@tributary.test', id from user_role limit 1 returning id`,
  )
  const writeEntry = `insert into audit_log (user_id, action, entity, entity_id) values ($1, 'update', 'offer', 1)`
  await sql(writeEntry, [user?.id])
  const violation = { code: '23503', table: 'audit_log', constraint: 'audit_log_user_id_fkey' }
  await expect(sql('delete from "user" where id = $1', [user?.id])).rejects.toMatchObject(violation)
  await sql('delete from audit_log where user_id = $1', [user?.id])
  await sql('delete from "user" where id = $1', [user?.id])
})

test('a row that is being referred to is not deleted under the hand of who refers to it, nor the other way round', async () => {
  const sql = sqlOf(services.postgres)
  const waits = async (): Promise<void> => {
    while ((await sql("select from pg_stat_activity where wait_event_type = 'Lock'")).length === 0) await sleep(10)
  }
  const addIn = async (client: Pick<Client, 'query'>, id: number, outer: string): Promise<unknown> =>
    client.query('insert into player (advertiser_id, outer_id, landing_id) values ($1, $2, $3)', [
      record.advertiser,
      outer,
      id,
    ])
  await services.postgres.withClient(async (client) => {
    const first = await copyRow('landing')
    await client.query('begin')
    await addIn(client, first, 'first')
    const deleting = sql('delete from landing where id = $1', [first]).catch((error: unknown) => error)
    await waits()
    await client.query('commit')
    expect(await deleting).toMatchObject({ code: '23503', table: 'player' })

    const [second] = await sql("insert into landing (title, value) values ('second', 'second') returning id")
    await client.query('begin')
    await client.query('delete from landing where id = $1', [second?.id])
    const adding = addIn(services.postgres.pool, second?.id ?? 0, 'second').catch((error: unknown) => error)
    await waits()
    await client.query('commit')
    expect(await adding).toMatchObject({ code: '23503', constraint: 'player_landing_id_fkey' })
  })
})

test('a click with a deleted landing still attributes the player; a click of a deleted partner offer does not [PLY-02]', async () => {
  const { postgres, clickhouse } = services
  const sql = sqlOf(postgres)
  const [noLanding, noLink] = ['0190a7c0-0000-7000-8000-0000000000aa', '0190a7c0-0000-7000-8000-0000000000bb']
  const texts = { writer: 1, created_at: new Date(), site_id: 'site0', ip: '1.1.1.1', url: '/', target: '/' }
  const [link] = await sql<Record<string, number>>(
    'select id as offer_partner_id, offer_id, partner_id, stream_id, traffic_source_id from offer_partner where id = $1',
    [record.links[0]],
  )
  const click = { ...link, ...texts, advertiser_id: record.advertiser, country_id: record.countries[0], bot: false }
  const clicks = [
    { ...click, id: noLanding, landing_id: NOBODY },
    { ...click, id: noLink, offer_partner_id: NOBODY },
  ]
  await sql(INSERT_INBOX, [JSON.stringify(clicks)])
  const found = await postgres.db
    .transaction()
    .execute((trx) => createClickFinder(clickhouse)(trx, [noLanding, noLink.toUpperCase()]))
  expect([...found.keys()]).toEqual([noLanding])
  expect(found.get(noLanding)).toMatchObject({ offer_partner_id: record.links[0], landing_id: null, site_id: 'site0' })
})
