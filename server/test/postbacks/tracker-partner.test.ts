// OutboundContext partners: what is sent, when again, where never; with real HTTP servers as the partners.

import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { trackerModule } from '../../src/tracker/module.ts'
import { type PostbackSender, RETRY_DELAYS, startPostbackSender } from '../../src/tracker/postbacks/postback-sender.ts'
import { writeQualificationPostbacks } from '../../src/tracker/postbacks/qualification-postbacks.ts'
import { log, startTestApp } from '../support/harness.ts'
import { ok, startPartner } from '../support/partner-server.ts'
import { FOREIGN_LINK, LINK, MAIN_POSTBACK, makeNetwork, someAddress, visit } from '../support/tracker-network.ts'

const SECRET = 'a secret of this test'
let server: Server
let sender: PostbackSender | undefined
const query = async (sql: string, values: unknown[] = []) =>
  (await server.services.postgres.pool.query(sql, values)).rows

function startSender(options: { delays?: readonly number[]; timeoutMs?: number } = {}): void {
  sender = startPostbackSender({
    pool: server.services.postgres.pool,
    log,
    allowsPrivateTargets: true,
    secret: SECRET,
    pollMs: 50,
    ...options,
  })
}

async function within(milliseconds: number, check: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + milliseconds
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`not within ${milliseconds} ms`)
    await sleep(10)
  }
}

const outs = () => query(`select * from postback where direction = 'out' order by id`)
const addUrl = (url: string, method: string, events: string[]) =>
  query('insert into partner_postback_url (partner_id, url, method, events) values (1, $1, $2, $3)', [
    url,
    method,
    events,
  ])
const pending = (url: string, method = 'GET') =>
  query(
    `insert into postback (direction, status, method, url, event_type, next_attempt_at) values ('out', 'pending', $1, $2, 'reg', now()) returning id`,
    [method, url],
  )
const call = (params: Record<string, string>) =>
  fetch(`${server.url}/postback/${MAIN_POSTBACK}?${new URLSearchParams(params).toString()}`)

beforeAll(async () => {
  server = await startTestApp({ modules: [trackerModule], env: { TRUST_PROXY: '1' } })
  await makeNetwork(server.services.postgres.pool)
  while ((await visit(server.url, `/c/${FOREIGN_LINK}`)).status !== 302) await sleep(20)
})

beforeEach(async () => {
  await sender?.stop()
  sender = undefined
  await query('delete from postback')
  await query('delete from partner_postback_url')
  await query('delete from partner_event_group')
  await query('delete from event')
})
afterAll(() => sender?.stop())

test('reg and ftd are sent with filled macros, later deposits only to URLs that request them; every call is logged [TRK-06]', async () => {
  const partner = await startPartner(ok)
  await addUrl(`${partner.url}/default?c={click_id}&e={event}&p={player_id}`, 'GET', [])
  await addUrl(`${partner.url}/all?e={event}&s={sum}&cur={currency}&sub={sub_id}&x={sub5}`, 'POST', [
    'reg',
    'ftd',
    'dep',
  ])
  await query(
    `insert into partner_postback_url (partner_id, url, active) values (1, '${partner.url}/off', false), (2, '${partner.url}/beta', true)`,
  )
  const { clickId } = await visit(server.url, `/c/${LINK}?click_id=their%20click&sub_id=s%261`, {
    'x-forwarded-for': someAddress(),
  })
  startSender()
  await call({ event: 'reg', player_id: 'told', click_id: clickId })
  await call({ event: 'dep', player_id: 'told', sum: '25.5', currency: 'usd', transaction_id: '1' })
  await call({ event: 'dep', player_id: 'told', sum: '0.1234', transaction_id: '2' })
  await call({ event: 'dep', player_id: 'told', sum: '0.1234', transaction_id: '2' })
  await call({ event: 'bet', player_id: 'told', sum: '3', transaction_id: '3' })
  sender?.wake()
  await within(3000, async () => partner.calls.length >= 6 && (await outs()).every((row) => row.status === 'sent'))
  expect(partner.calls.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
    'GET /default?c=their%20click&e=ftd&p=told',
    'GET /default?c=their%20click&e=reg&p=told',
    'POST /all?e=dep&s=0.1234&cur=EUR&sub=s%261&x=',
    'POST /all?e=dep&s=25.50&cur=USD&sub=s%261&x=',
    'POST /all?e=ftd&s=25.50&cur=USD&sub=s%261&x=',
    'POST /all?e=reg&s=&cur=&sub=s%261&x=',
  ])
  expect(partner.calls.find(({ method }) => method === 'POST')?.body).toMatch(/^e=/)
  const [parent] = await query(`select id from postback where direction = 'in' order by id limit 1`)
  expect((await outs()).map((row) => row.click_id)).toEqual(Array.from({ length: 6 }, () => clickId))
  const [first] = await outs()
  expect(first).toMatchObject({
    parent_id: parent?.id,
    status: 'sent',
    event_type: 'reg',
    partner_id: 1,
    player_outer_id: 'told',
    click_id: clickId,
    method: 'GET',
    url: `${partner.url}/default?c=their%20click&e=reg&p=told`,
    partner_postback_url: `${partner.url}/default?c={click_id}&e={event}&p={player_id}`,
    response_code: 200,
    response: 'thank you',
    error: null,
    attempts: 1,
    next_attempt_at: null,
  })
  expect(await query('select * from postback_attempt where postback_id = $1', [first?.id])).toMatchObject([
    { number: 1, method: 'GET', url: first?.url, code: 200, response: 'thank you', error: null, at: expect.any(Date) },
  ])
})

