// When two writers meet, a day of a partner offer keeps one accepted spend, with or without a site.

import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { ask, done, ENTITY_MODULES, makeSpendGround, type SpendGround } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { day, MONTH, save } from './spend-table-calls.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
})

const sumsOf = async ({ net }: SpendGround): Promise<unknown[]> => {
  const { rows } = await server.services.postgres.pool.query(
    'select site_id as site, sum, active from partner_spend where stream_id = $1 and sum is not null order by id',
    [net.stream.id],
  )
  return rows
}

const INSERT = `insert into partner_spend (stream_id, country_id, site_id, date, sum, currency_id, offer_partner_id)
  values ($1, $2, $3, $4, 7, $5, $6)`

/** Runs `write` while another transaction has entered the day without a site and has not committed yet. */
async function writeBeside<T>({ net, link }: SpendGround, write: () => Promise<T>): Promise<T> {
  return server.services.postgres.withClient(async (client) => {
    await client.query('begin')
    await client.query(INSERT, [net.stream.id, net.country.id, null, day(1), net.currency.id, link.id])
    const writing = write()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const blocked = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
    const deadline = Date.now() + 10_000
    while ((await server.services.postgres.pool.query(blocked, [rows[0]?.pid])).rowCount === 0 && Date.now() < deadline)
      await sleep(5)
    await client.query('commit')
    return writing
  })
}

const WHOLE = [{ site: null, sum: '7.0000', active: true }]

test('a table saved with the site loses against a spend without one that is entered meanwhile [MON-06] [MON-07]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  const site = String(own.link.site_id)
  const answer = await writeBeside(own, () => save(admin, own, [{ date: day(1), base: '9', site_id: site }]))
  expect(answer).toMatchObject({ saved: 0, refused: [{ date: day(1), site_id: site, code: 'spend_entered_whole' }] })
  expect(await sumsOf(own)).toEqual(WHOLE)
})

test('a form and an accepted claim lose against a spend that is entered meanwhile [MON-06]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  const site = String(own.link.site_id)
  const created = await writeBeside(own, () => ask(admin, 'POST', 'partner_spend', { ...own.spend, site_id: site }))
  expect(created.status).toBe(422)
  expect(JSON.stringify(created.body)).toContain('without a site')
  expect(await sumsOf(own)).toEqual(WHOLE)

  const other = await makeSpendGround(admin, [day(1)])
  const { rows } = await server.services.postgres.pool.query(
    `insert into partner_spend (stream_id, country_id, site_id, date, claim_sum, claim_currency_id, claim_at, currency_id, offer_partner_id)
      values ($1, $2, $3, $4, 5, $5, now(), $5, $6) returning id`,
    [other.net.stream.id, other.net.country.id, other.link.site_id, day(1), other.net.currency.id, other.link.id],
  )
  const accepted = await writeBeside(other, () => done(admin, 'PUT', 'partner_spend/accept', { ids: [rows[0].id] }))
  expect(accepted).toMatchObject({ accepted: 0, refusals: [{ message: expect.stringContaining('without a site') }] })
  expect(await sumsOf(other)).toEqual(WHOLE)
})

test('of many that enter a month at once, with the site and without it, one wins each day [MON-06] [MON-07]', async () => {
  const days = Array.from({ length: 20 }, (_, index) => day(index + 1))
  const own = await makeSpendGround(admin, days)
  const writers = [null, String(own.link.site_id), null, String(own.link.site_id)].map((site_id, index) =>
    save(
      admin,
      own,
      days.map((date) => ({ date, base: String(index + 1), site_id })),
    ),
  )
  await Promise.all(writers)
  const { rows } = await server.services.postgres.pool.query(
    'select date, count(*) from partner_spend where stream_id = $1 and active and sum is not null group by date',
    [own.net.stream.id],
  )
  expect(rows).toHaveLength(days.length)
  expect(rows.filter(({ count }) => count !== 1)).toEqual([])
})

test('totals of a month that are spread at once replace each other; a cell filled meanwhile says what to do [MON-06] [SPD-02]', async () => {
  const days = [1, 2, 3, 4].map(day)
  const own = await makeSpendGround(admin, days)
  const spread = ({ net }: SpendGround, base: string) =>
    ask(admin, 'PUT', 'partner_spend/update_spend_by_partner', { partner: net.partner.id, month: MONTH, base })
  const answers = await Promise.all(['100', '200', '400'].map((base) => spread(own, base)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const sums = (await sumsOf(own)) as { sum: string }[]
  expect(sums).toHaveLength(days.length)
  expect([100, 200, 400]).toContain(sums.reduce((total, { sum }) => total + Number(sum), 0))

  const other = await makeSpendGround(admin, days)
  const lost = await writeBeside(other, () => spread(other, '40'))
  expect(lost.status).toBe(409)
  expect(JSON.stringify(lost.body)).toContain('Somebody else changed this month at the same time: reload it')
  expect(await sumsOf(other)).toEqual(WHOLE)
})

test("a day's spend moves from the site to the whole in one save [MON-07]", async () => {
  const own = await makeSpendGround(admin, [day(1)])
  const site_id = String(own.link.site_id)
  await save(admin, own, [{ date: day(1), base: '9', site_id }])
  const answer = await save(admin, own, [
    { date: day(1), base: null, site_id },
    { date: day(1), base: '11', site_id: null },
  ])
  expect(answer).toMatchObject({ saved: 2, refused: [] })
  expect(await sumsOf(own)).toEqual([{ site: null, sum: '11.0000', active: true }])
})
