// Player reports over HTTP: uploaded files, days of the players API, and downloads of both.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPlayersApiServer } from '../../../demo/players-api-server.ts'
import { requestYesterday } from '../../src/jobs/retrieve-players.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, linkOf, makeNetwork, type Network } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { listen } from '../support/live-ear.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeTable } from '../support/xlsx-file.ts'

let server: Server
let admin: SignedIn
let net: Network
let link: Json
const asked: { date: string; advertiser: string; site_ids: readonly string[] }[] = []
let items: object[] = []

beforeAll(async () => {
  const api = await startPlayersApiServer((day) => {
    asked.push(day)
    // The scheduled request for yesterday gets an empty answer.
    return day.date === '2026-03-10' ? items : []
  }, 'sesame')
  afterAll(() => api.stop())
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  admin = await signIn(server, 'ADMIN')
  net = await makeNetwork(admin)
  link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  expect((await ask(admin, 'POST', 'player/synchronize?date=2026-03-10')).body.formErrors).toEqual({
    players_api: ['The address of this service is not set up'],
  })
  const saved = await done(admin, 'PUT', 'integration/players_api', { base_url: `${api.url}/`, credential: 'sesame' })
  expect(saved).toMatchObject({
    name: 'players_api',
    base_url: `${api.url}/`,
    has_credential: true,
    last_success_at: null,
  })
  expect(JSON.stringify(await done(admin, 'GET', 'integration'))).not.toContain('sesame')
})

async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('it did not happen')
}

const over = (path: string): Promise<Json> =>
  until(async () => {
    const row = await done(admin, 'GET', path)
    return row.status === 'waiting' || row.status === 'processing' ? undefined : row
  })