test('an unfilled macro counts as absent: deposits without a transaction stay separate; multipart forms are read [TRK-05] [TRK-09]', async () => {
  const post = async (body: FormData | string) => {
    const init = {
      method: 'POST',
      body,
      ...(typeof body === 'string' && { headers: { 'content-type': 'application/json' } }),
    }
    const response = await fetch(`${server.url}/postback/${MAIN_POSTBACK}`, init)
    return { status: response.status, body: await response.json() }
  }
  const said = async (params: Record<string, string>) => (await call(params)).json()
  const left = { transaction_id: '{transaction_id}', currency: '{currency}', country: '{geo}', promocode: '{promo}' }
  const player = { player_id: 'unfilled', site_id: 'alpha-site', ...left }
  expect(await said({ ...player, event: 'reg', sum: '{sum}' })).toEqual({ status: 'ok' })
  for (const sum of ['10', '20']) expect(await said({ ...player, event: 'dep', sum })).toEqual({ status: 'ok' })
  const kept = await query(`select count(*)::int as n, sum(e.amount)::text as sum from player_event e
    join player p on p.id = e.player_id where p.outer_id = 'unfilled' and e.type = 'dep'`)
  expect(kept).toEqual([{ n: 2, sum: '30.0000' }])
  expect(await said({ event: 'reg', player_id: '{player_id}' })).toMatchObject({ code: 'missing_player' })
  expect(await said({ ...player, event: 'dep', sum: '{sum}' })).toMatchObject({ code: 'missing_sum' })

  const form = new FormData()
  for (const [name, value] of Object.entries({ event: 'reg', player_id: 'in parts' })) form.append(name, value)
  expect(await post(form)).toEqual({ status: 200, body: { status: 'ok' } })
  expect(await query(`select params from postback where player_outer_id = 'in parts' and direction = 'in'`)).toEqual([
    { params: { event: 'reg', player_id: 'in parts' } },
  ])
  expect(await post('{"event":"reg","player_id":{"id":1}}')).toMatchObject({
    status: 422,
    body: { code: 'wrong_body', message: 'The parameter player_id is neither a text nor a number.' },
  })
})

test('events are sent under the partner’s names; own events only if the partner has a name for them [TRK-10]', async () => {
  await query(`insert into event (name, partner_id, parameter_name) values
    ('reg', null, 'lead'), ('reg', 1, 'signup'), ('ftd', null, 'sale'), ('KYC', null, 'verified'), ('vip', 2, 'vip'), ('gift', null, 'present')`)
  const [group] = await query(`insert into partner_event_group (title) values ('of alpha') returning id`)
  await query(`insert into event (name, partner_id, parameter_name) values ('ftd', 2, 'first')`)
  await query('insert into partner_event_group_partner values ($1, 1)', [group?.id])
  await query(`insert into partner_event_group_event select $1, id from event where parameter_name = 'first'`, [
    group?.id,
  ])
  await query(`update event set active = false where name = 'gift'`)
  await addUrl('http://127.0.0.1:1/all?e={event}', 'GET', [])
  await addUrl('http://127.0.0.1:1/own?e={event}', 'GET', ['custom'])
  const told = { player_id: 'mapped', site_id: 'alpha-site' }
  await call({ ...told, event: 'reg' })
  await call({ ...told, event: 'dep', sum: '5' })
  for (const event of ['kyc', 'vip', 'gift']) await call({ ...told, event })
  const rows = await outs()
  expect(rows.map(({ event_type, url }) => [event_type, url?.slice(18)])).toEqual([
    ['reg', '/all?e=signup'],
    ['ftd', '/all?e=first'],
    ['kyc', '/all?e=verified'],
    ['kyc', '/own?e=verified'],
  ])
})

