// Calls on postbacks: reading the story, resending; each within the user's scope.

import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { liveModule } from '../../src/api/live-module.ts'
import type { Server } from '../../src/server.ts'
import { postbackSenderModule, trackerModule } from '../../src/tracker/module.ts'
import { ask, done, ENTITY_MODULES } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { listen } from '../support/live-ear.ts'
import { readSheet } from '../support/sheet-file.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { FOREIGN_LINK, MAIN_POSTBACK, makeNetwork, visit } from '../support/tracker-network.ts'

let server: Server
let admin: SignedIn
let ofAlpha: SignedIn
let partner: HttpServer
let url: string
let answers = 500
const heard: { url: string; key: string }[] = []
const query = async (sql: string, values: unknown[] = []) =>
  (await server.services.postgres.pool.query(sql, values)).rows
const tell = (params: Record<string, string>) =>
  fetch(`${server.url}/postback/${MAIN_POSTBACK}?${new URLSearchParams(params).toString()}`)
const outs = () => query(`select * from postback where direction = 'out' order by id`)
const resend = (body: unknown, person = admin) => done(person, 'POST', 'postback_export/resent_postbacks', body)

async function until(check: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 15_000; !(await check()); await sleep(20))
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(await outs())}`)
}

beforeAll(async () => {
  server = await startTestApp({
    modules: [...ENTITY_MODULES, liveModule, trackerModule, postbackSenderModule],
    env: { TRUST_PROXY: '1', ALLOW_PRIVATE_TARGETS: '1' },
  })
  await makeNetwork(server.services.postgres.pool)
  admin = await signIn(server, 'ADMIN')
  ofAlpha = await signIn(server, 'PARTNER', 1)
  partner = createServer((request, response) => {
    heard.push({ url: request.url ?? '', key: String(request.headers['idempotency-key']) })
    response.writeHead(answers).end(`answer ${answers}`)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => partner.once('listening', resolve))
  afterAll(() => partner.close())
  url = `http://127.0.0.1:${(partner.address() as AddressInfo).port}`
  while ((await visit(server.url, `/c/${FOREIGN_LINK}`)).status !== 302) await sleep(20)
})

beforeEach(async () => {
  await query('delete from postback')
  await query('delete from partner_postback_url')
  heard.length = 0
  answers = 500
})

const addUrl = () => query('insert into partner_postback_url (partner_id, url) values (1, $1)', [`${url}/?e={event}`])

test('the story of a postback: its cause, its consequences, each attempt with its response [TRK-06] [TRK-05]', async () => {
  await addUrl()
  await tell({ event: 'reg', player_id: 'story', site_id: 'alpha-site' })
  await until(async () => (await outs())[0]?.response_code === 500)
  const [out] = await outs()
  const story = await done(admin, 'GET', `postback/${out?.id}/story`)
  expect(story).toMatchObject({
    attempts: [
      {
        number: 1,
        method: 'GET',
        url: `${url}/?e=reg`,
        code: 500,
        response: 'answer 500',
        error: 'the answer was 500',
      },
    ],
    parent: { id: out?.parent_id, direction: 'in', status: 'accepted' },
    children: [],
    params: null,
    idempotency_key: `postback-${out?.id}`,
  })
  const cause = await done(admin, 'GET', `postback/${out?.parent_id}/story`)
  expect(cause).toMatchObject({
    children: [{ id: out?.id }],
    params: { event: 'reg', player_id: 'story' },
    parent: null,
  })
  expect(await done(ofAlpha, 'GET', `postback/${out?.parent_id}/story`)).toMatchObject({
    params: null,
    children: [{ id: out?.id }],
  })
  const other = await signIn(server, 'PARTNER', 2)
  expect((await ask(other, 'GET', `postback/${out?.id}/story`)).status).toBe(404)
})

test('a postback is resent at once, with the same idempotency value and all of its attempts [TRK-08]', async () => {
  await addUrl()
  await tell({ event: 'reg', player_id: 'again', site_id: 'alpha-site' })
  await until(async () => (await outs())[0]?.response_code === 500)
  answers = 200
  const [out] = await outs()
  expect(await resend({ ids: [out?.id, out?.parent_id] })).toMatchObject({ count: 1, untold: 0 })
  await until(async () => (await outs())[0]?.status === 'sent')
  expect(heard.map(({ key }) => key)).toEqual(Array(2).fill(`postback-${out?.id}`))
  expect((await done(admin, 'GET', `postback/${out?.id}/story`)).attempts).toMatchObject([{ code: 500 }, { code: 200 }])
  expect(await query(`select action, entity_id from audit_log where entity = 'postback'`)).toEqual([
    { action: 'resend', entity_id: null },
  ])
})

test('an event that was not sent is created anew for current URLs; a filter resends all except excluded ones [TRK-08]', async () => {
  for (const player of ['first', 'second', 'third'])
    await tell({ event: 'reg', player_id: player, site_id: 'alpha-site' })
  expect((await outs()).map((row) => [row.status, row.reason])).toEqual(Array(3).fill(['skipped', 'no_url']))
  const filter = 'filter[direction]=out&filter[reason]=no_url'
  expect(await resend({ filter, dry_run: true })).toMatchObject({ count: 3 })
  expect(await resend({ filter })).toMatchObject({ count: 0, untold: 3 })
  answers = 200
  await addUrl()
  const [, second] = await outs()
  expect(await resend({ filter, excluded: [second?.id] })).toMatchObject({ count: 2, untold: 0 })
  await until(async () => (await outs()).filter((row) => row.status === 'sent').length === 2)
  expect(Object.fromEntries((await outs()).map((row) => [row.player_outer_id, row.status]))).toEqual({
    first: 'sent',
    second: 'skipped',
    third: 'sent',
  })
  expect(heard).toHaveLength(2)
})

test('the log is exported with its filter, in the time of the advertisers’ servers; screens receive new and sent postbacks [TRK-08] [TRK-14] [I18N-04]', async () => {
  await addUrl()
  const ear = await listen(ofAlpha, 'postback')
  const deaf = await listen(await signIn(server, 'PARTNER', 2), 'postback')
  answers = 200
  await tell({ event: 'reg', player_id: 'heard', site_id: 'alpha-site' })
  await until(async () => (await outs())[0]?.status === 'sent')
  const [out] = await outs()
  const said = (id: unknown) => ear.heard.some((text) => text.match(/\d+/g)?.includes(String(id)))
  await until(async () => said(out?.id) && said(out?.parent_id))
  expect(deaf.heard).toEqual([])
  await query(`update postback set created_at = '2026-03-01T20:30:00Z' where id = $1`, [out?.id])
  const file = await admin.call(
    'GET',
    'postback_export/xlsx?filter[direction]=out&columns[]=created_at&columns[]=event_type&columns[]=reason',
  )
  const { rows, format } = await readSheet(file)
  expect([format, rows.length, rows[0]?.[1]]).toEqual(['xlsx', 1, 'reg'])
  expect(rows[0]?.[0]).toEqual(new Date('2026-03-02T02:30:00Z'))
  expect((await admin.call('GET', 'postback_export/xlsx?filter[nothing]=1')).status).toBe(422)
})

test('a partner may not resend; invalid input is rejected by name [TRK-08]', async () => {
  expect((await ask(ofAlpha, 'POST', 'postback_export/resent_postbacks', { filter: '' })).status).toBe(403)
  expect((await ask(admin, 'POST', 'postback_export/resent_postbacks', {})).status).toBe(422)
  expect((await ask(admin, 'POST', 'postback_export/resent_postbacks', { filter: 'filter[nothing]=1' })).status).toBe(
    422,
  )
})
