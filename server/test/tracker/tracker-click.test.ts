// Clicks through the real door: HTTP in, rows of the record out.

import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { trackerModule } from '../../src/tracker/module.ts'
import { trackers } from '../../src/tracker/tracker.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestApp } from '../support/harness.ts'
import { CHROME, FOREIGN_LINK, LINK, makeNetwork, OTHER_LINK, someAddress, visit } from '../support/tracker-network.ts'

let server: Server
const query = async (sql: string, values: unknown[] = []) =>
  (await server.services.postgres.pool.query(sql, values)).rows
const clickOf = async (id: string) => (await query('select * from click_inbox_row where id = $1', [id]))[0]

/** Waits until the condition holds; the index follows the record within a second. */
async function within(milliseconds: number, check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + milliseconds
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`not within ${milliseconds} ms`)
    await sleep(10)
  }
}

beforeAll(async () => {
  server = await startTestApp({ modules: [trackerModule], env: { TRUST_PROXY: '1' } })
  await makeNetwork(server.services.postgres.pool)
  await within(2000, async () => (await visit(server.url, `/c/${FOREIGN_LINK}`)).status === 302)
})

test('a click is recorded with every field and sent on with its id [TRK-01] [TRK-13]', async () => {
  const before = Date.now()
  const path = `/c/${LINK}?click_id=theirs&sub_id=a%20b&sub2=two&sub5=five&landing=bonus&promocode=alpha2&x=1`
  const { status, target, clickId, headers } = await visit(server.url, path, {
    'x-forwarded-for': '8.8.8.8',
    referer: 'https://news.example/page',
    'accept-language': 'uk-UA,uk;q=0.9',
  })
  expect(status).toBe(302)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(target).toBe(
    `https://ua.first.example/bonus?click_id=${clickId}&site_id=alpha-site&sub_id=a%20b&promocode=ALPHA2&media_id=77`,
  )
  const { created_at, writer, ...row } = await clickOf(clickId)
  expect(writer).toBe(trackers.of(server.services).inbox.writer)
  expect(created_at.getTime()).toBeGreaterThanOrEqual(before)
  expect(created_at.getTime()).toBe(Number.parseInt(clickId.replace('-', '').slice(0, 12), 16))
  expect(row).toEqual({
    id: clickId,
    offer_partner_id: 1,
    offer_id: 1,
    partner_id: 1,
    advertiser_id: 1,
    landing_id: 2,
    stream_id: 1,
    traffic_source_id: 1,
    country_id: 1,
    bot: false,
    canonical_id: null,
    site_id: 'alpha-site',
    sub_id: 'a b',
    sub2: 'two',
    sub3: null,
    sub4: null,
    sub5: 'five',
    partner_click_id: 'theirs',
    promocode: 'ALPHA2',
    media_id: '77',
    ip: '8.8.8.8',
    ip_country: 'US',
    user_agent: CHROME,
    referrer: 'https://news.example/page',
    language: 'uk-UA',
    url: path,
    target,
  })
})

test('landings: the country’s default if the partner offer has none; else its own; else the one that the visitor requests [TRK-01]', async () => {
  const landingOf = async (path: string) => (await clickOf((await visit(server.url, path)).clickId)).landing_id
  expect(await landingOf(`/c/${LINK}`)).toBe(1)
  expect(await landingOf(`/c/${LINK}?landing=2`)).toBe(2)
  expect(await landingOf(`/c/${LINK}?landing=wheel`)).toBe(1)
  await query('insert into offer_partner_landing values (1, 3)')
  await within(1000, async () => (await landingOf(`/c/${LINK}`)) === 3)
  expect(await landingOf(`/c/${LINK}?landing=bonus`)).toBe(2)
  await query('delete from offer_partner_landing')
  await query('update default_landing set active = false where country_id = 1')
  await within(1000, async () => (await landingOf(`/c/${LINK}`)) === 4)
  expect(await landingOf(`/c/${FOREIGN_LINK}`)).toBeNull()
})

