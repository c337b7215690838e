// What a closed month refuses with 409 `period_closed`, and what it still takes.

import { addDays, DEFAULT_ZONE, formatMonth, today } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { ask, done, ENTITY_MODULES, type Json, makeSpendGround, type SpendGround } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

const TODAY = today(DEFAULT_ZONE)
/** A day of the month before the previous one: over, whatever the day is today. */
const CLOSED = `${addDays(`${addDays(`${TODAY.slice(0, 7)}-01`, -1).slice(0, 7)}-01`, -1).slice(0, 7)}-10`
const MONTH = CLOSED.slice(0, 7)
const OPEN = TODAY

let server: Server
let admin: SignedIn
let ground: SpendGround
let other: SpendGround
let partner: SignedIn
let closeId: number

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  ground = await makeSpendGround(admin, [CLOSED, addDays(CLOSED, 1), OPEN])
  other = await makeSpendGround(admin, [CLOSED])
  partner = await signIn(server, 'PARTNER', ground.net.partner.id)
})

const closeMonth = async (partnerId: number): Promise<number> => {
  const { rows } = await server.services.postgres.pool.query<{ id: number }>(
    `with close as (insert into period_close (month, closed_at, closed_by_id, known_at) values ($1, now(), $2, now()) returning id)
      insert into period_close_partner (period_close_id, month, partner_id) select id, $1, $3 from close returning period_close_id as id`,
    [MONTH, admin.id, partnerId],
  )
  return rows[0]?.id ?? 0
}

async function expectClosed(person: SignedIn, method: string, path: string, body?: unknown): Promise<Json> {
  const reply = await ask(person, method, path, body)
  expect([reply.status, reply.body.code], JSON.stringify(reply.body)).toEqual([409, 'period_closed'])
  return reply.body
}

test('spend of a closed month is neither written, changed, moved, accepted nor deleted [MON-02]', async () => {
  const { spend } = ground
  const old = await done(admin, 'POST', 'partner_spend', { ...spend, date: CLOSED, sum: '10' })
  const open = await done(admin, 'POST', 'partner_spend', { ...spend, date: OPEN, sum: '10' })
  closeId = await closeMonth(ground.net.partner.id)
  const answer = await expectClosed(admin, 'POST', 'partner_spend', { ...spend, date: addDays(CLOSED, 1), sum: '5' })
  expect(answer).toMatchObject({
    month: MONTH,
    closed_by: { id: admin.id },
    message: expect.stringContaining('reopen'),
  })
  expect(new Date(String(answer.closed_at)).getTime()).toBeGreaterThan(Date.now() - 600_000)
  await expectClosed(admin, 'PATCH', `partner_spend/${old.id}`, { sum: '11' })
  await expectClosed(admin, 'PATCH', `partner_spend/${old.id}`, { date: OPEN })
  await expectClosed(admin, 'PATCH', `partner_spend/${open.id}`, { date: addDays(CLOSED, 1) })
  await expectClosed(admin, 'DELETE', `partner_spend/${old.id}`)
  expect((await done(admin, 'PATCH', `partner_spend/${open.id}`, { sum: '12' })).sum).toBe('12.0000')
})

test('a partner sees that the month is closed, not by whom [MON-02] [PERM-07]', async () => {
  await server.services.postgres.pool.query('update setting set spend_claim_days = 366')
  const answer = await expectClosed(partner, 'POST', 'partner_spend', {
    ...ground.spend,
    date: addDays(CLOSED, 1),
    sum: '5',
  })
  expect(answer).toMatchObject({ month: MONTH, closed_by: null })
})

test('the day of a close is a business day, shown as on screens [MON-02] [I18N-03]', async () => {
  const { pool } = server.services.postgres
  await pool.query(`update period_close set closed_at = '2026-11-03T22:30:00Z' where id = $1`, [closeId])
  const spend = { ...ground.spend, date: addDays(CLOSED, 1), sum: '5' }
  const { message } = await expectClosed(admin, 'POST', 'partner_spend', spend)
  expect(message).toMatch(new RegExp(`^${formatMonth(MONTH, 'en')} was closed by ADMIN \\d+ on 04\\.11\\.2026\\. `))
})

test('another partner’s spend of the month is taken [MON-02]', async () => {
  expect((await done(admin, 'POST', 'partner_spend', { ...other.spend, date: CLOSED, sum: '7' })).id).toBeGreaterThan(0)
})

test('the report currency and the business time zone stay while a close stands [MON-02]', async () => {
  const setting = await done(admin, 'GET', 'setting/1')
  const answer = await expectClosed(admin, 'PATCH', 'setting/1', { report_currency: ground.net.currency.id })
  expect(answer.message).toContain('every closed month has to be reopened first')
  await expectClosed(admin, 'PATCH', 'setting/1', { business_time_zone: 'Europe/Berlin' })
  expect((await done(admin, 'PATCH', 'setting/1', { uniqueness_hours: 25 })).version).toBe(Number(setting.version) + 1)
})

test('a global close also closes the month for partners who appear later [MON-01]', async () => {
  const later = await makeSpendGround(admin, [CLOSED])
  await expectClosed(admin, 'POST', 'partner_spend', { ...later.spend, date: CLOSED, sum: '7' })
  await server.services.postgres.pool.query('update period_close set reopened_at = now() where id = $1', [closeId])
  const still = await makeSpendGround(admin, [CLOSED])
  expect((await done(admin, 'POST', 'partner_spend', { ...still.spend, date: CLOSED, sum: '7' })).id).toBeGreaterThan(0)
})

test('entries, their items and adjustments are append-only [MON-03]', async () => {
  const { pool } = server.services.postgres
  for (const table of ['ledger_entry', 'ledger_item', 'ledger_rate', 'adjustment'])
    for (const statement of [
      `delete from ${table}`,
      `update ${table} set created_at = now()`,
      `truncate ${table} cascade`,
    ])
      if (table !== 'ledger_rate' || !statement.startsWith('update'))
        await expect(pool.query(statement), statement).rejects.toThrow('append-only')
})

test('an adjustment names its creator, is not zero, and its partner offer belongs to the partner [MON-03]', async () => {
  const body = {
    partner: ground.net.partner.id,
    month: MONTH,
    amount: '-12.50',
    currency: ground.net.currency.id,
    kind: 'scrub',
    reason: 'fraud',
    offer_partner: ground.link.id,
  }
  const made = await done(admin, 'POST', 'adjustment', body)
  expect(made).toMatchObject({ amount: '-12.5000', created_by: { id: admin.id }, month: MONTH })
  for (const [change, field] of [
    [{ amount: '0' }, 'amount'],
    [{ month: '2026-13' }, 'month'],
    [{ offer_partner: other.link.id }, 'offer_partner'],
    [{ reason: ' ' }, 'reason'],
  ] as const) {
    const reply = await ask(admin, 'POST', 'adjustment', { ...body, ...change })
    expect([reply.status, Object.keys(reply.body.formErrors as object)]).toEqual([422, [field]])
  }
  expect((await ask(admin, 'PATCH', `adjustment/${made.id}`, { amount: '1' })).status).toBe(404)
  expect((await ask(admin, 'DELETE', `adjustment/${made.id}`)).status).toBe(404)
})
