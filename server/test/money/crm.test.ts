// Sends invoices to the CRM: a request is booked once per key even if its answer is lost; every attempt is kept; rejected invoices are corrected.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_ZONE, today } from '@tributary/contract/period'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type CrmMood, type CrmServer, startCrmServer } from '../../../demo/crm-server.ts'
import { uuidV5 } from '../../src/integrations/crm/crm.ts'
import { findDueInvoices, sendInvoice } from '../../src/integrations/crm/send-invoice.ts'
import { sendInvoices } from '../../src/jobs/send-invoices.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { checkTarget, resolveTarget } from '../../src/tracker/postbacks/target-guard.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { ask, done, type Json } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { PASSWORD, type SignedIn, signIn } from '../support/sign-in.ts'
import { LedgerRows } from './ledger-rows.ts'

let server: Server
let admin: SignedIn
let rows: LedgerRows
let crm: CrmServer
let moods: CrmMood[] = []

const options = {
  guard: { check: checkTarget, resolve: resolveTarget },
  allowsPrivateTargets: true,
  timeoutMs: 400,
  pauseMs: 5,
}

beforeAll(async () => {
  // The tests run the job themselves.
  const idle = { ...sendInvoices, run: async () => undefined }
  const modules = MODULES.map((module) => (module.name === 'CRM' ? { ...module, jobs: [idle] } : module))
  server = await startTestApp({ modules, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  admin = await signIn(server, 'ADMIN')
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  rows = new LedgerRows(server, admin)
  crm = await startCrmServer(() => moods.shift() ?? 'ok')
  atEndOfFile(() => crm.stop())
})

beforeEach(async () => {
  moods = []
  // Also forgives earlier failures.
  await done(admin, 'PUT', 'integration/crm', { base_url: crm.url, credential: crm.credential })
})

/** Returns an approved invoice of 25.00. */
async function makeInvoice(): Promise<number> {
  const { partner, links, currency } = await rows.partner(1)
  await rows.close(partner, '2026-03')
  const items = [{ day: '2026-03-03', base: '25', rate: '0', amount: '25.00' }]
  await rows.book({ link: links[0] as Json, kind: 'agency', earned: '2026-03', currency, items })
  const statement = await done(admin, 'POST', 'statement', { partner, month: '2026-03' })
  const approved = await done(admin, 'PUT', `statement/${statement.id}/approve`, {})
  return (approved.invoices as Json[])[0]?.id ?? 0
}

const queue = (id: number) => done(admin, 'PUT', `payment_invoice/${id}/send`, {})
const send = (id: number) => sendInvoice(server.services, id, options, new AbortController().signal)
const read = (id: number) => done(admin, 'GET', `payment_invoice/${id}`)
const bookedOf = (id: number) =>
  [...crm.booked.values()].filter(({ body }) => (body as { invoice?: number }).invoice === id)
const keyOf = async (id: number): Promise<string> =>
  (await rows.query('select crm_key from payment_invoice where id = $1', [id])).rows[0].crm_key

async function crmState(): Promise<Json | undefined> {
  const { items } = (await done(admin, 'GET', 'integration')) as unknown as { items: Json[] }
  return items.find(({ name }) => name === 'crm')
}

test.each([
  [['ok']],
  [['hang', 'ok']],
  [['fail', 'fail', 'ok']],
  [['conflict']],
  [['lost', 'ok']],
  [['lost', 'conflict']],
  [['fail', 'lost', 'fail', 'hang', 'ok']],
] as [CrmMood[]][])(
  'a CRM that answers %j books one request, and each attempt is kept [MON-14] [SPD-07]',
  async (given) => {
    const id = await makeInvoice()
    await queue(id)
    moods = [...given]
    const before = crm.calls()
    // Each run makes up to three attempts; a real one waits some minutes before the next.
    for (let run = 0; run < 3 && (await read(id)).status === 'queued'; run++) await send(id)
    expect(await read(id)).toMatchObject({ status: 'accepted', crm_response: { status: 'accepted', amount: '25.00' } })
    expect(bookedOf(id)).toHaveLength(1)
    const { rows: codes } = await rows.query(
      'select c.value from payment_invoice i join currency c on c.id = i.currency_id where i.id = $1',
      [id],
    )
    expect(bookedOf(id)[0]?.body.currency).toBe(codes[0].value)
    const line = { base_currency: codes[0].value, fx_rate: '1.00000000' }
    expect(bookedOf(id)[0]?.body).toMatchObject({ lines: [line] })
    const attempts = (await read(id)).attempts as Json[]
    expect(attempts.filter(({ method }) => method === 'POST')).toHaveLength(crm.calls() - before)
    expect(attempts.at(-1)).toMatchObject({ duration_ms: expect.any(Number), crm_key: await keyOf(id) })
    if (given.includes('fail')) expect((await crmState())?.last_error).not.toBeNull()
  },
)

test('a request is sent again under the same key, also from a restored back-up and after a kill -9 before the answer is stored [MON-14]', async () => {
  const id = await makeInvoice()
  await queue(id)
  // The record is held, so that the process is killed between the answer and its commit.
  const holder = await server.services.postgres.pool.connect()
  await holder.query('begin')
  await holder.query('lock table audit_log in share mode')
  const url = server.services.config.databaseUrl ?? ''
  const script = join(import.meta.dirname, 'crm-child.ts')
  const child = spawn(process.execPath, [script, url, server.services.config.secret, String(id)], { stdio: 'inherit' })
  while (bookedOf(id).length === 0) await sleep(10)
  while ((await rows.query('select from crm_attempt where payment_invoice_id = $1', [id])).rowCount === 0)
    await sleep(10)
  await sleep(50)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await holder.query('rollback')
  holder.release()
  expect(await read(id)).toMatchObject({ status: 'queued' })
  const key = await keyOf(id)
  await waitForLock(id)
  await send(id)
  expect(await read(id)).toMatchObject({ status: 'accepted' })
  // The back-up was made before the first call.
  await rows.query("update payment_invoice set status = 'queued', crm_key = null, crm_response = null where id = $1", [
    id,
  ])
  await send(id)
  expect(await read(id)).toMatchObject({ status: 'accepted' })
  expect(await keyOf(id)).toBe(key)
  expect(bookedOf(id)).toHaveLength(1)
})

/** The killed process held the lock of the invoice until PostgreSQL noticed. */
async function waitForLock(id: number): Promise<void> {
  const held = "select from pg_locks where locktype = 'advisory' and objid = $1 and classid = 7264060"
  while ((await rows.query(held, [id])).rowCount !== 0) await sleep(20)
}

test('a rejected invoice is corrected under the next number and key at once; an accepted one is not [MON-14]', async () => {
  const id = await makeInvoice()
  expect(await ask(admin, 'PUT', `payment_invoice/${id}/correct`, {})).toMatchObject({ status: 409 })
  await queue(id)
  moods = ['reject']
  await send(id)
  expect(await read(id)).toMatchObject({ status: 'rejected', crm_response: { reason: 'The project is closed' } })
  const next = await done(admin, 'PUT', `payment_invoice/${id}/correct`, { reason: 'another project' })
  expect(await done(admin, 'GET', `payment_invoice/${next.id}`)).toMatchObject({ corrects: { id } })
  expect(await done(admin, 'GET', `payment_invoice/${id}`)).toMatchObject({ corrections: [{ id: next.id }] })
  expect(next).toMatchObject({ status: 'approved', n: 2, amount: '25.0000', lines: [{ kind: 'agency' }] })
  expect(await read(id)).toMatchObject({ status: 'void', void_reason: 'another project' })
  await queue(next.id)
  await send(next.id)
  expect(await read(next.id)).toMatchObject({ status: 'accepted', n: 2 })
  expect(await keyOf(next.id)).not.toBe(await keyOf(id))
  expect(await ask(admin, 'PUT', `payment_invoice/${next.id}/correct`, {})).toMatchObject({ status: 409 })
})

test('a rejected invoice becomes void alone while the CRM has others of its statement; its lines stay owed there [MON-12] [MON-13]', async () => {
  const { partner, links, currency } = await rows.partner(2)
  const bookAll = async (month: string) => {
    await rows.close(partner, month)
    for (const link of links) {
      const items = [{ day: `${month}-03`, base: '25', rate: '0', amount: '25.00' }]
      await rows.book({ link, kind: 'agency', earned: month, currency, items })
    }
  }
  await bookAll('2026-03')
  const draft = await done(admin, 'POST', 'statement', { partner, month: '2026-03' })
  const statement = await done(admin, 'PUT', `statement/${draft.id}/approve`, {})
  const [taken, rejected] = (statement.invoices as Json[]).map(({ id }) => Number(id)) as [number, number]
  for (const [id, mood] of [
    [taken, 'ok'],
    [rejected, 'reject'],
  ] as const) {
    await queue(id)
    moods = [mood]
    await send(id)
  }
  const reason = { reason: 'paid outside of the CRM' }
  const refusal = await ask(admin, 'PUT', `statement/${statement.id}/void`, reason)
  expect(refusal).toMatchObject({ status: 409 })
  expect(JSON.stringify(refusal.body)).toContain('void each of the others by itself')
  expect(await ask(admin, 'PUT', `payment_invoice/${taken}/void`, reason)).toMatchObject({ status: 409 })
  const pdf = (await rows.query('select bytes from statement_pdf where statement_id = $1', [statement.id])).rows
  const voided = await done(admin, 'PUT', `payment_invoice/${rejected}/void`, reason)
  expect(voided).toMatchObject({ status: 'void', void_reason: reason.reason, lines: [{ total: '25.0000' }] })
  expect(await done(admin, 'GET', `statement/${statement.id}`)).toMatchObject({ state: 'approved', total: '50.0000' })
  expect((await rows.query('select bytes from statement_pdf where statement_id = $1', [statement.id])).rows).toEqual(
    pdf,
  )
  expect(await ask(admin, 'PUT', `payment_invoice/${rejected}/send`, {})).toMatchObject({ status: 409 })
  // It can be made again, once, and then it is the other one that the CRM is asked for.
  const again = await done(admin, 'PUT', `payment_invoice/${rejected}/correct`, {})
  expect(again).toMatchObject({ status: 'approved', n: 2, corrects: { id: rejected }, lines: [{ total: '25.0000' }] })
  expect(await done(admin, 'GET', `payment_invoice/${rejected}`)).toMatchObject({
    status: 'void',
    void_reason: reason.reason,
  })
  expect(await ask(admin, 'PUT', `payment_invoice/${rejected}/correct`, {})).toMatchObject({ status: 409 })
  await done(admin, 'PUT', `payment_invoice/${again.id}/void`, reason)
  await bookAll('2026-04')
  expect(await done(admin, 'POST', 'statement', { partner, month: '2026-04' })).toMatchObject({ total: '50.0000' })
  const paid_at = today(DEFAULT_ZONE)
  await done(admin, 'POST', 'payment', { statement: statement.id, currency, paid_at, amount: '50.00' })
  expect(await done(admin, 'GET', `statement/${statement.id}`)).toMatchObject({ state: 'paid' })
  // Nothing is owed any more: the CRM would pay it twice.
  expect(await ask(admin, 'PUT', `payment_invoice/${again.id}/correct`, {})).toMatchObject({ status: 409 })
})

test('a dispute takes invoices out of the queue, unconfirmed billing lets them wait in it, and neither lets one in [MON-13] [MON-14]', async () => {
  const [disputed, unconfirmed] = [await makeInvoice(), await makeInvoice()]
  const statement = ((await read(disputed)).statement as Json).id
  const partner = ((await read(unconfirmed)).partner as Json).id
  const hold = async () => {
    await done(admin, 'PUT', `statement/${statement}/dispute`, { reason: 'too much' })
    const person = await signIn(server, 'PARTNER', partner)
    await done(person, 'PUT', `partner/${partner}/billing`, { details: 'TXk9mWxyz', current_password: PASSWORD })
  }
  const release = async () => {
    await done(admin, 'PUT', `statement/${statement}/resolve`, {})
    await done(admin, 'POST', `partner/${partner}/billing/confirm`, { current_password: PASSWORD })
  }
  await hold()
  const reasons = await Promise.all(
    [disputed, unconfirmed].map((id) => ask(admin, 'PUT', `payment_invoice/${id}/send`, {})),
  )
  expect(reasons).toMatchObject([
    { status: 409, body: { formErrors: { statement: [expect.stringContaining('disputed')] } } },
    { status: 409, body: { formErrors: { statement: [expect.stringContaining('billing')] } } },
  ])
  const selected = await done(admin, 'PUT', 'payment_invoice/send', { ids: [disputed, unconfirmed] })
  expect(selected).toMatchObject({ changed: 0, refused: 2 })
  await release()
  for (const id of [disputed, unconfirmed]) await queue(id)
  await hold()
  expect(await findDueInvoices(server.services)).not.toEqual(expect.arrayContaining([disputed]))
  for (const [id, status] of [
    [disputed, 'approved'],
    [unconfirmed, 'queued'],
  ] as const) {
    await send(id)
    expect(await read(id)).toMatchObject({ status })
    expect(bookedOf(id)).toEqual([])
  }
  await release()
  await queue(disputed)
  for (const id of [disputed, unconfirmed]) {
    await send(id)
    expect(await read(id)).toMatchObject({ status: 'accepted' })
  }
})

const dispute = async (id: number) =>
  done(admin, 'PUT', `statement/${((await read(id)).statement as Json).id}/dispute`, { reason: 'too much' })

test('a request that may have reached the CRM leaves the queue of a disputed statement by what the CRM knows of it [MON-12] [MON-14]', async () => {
  const [unknown, booked] = [await makeInvoice(), await makeInvoice()]
  for (const [id, mood] of [
    [unknown, 'fail'],
    [booked, 'lost'],
  ] as const) {
    await queue(id)
    moods = [mood, 'fail', 'fail']
    await send(id)
    await dispute(id)
    expect(await read(id)).toMatchObject({ status: 'queued' })
    expect(await ask(admin, 'PUT', `payment_invoice/${id}/void`, { reason: 'wrong' })).toMatchObject({ status: 409 })
  }
  const [calls, key] = [crm.calls(), await keyOf(unknown)]
  moods = []
  for (const id of [unknown, booked]) await send(id)
  expect(crm.calls()).toBe(calls)
  expect(await read(unknown)).toMatchObject({ status: 'approved' })
  expect(await read(booked)).toMatchObject({ status: 'accepted' })
  await done(admin, 'PUT', `statement/${((await read(unknown)).statement as Json).id}/resolve`, {})
  await queue(unknown)
  await send(unknown)
  expect(await keyOf(unknown)).toBe(key)
})

test('a queued invoice becomes void after a dispute alone, and its items are free [MON-12] [MON-13]', async () => {
  const invoices = [await makeInvoice(), await makeInvoice()]
  const [alone = 0, ofStatement = 0] = invoices
  const { partner, statement } = await read(ofStatement)
  const voidings = [`payment_invoice/${alone}/void`, `statement/${(statement as Json).id}/void`]
  for (const id of invoices) await queue(id)
  for (const path of voidings) expect(await ask(admin, 'PUT', path, { reason: 'wrong' })).toMatchObject({ status: 409 })
  for (const id of invoices) await dispute(id)
  for (const path of voidings) await done(admin, 'PUT', path, { reason: 'wrong' })
  for (const id of invoices) {
    expect(await read(id)).toMatchObject({ status: 'void', statement: { id: expect.any(Number) } })
    await send(id)
    expect(bookedOf(id)).toEqual([])
  }
  const again = await done(admin, 'POST', 'statement', { partner: (partner as Json).id, month: '2026-03' })
  expect(again).toMatchObject({ total: '25.0000', state: 'draft' })
})

test('an invoice that leaves the queue while its request is prepared is not requested [MON-12] [MON-14]', async () => {
  const id = await makeInvoice()
  await queue(id)
  const holder = await server.services.postgres.pool.connect()
  await holder.query('begin')
  await holder.query("update payment_invoice set status = 'approved' where id = $1", [id])
  const sent = send(id)
  const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%set crm_key%'"
  while ((await rows.query(waits)).rowCount === 0) await sleep(10)
  await holder.query('commit')
  holder.release()
  await sent
  expect(bookedOf(id)).toEqual([])
  expect(await keyOf(id)).toBeNull()
})

test('a CRM that fails repeatedly is paused, and settings show it [SPD-07]', async () => {
  const id = await makeInvoice()
  await queue(id)
  moods = Array.from({ length: 100 }, () => 'fail')
  for (let run = 0; run < 5; run++) await send(id)
  const before = crm.calls()
  await send(id)
  expect(crm.calls()).toBe(before)
  expect(await crmState()).toMatchObject({
    is_paused: true,
    last_error: expect.stringContaining('500'),
  })
  expect(await read(id)).toMatchObject({ status: 'queued' })
})

test('keys are UUIDs of version 5, equal for equal parts alone [MON-14]', () => {
  const parts = ['b2b1', 7, '2026-10', 1, 2, null, 4, 1]
  expect(uuidV5(parts)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(uuidV5(parts)).toBe(uuidV5([...parts]))
  expect(uuidV5(parts)).not.toBe(uuidV5(parts.with(7, 2)))
  expect(uuidV5(['a', 'b'])).not.toBe(uuidV5(['a b']))
})