test("a partner offer's own template replaces the built one; absent values stay empty [TRK-11]", async () => {
  const template =
    'https://go.example/{partner_click_id}/x?c={click_id}&s={stream}&g={geo}&k={country}&u={uuid}&l={landing}&subs={sub_id}.{sub2}.{sub3}.{sub4}.{sub5}'
  await query('update offer_partner set advertiser_link_template = $1 where id = 2', [template])
  const subs = 'sub_id=one&sub2=two&sub3=three&sub5=five'
  let target = ''
  await within(1000, async () => {
    const seen = await visit(server.url, `/c/${OTHER_LINK}?click_id=a/b&${subs}`, { 'x-forwarded-for': '8.8.8.8' })
    target = seen.target.replace(seen.target.split('c=')[1]?.split('&')[0] ?? '', 'ID')
    return target.startsWith('https://go.example/')
  })
  expect(target).toBe(
    `https://go.example/a%2Fb/x?c=ID&s=beta%20one&g=US&k=UA&u=${OTHER_LINK}&l=all&subs=one.two.three..five`,
  )
  await query('update offer_partner set advertiser_link_template = null where id = 2')
  await within(
    1000,
    async () => !(await visit(server.url, `/c/${OTHER_LINK}`)).target.startsWith('https://go.example/'),
  )
})

test('the second click of a visitor is a duplicate of the first; with another partner offer or agent it is not [TRK-02]', async () => {
  const ip = { 'x-forwarded-for': someAddress() }
  const first = await visit(server.url, `/c/${LINK}`, ip)
  const second = await visit(server.url, `/c/${LINK}?sub_id=other`, ip)
  const otherLink = await visit(server.url, `/c/${OTHER_LINK}`, ip)
  const otherAgent = await visit(server.url, `/c/${LINK}`, { ...ip, 'user-agent': `${CHROME} Edg/126` })
  const otherAddress = await visit(server.url, `/c/${LINK}`, { 'x-forwarded-for': someAddress() })
  expect((await clickOf(first.clickId)).canonical_id).toBeNull()
  expect((await clickOf(second.clickId)).canonical_id).toBe(first.clickId)
  for (const other of [otherLink, otherAgent, otherAddress])
    expect((await clickOf(other.clickId)).canonical_id).toBeNull()
})

test('one visitor, many clicks at once: exactly one is unique and all others name it [TRK-02]', async () => {
  const ip = { 'x-forwarded-for': someAddress() }
  const seen = await Promise.all(Array.from({ length: 40 }, () => visit(server.url, `/c/${LINK}`, ip)))
  const rows = await query('select id, canonical_id from click_inbox_row where id = any($1)', [
    seen.map((one) => one.clickId),
  ])
  const unique = rows.filter((row) => row.canonical_id === null)
  expect(rows).toHaveLength(40)
  expect(unique).toHaveLength(1)
  expect(new Set(rows.map((row) => row.canonical_id))).toEqual(new Set([null, unique[0]?.id]))
})