test('a qualified player is sent as bl, once to each postback URL that existed on that day [TRK-06]', async () => {
  const partner = await startPartner(ok)
  await addUrl(`${partner.url}/default?e={event}&c={click_id}&s={sum}`, 'GET', [])
  await addUrl(`${partner.url}/reg-only`, 'GET', ['reg'])
  await call({ event: 'reg', player_id: 'qualified', site_id: 'alpha-site' })
  await call({ event: 'reg', player_id: 'nobody' })
  await query(`delete from postback where direction = 'out'`)
  const rows = await query(`select id from player where outer_id in ('qualified', 'nobody') order by id`)
  const tell = (day: string) =>
    server.services.postgres.withTransaction((trx) =>
      writeQualificationPostbacks(
        trx,
        rows.map(({ id }) => ({ id, clickId: null, offerPartnerId: 1, day })),
      ),
    )
  expect(await tell('2020-01-01')).toBe(0)
  expect(await outs()).toEqual([])
  const today = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  expect(await tell(today)).toBe(0)
  expect(await outs()).toMatchObject([{ status: 'skipped', reason: 'url_added_later', event_type: 'bl' }])
  await query(`delete from postback where direction = 'out'`)
  expect(await tell('2199-01-01')).toBe(1)
  startSender()
  await within(3000, async () => (await outs())[0]?.status === 'sent')
  expect(await outs()).toMatchObject([
    { event_type: 'bl', parent_id: null, partner_id: 1, player_outer_id: 'qualified', offer_partner_id: 1 },
  ])
  expect(partner.calls).toMatchObject([{ url: '/default?e=bl&c=&s=' }])
})

test('a first deposit known only from a report is sent to the partner [TRK-06]', async () => {
  await addUrl('http://127.0.0.1:1/?e={event}', 'GET', ['ftd'])
  await call({ event: 'reg', player_id: 'reported', site_id: 'alpha-site' })
  await query(`update player set first_deposit_at = now(), first_deposit_amount = 5 where outer_id = 'reported'`)
  for (const id of ['1', '2']) await call({ event: 'dep', player_id: 'reported', sum: '5', transaction_id: id })
  expect((await outs()).filter((row) => row.status === 'pending').map((row) => row.event_type)).toEqual(['ftd'])
})

test('an event that is sent to nobody is logged with the reason [TRK-06]', async () => {
  await call({ event: 'reg', player_id: 'untold', site_id: 'alpha-site' })
  await call({ event: 'reg', player_id: 'of nobody' })
  await call({ event: 'bet', player_id: 'untold', sum: '1', transaction_id: '1' })
  await addUrl('http://127.0.0.1:1/', 'GET', ['bl'])
  await call({ event: 'dep', player_id: 'untold', sum: '5', transaction_id: '2' })
  expect((await outs()).map((row) => [row.status, row.event_type, row.reason, row.next_attempt_at])).toEqual([
    ['skipped', 'reg', 'no_url', null],
    ['skipped', 'reg', 'unattributed', null],
    ['skipped', 'ftd', 'event_not_selected', null],
  ])
})

test('when a player is attributed late, the partner receives the earlier events [TRK-06]', async () => {
  await addUrl('http://127.0.0.1:1/?e={event}&s={sum}&c={currency}', 'GET', [])
  await call({ event: 'dep', player_id: 'late', sum: '7', currency: 'USD', transaction_id: '1' })
  await call({ event: 'reg', player_id: 'late', site_id: 'alpha-site' })
  const rows = (await outs()).filter((row) => row.status === 'pending')
  expect(rows.map((row) => new URL(row.url).search)).toEqual(['?e=ftd&s=7.00&c=USD', '?e=reg&s=&c='])
})

test('the delays are those of the law [TRK-07]', () => {
  expect(RETRY_DELAYS.map((delay) => delay / 1000)).toEqual([10, 60, 300, 900, 3600, 14_400, 43_200, 86_400])
})

test('after a failure the next attempt is ten seconds later, give or take a tenth [TRK-07]', async () => {
  const partner = await startPartner((_, response) => response.writeHead(500).end('broken'))
  startSender()
  await pending(`${partner.url}/x`)
  await within(3000, async () => (await outs())[0]?.response_code === 500)
  const [row] = await outs()
  expect(row).toMatchObject({ status: 'pending', attempts: 1, response: 'broken', error: 'the answer was 500' })
  const delay = row?.next_attempt_at.getTime() - Date.now()
  expect(delay).toBeGreaterThan(8000)
  expect(delay).toBeLessThan(11_000)
})