function upload(person: SignedIn, path: string, name: string, content: string | Buffer): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), name)
  return fetch(`${server.url}/api/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
}

test('a file is uploaded, imported in the background, followed by live events, and downloaded unchanged [PLY-06] [PLY-08] [PLY-09]', async () => {
  const ear = await listen(admin, 'job')
  const book = makeTable([
    ['Player ID', 'Report date', 'Site ID', 'Click ID', 'Deposits', 'Income'],
    ['h-1', '10.03.2026', String(link.site_id), '', 12.5, 3],
  ])
  const answer = await upload(
    admin,
    `player/import?update_reg_date=1&advertiser=${net.advertiser.id}`,
    'Отчёт 10.xlsx',
    book,
  )
  expect(answer.status).toBe(201)
  const taken = (await answer.json()) as Json
  expect(taken).toMatchObject({ type: 'file', file_name: 'Отчёт 10.xlsx', update_registrations: true })
  const end = await over(`report/${taken.id}`)
  expect(end).toMatchObject({
    status: 'warnings',
    rows: 1,
    warnings: 1,
    players_added: 1,
    entries_added: 1,
    period_from: '2026-03-10',
    period_to: '2026-03-10',
  })
  const [entry] = (await done(admin, 'GET', `player_report?filter[report]=${taken.id}`)).items as Json[]
  expect(entry).toMatchObject({ report_date: '2026-03-10', deposits: '12.5000', income: '3.0000' })
  const source = await admin.call('GET', `report/get_file/${taken.id}?field=source`)
  expect(Buffer.from(await source.arrayBuffer()).equals(book)).toBe(true)
  expect(source.headers.get('content-disposition')).toMatch(/^attachment;/)
  expect(source.headers.get('content-disposition')).toContain(encodeURIComponent('Отчёт 10.xlsx'))
  expect(source.headers.get('x-content-type-options')).toBe('nosniff')
  expect(source.headers.get('content-security-policy')).toContain("default-src 'self'")
  const log = await (await admin.call('GET', `report/get_file/${taken.id}?field=log`)).text()
  expect(log).toContain('"2","click_id","The click ID is empty"')
  expect((await done(admin, 'GET', 'report?filter[type]=file')).items).toHaveLength(1)
  await until(() => Promise.resolve(ear.heard.find((event) => JSON.stringify(event).includes('done'))))
  ear.leave()
  expect((await ask(admin, 'DELETE', `report/${taken.id}`)).status).toBe(409)
})

test.each([
  ['a picture', 'photo.png', 'x', 415],
  ['a text that is no table', 'a.xlsx', 'PK\x03\x04 nothing', 422],
  ['a file without a period', 'a.csv', 'player_id,deposits\n1,2', 422],
  ['an empty file', 'a.csv', '', 422],
])('%s is refused at once, and leaves nothing [PLY-06]', async (_what, name, content, status) => {
  const before = await done(admin, 'GET', 'report')
  const answer = await upload(admin, 'player/import', name, content)
  expect(answer.status).toBe(status)
  const { formErrors } = (await answer.json()) as { formErrors: { file: string[] } }
  expect(formErrors.file[0]).toMatch(name === 'a.csv' && content !== '' ? /^The period is missing/ : /\w/)
  expect((await done(admin, 'GET', 'report')).pagination).toEqual(before.pagination)
  const manager = await signIn(server, 'MANAGER')
  expect((await upload(manager, 'player/import', name, content)).status).toBe(403)
})

test('a waiting or running import is cancelled, and nothing of it stays [PLY-09]', async () => {
  const lock = await server.services.postgres.pool.connect()
  try {
    // Another import holds the lock.
    await lock.query('begin; select pg_advisory_xact_lock(7264055)')
    const lines = Array.from({ length: 5000 }, (_, index) => `gone-${index},2026-03-10,5`)
    const answer = await upload(
      admin,
      `player/import?advertiser=${net.advertiser.id}`,
      'a.csv',
      ['player_id,date,deposits', ...lines].join('\n'),
    )
    const { id } = (await answer.json()) as Json
    await until(async () => ((await done(admin, 'GET', `report/${id}`)).status === 'processing' ? true : undefined))
    await done(admin, 'POST', `report/${id}/cancel`)
    expect(await over(`report/${id}`)).toMatchObject({ status: 'cancelled' })
    expect((await ask(admin, 'POST', `report/${id}/cancel`)).status).toBe(409)
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  expect((await server.services.postgres.pool.query("select from player where outer_id like 'gone-%'")).rowCount).toBe(
    0,
  )
})

test('a day is requested from the players API, stored and imported; requested again it changes nothing [PLY-02] [PLY-07] [PLY-08]', async () => {
  items = Array.from({ length: 1500 }, (_, index) => ({
    player_id: 500_000 + index,
    registered_at: '2026-03-10 01:00:00',
    site_id: link.site_id,
    currency: net.currency.value,
    deposits_count: 1,
    deposits: 10.25,
    income: '-1.5',
    click_id: null,
  }))
  const started = await done(admin, 'POST', `player/synchronize?date=2026-03-10&advertiser=${net.advertiser.id}`)
  const [row] = started.items as Json[]
  const end = await over(`players_report_api/${row?.id}`)
  expect(end).toMatchObject({
    report_date: '2026-03-10',
    status: 'warnings',
    warnings: [expect.stringMatching(/^Rows with warnings: [\d\s]+\. The log/)],
  })
  expect(asked.filter(({ date }) => date === '2026-03-10').at(-1)).toMatchObject({
    advertiser: net.advertiser.title,
    site_ids: [link.site_id],
    cursor: '1000',
  })
  const report = await done(admin, 'GET', `report/${(end.report as Json).id}`)
  expect(report).toMatchObject({ type: 'api', rows: 1500, players_added: 1500, entries_added: 1500 })
  const [player] = (await done(admin, 'GET', 'player?filter[outer_id]=500000')).items as Json[]
  expect(player).toMatchObject({ attribution: 'site_id', registered_at: '2026-03-09T19:00:00.000Z' })
  const source = (await (await admin.call('GET', `report/get_file/${report.id}?field=source`)).json()) as {
    items: object[]
  }[]
  expect(source.map((page) => page.items.length)).toEqual([1000, 500])
  expect((await done(admin, 'GET', 'report?filter[type]=api')).items).toHaveLength(1)

  const again = await done(admin, 'POST', `player/synchronize?date=2026-03-10&advertiser=${net.advertiser.id}`)
  expect((again.items as Json[])[0]?.id).toBe(row?.id)
  const second = await until(async () => {
    const now = await done(admin, 'GET', `players_report_api/${row?.id}`)
    return now.status === 'warnings' && (now.report as Json).id !== report.id ? now : undefined
  })
  expect(await done(admin, 'GET', `report/${(second.report as Json).id}`)).toMatchObject({
    players_added: 0,
    entries_added: 0,
    entries_changed: 0,
  })
  expect(((await done(admin, 'GET', 'integration')).items as Json[])[0]).toMatchObject({
    last_success_at: expect.any(String),
    last_error: null,
  })
})

test('a failing service is retried, then reported; after too many failures it is paused [PLY-07] [SPD-07]', async () => {
  let calls = 0
  const broken = createServer((_request, response) => {
    calls++
    response
      .writeHead(calls === 1 ? 503 : 200, { 'content-type': 'application/json', 'retry-after': '0.05' })
      .end('{"items":[{"nobody":1}]}')
  })
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  const [{ base_url } = { base_url: null }] = (await done(admin, 'GET', 'integration')).items as Json[]
  await done(admin, 'PUT', 'integration/players_api', {
    base_url: `http://127.0.0.1:${(broken.address() as AddressInfo).port}`,
  })
  const request = async (): Promise<Json> => {
    const { items: rows } = await done(
      admin,
      'POST',
      `player/synchronize?date=2026-03-11&advertiser=${net.advertiser.id}`,
    )
    return over(`players_report_api/${(rows as Json[])[0]?.id}`)
  }
  const failed = await request()
  expect(failed).toMatchObject({ status: 'failed', warnings: [expect.stringContaining('not as agreed')] })
  expect(calls).toBe(2)
  for (let attempt = 0; attempt < 4; attempt++) await request()
  const before = calls
  expect(await request()).toMatchObject({ status: 'failed', warnings: [expect.stringContaining('left alone')] })
  expect(calls).toBe(before)
  const [state] = (await done(admin, 'GET', 'integration')).items as Json[]
  expect(state).toMatchObject({ is_paused: true, last_error: expect.stringContaining('not as agreed') })
  await done(admin, 'PUT', 'integration/players_api', { base_url })
  broken.closeAllConnections()
  broken.close()
})