test.each([
  ['a known bot', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  ['curl', { 'user-agent': 'curl/8.5.0' }],
  ['Purpose: prefetch', { purpose: 'prefetch' }],
  ['Sec-Purpose: prefetch;prerender', { 'sec-purpose': 'prefetch;prerender' }],
  ['X-Moz: prefetch', { 'x-moz': 'prefetch' }],
  ['X-Purpose: preview', { 'x-purpose': 'preview' }],
] as const)('%s is recorded, flagged, and leaves the visitor unique [TRK-12]', async (_, headers) => {
  const ip = { 'x-forwarded-for': someAddress() }
  const bot = await visit(server.url, `/c/${LINK}`, { ...ip, ...headers })
  const person = await visit(server.url, `/c/${LINK}`, ip)
  expect(await clickOf(bot.clickId)).toMatchObject({ bot: true, canonical_id: null })
  expect(await clickOf(person.clickId)).toMatchObject({ bot: false, canonical_id: null })
})

test('HEAD is redirected, recorded and flagged [TRK-12]', async () => {
  const response = await fetch(`${server.url}/c/${LINK}`, {
    method: 'HEAD',
    redirect: 'manual',
    headers: { 'user-agent': CHROME },
  })
  expect(response.status).toBe(302)
  const id = new URL(response.headers.get('location') ?? '').searchParams.get('click_id') ?? ''
  expect(await clickOf(id)).toMatchObject({ bot: true })
})

test('tracking links that are unknown, inactive or not approved show a neutral page with 404 or 410, and the reason is logged [TRK-04]', async () => {
  const closed: [string, string, string][] = [
    ['offer_partner', 'active = false', 'link_inactive'],
    ['offer_partner', "state = 'unapproved'", 'link_unapproved'],
    ['offer', 'active = false', 'offer_inactive'],
    ['offer', "state = 'unapproved'", 'offer_unapproved'],
    ['partner', 'active = false', 'partner_inactive'],
    ['partner', "state = 'unapproved'", 'partner_unapproved'],
    ['advertiser', 'active = false', 'advertiser_inactive'],
  ]
  const path = `/c/${FOREIGN_LINK}`
  for (const [table, change] of closed) {
    const id = table === 'offer_partner' ? 3 : 2
    await query(`update ${table} set ${change} where id = ${id}`)
    await within(1000, async () => (await visit(server.url, path)).status === 410)
    await query(
      `update ${table} set active = true ${table === 'advertiser' ? '' : ", state = 'approved'"} where id = ${id}`,
    )
    await within(1000, async () => (await visit(server.url, path)).status === 302)
  }
  await trackers.of(server.services).rejections.flush()
  const refused = await query('select reason, clicks from click_refusal where offer_partner_id = 3 order by reason')
  expect(refused.map((row) => row.reason)).toEqual(closed.map(([, , reason]) => reason).sort())
  for (const row of refused) expect(row.clicks).toBeGreaterThan(0)
  const kept = await query(
    'select distinct reason, offer_partner_id, partner_id, url from click_rejection where offer_partner_id = 3 order by reason',
  )
  expect(kept).toEqual(
    refused.map(({ reason }) => ({ reason, offer_partner_id: 3, partner_id: 2, url: `/c/${FOREIGN_LINK}` })),
  )

  const unknown = await visit(server.url, '/c/00000000-0000-4000-8000-000000000000', { 'accept-language': 'ru' })
  await trackers.of(server.services).rejections.flush()
  expect(
    await query(
      `select offer_partner_id, user_agent from click_rejection where reason = 'unknown_link' order by id desc limit 1`,
    ),
  ).toEqual([{ offer_partner_id: null, user_agent: CHROME }])
  expect(unknown.status).toBe(404)
  expect(unknown.text).toContain('Страница не найдена')
  expect(unknown.text).not.toMatch(/tributary|stack|error|at /i)
})

test('a new partner offer accepts clicks, a deleted one rejects them, within a second', async () => {
  const uuid = '0b0e0b0e-0000-4000-8000-00000000000a'
  await query(`insert into offer_partner (uuid, offer_id, partner_id, stream_id, traffic_source_id, site_id, currency_id, state)
    values ('${uuid}', 1, 1, 1, 1, 'new-site', 1, 'approved')`)
  await within(1000, async () => (await visit(server.url, `/c/${uuid}`)).status === 302)
  expect((await visit(server.url, `/c/${uuid.toUpperCase()}/`)).status).toBe(302)
  await query('delete from offer_partner where uuid = $1', [uuid])
  await within(1000, async () => (await visit(server.url, `/c/${uuid}`)).status === 404)
})

test.each([
  ['malformed uuid', '/c/not-a-uuid', 404],
  ['no uuid', '/c/', 404],
  ['uuid with a tail', `/c/${LINK}/more`, 404],
  ['traversal', '/c/../../etc/passwd', 404],
  ['8 KB query', `/c/${LINK}?sub_id=${'x'.repeat(8192)}`, 414],
  ['NUL', `/c/${LINK}?sub_id=a%00b`, 400],
  ['line end', `/c/${LINK}?sub_id=a%0d%0aSet-Cookie:x`, 400],
  ['control in a name', `/c/${LINK}?%1f=a`, 400],
  ['C1 control', `/c/${LINK}?sub_id=%C2%85`, 400],
  ['half an escape', `/c/${LINK}?sub_id=100%`, 400],
  ['not UTF-8', `/c/${LINK}?sub_id=%E0%A4`, 400],
  ['a surrogate in UTF-8', `/c/${LINK}?sub_id=%ED%A0%80`, 400],
])('%s is answered with 4xx and nothing is recorded', async (_, path, expected) => {
  const [{ count: before }] = await query('select count(*) from click_inbox')
  // By hand: fetch would correct the address.
  expect(await rawStatus(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toBe(expected)
  const [{ count: after }] = await query('select count(*) from click_inbox')
  expect(after).toBe(before)
})

test('other methods are rejected with 405', async () => {
  expect((await fetch(`${server.url}/c/${LINK}`, { method: 'POST', redirect: 'manual' })).status).toBe(405)
})

test('whatever bytes come: never a 5xx, and whatever is accepted is in the record', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      '%',
      '%zz',
      '%00',
      '\u0000',
      '\uD800',
      "'; drop table click_inbox; --",
      '{click_id}',
      '\\',
      '\t',
      'ÿþ',
      '%F0%9F%98%80',
    ),
  )
  const line = hostile.map((text) => text.replace(/[\r\n]/g, ''))
  await fc.assert(
    fc.asyncProperty(line, line, line, line, async (path, value, agent, language) => {
      const target = `/c/${path.length % 2 === 0 ? LINK : path}?sub_id=${value}&landing=${path}&click_id=${value}`
      const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nUser-Agent: ${agent}\r\nAccept-Language: ${language}\r\nReferer: ${value}\r\nX-Forwarded-For: ${agent}\r\nConnection: close\r\n\r\n`
      const status = await rawStatus(head)
      expect(status === 302 || (status >= 400 && status < 500), `${status} for ${JSON.stringify(head)}`).toBe(true)
    }),
    { numRuns: fuzzRuns(150) },
  )
})

test('when PostgreSQL goes away clicks get 503 with Retry-After, and are taken again when it is back', async () => {
  const { inbox } = trackers.of(server.services)
  const writer = inbox.writer
  const ip = { 'x-forwarded-for': someAddress() }
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tributary clicks' and datname = current_database()`,
  )
  const refused = await visit(server.url, `/c/${LINK}`, ip)
  if (refused.status !== 302) {
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
  }
  await within(
    3000,
    async () => (await visit(server.url, `/c/${LINK}`, { 'x-forwarded-for': someAddress() })).status === 302,
  )
  await within(3000, async () => inbox.writer > writer)
  if (refused.status === 503) {
    const again = await visit(server.url, `/c/${LINK}`, ip)
    expect((await clickOf(again.clickId)).canonical_id).toBeNull()
  }
})

test('a failed statement answers its clicks with 503, and the next ones are accepted', async () => {
  await query('alter table click_inbox add constraint no_room check (line not like $$%\tbeta-site\t%$$) not valid')
  const refused = await visit(server.url, `/c/${OTHER_LINK}`)
  expect(refused.status).toBe(503)
  expect((await visit(server.url, `/c/${LINK}`)).status).toBe(302)
  await query('alter table click_inbox drop constraint no_room')
  const taken = await visit(server.url, `/c/${OTHER_LINK}`)
  expect(taken.status).toBe(302)
})

/** Status of one request written as it stands. */
function rawStatus(text: string): Promise<number> {
  const { port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), 'localhost')
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)))
    socket.on('error', reject)
    socket.write(Buffer.from(text, 'latin1'))
  })
}