test('it is tried until it succeeds; past the last delay it has failed; 410 ends it at once [TRK-07]', async () => {
  let failures = 2
  const mending = await startPartner((_, response) => response.writeHead(failures-- > 0 ? 503 : 204).end())
  const broken = await startPartner((_, response) => response.writeHead(500).end())
  const gone = await startPartner((_, response) => response.writeHead(410).end())
  startSender({ delays: [20, 20, 20] })
  await pending(`${mending.url}/`)
  await pending(`${broken.url}/`)
  await pending(`${gone.url}/`)
  await within(8000, async () => (await outs()).every((row) => row.status !== 'pending'))
  const rows = await outs()
  expect(rows.map((row) => [row.status, row.attempts, row.response_code])).toEqual([
    ['sent', 3, 204],
    ['failed', 4, 500],
    ['failed', 1, 410],
  ])
})

test('one that never answers is cut off, and does not delay the others [TRK-07]', async () => {
  const silent = await startPartner(() => undefined)
  const quick = await startPartner(ok)
  for (let index = 0; index < 60; index++) await pending(`${silent.url}/${index}`)
  for (let index = 0; index < 20; index++) await pending(`${quick.url}/${index}`)
  startSender({ timeoutMs: 3000 })
  await within(2500, () => quick.calls.length === 20)
  expect(silent.calls.length).toBeLessThanOrEqual(4)
  await within(5000, async () => (await outs()).some((row) => row.error === 'no answer within 3 s'))
})

test('at most four kilobytes of an answer are kept, without what a text cannot hold [TRK-07]', async () => {
  const partner = await startPartner((_, response) => response.end(`a\0b${'x'.repeat(1_000_000)}`))
  startSender()
  await pending(`${partner.url}/`)
  await within(3000, async () => (await outs())[0]?.status === 'sent')
  const [row] = await outs()
  expect(row?.response.length).toBeLessThanOrEqual(4096)
  expect(row?.response.startsWith('abxxx')).toBe(true)
})

test('what a killed sender had taken is sent again when its lease is over [TRK-07]', async () => {
  const partner = await startPartner(ok)
  const [row] = await pending(`${partner.url}/`)
  // As the sender leaves it: taken, never written back; here the minute has passed.
  await query(`update postback set attempts = 1, next_attempt_at = now() - interval '1 second' where id = $1`, [
    row?.id,
  ])
  startSender()
  await within(3000, async () => (await outs())[0]?.status === 'sent')
  expect((await outs())[0]).toMatchObject({ attempts: 2 })
})

test('two senders on one record never send the same postback twice [TRK-07]', async () => {
  const partner = await startPartner((_, response) => setTimeout(() => response.end(), 20))
  for (let index = 0; index < 40; index++) await pending(`${partner.url}/${index}`)
  startSender()
  const other = startPostbackSender({
    pool: server.services.postgres.pool,
    log,
    allowsPrivateTargets: true,
    secret: SECRET,
  })
  await within(8000, async () => (await outs()).every((row) => row.status === 'sent'))
  await other.stop()
  expect(partner.calls).toHaveLength(40)
})

test('a signed call can be checked by whoever has the key; its idempotency value stays when it is sent again [TRK-07]', async () => {
  const heads: IncomingMessage['headers'][] = []
  const partner = await startPartner((request, response) => {
    heads.push(request.headers)
    response.writeHead(heads.length > 1 ? 200 : 500).end()
  })
  await addUrl(`${partner.url}/told?e={event}`, 'POST', [])
  const [address] = await query('update partner_postback_url set signed = true returning id')
  await call({ event: 'reg', player_id: 'signed', site_id: 'alpha-site' })
  startSender({ delays: [20] })
  await within(5000, async () => (await outs())[0]?.status === 'sent')
  const [row] = await outs()
  expect(heads.map((head) => head['idempotency-key'])).toEqual(Array(2).fill(`postback-${row?.id}`))
  const key = createHmac('sha256', SECRET).update(`partner_postback_url:${address?.id}`).digest('hex')
  const text = `${String(heads[1]?.['x-timestamp'])}.postback-${row?.id}.POST.${row?.url}`
  expect(heads[1]?.['x-signature']).toBe(`sha256=${createHmac('sha256', key).update(text).digest('hex')}`)
  expect(await query('select number, code from postback_attempt where postback_id = $1 order by 1', [row?.id])).toEqual(
    [
      { number: 1, code: 500 },
      { number: 2, code: 200 },
    ],
  )
})