test('the previous day is requested once, at the configured time [PLY-07]', async () => {
  const { services } = server
  await services.postgres.pool.query("update setting set players_api_retrieval_time = '02:00'")
  const dates = async (): Promise<unknown[]> =>
    (
      await services.postgres.pool.query(
        'select distinct report_date from players_report_api where report_date > $1 order by 1',
        ['2029-01-01'],
      )
    ).rows.map((row) => row.report_date)
  items = []
  // 02:00 UTC of 20 March is 04:00 in Kyiv, so the previous day is the 19th; before that it is the 18th.
  expect(await requestYesterday(services, new Date('2030-03-20T01:59:00Z'))).toBe(true)
  expect(await dates()).toEqual(['2030-03-18'])
  expect(await requestYesterday(services, new Date('2030-03-20T01:59:30Z'))).toBe(false)
  expect(await requestYesterday(services, new Date('2030-03-20T02:00:10Z'))).toBe(true)
  expect(await requestYesterday(services, new Date('2030-03-20T22:30:00Z'))).toBe(false)
  expect(await dates()).toEqual(['2030-03-18', '2030-03-19'])
  // After some days of downtime only the last day is requested.
  expect(await requestYesterday(services, new Date('2030-03-25T12:00:00Z'))).toBe(true)
  expect(await dates()).toEqual(['2030-03-18', '2030-03-19', '2030-03-24'])
})
