// Trace: any ID tells the whole story and its verdict, within what its reader may see.

import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { listEntries } from '../../src/calls/trace-entries.ts'
import { lowestId } from '../../src/facts/clicks/click-lines.ts'
import type { Server } from '../../src/server.ts'
import { postbackSenderModule, trackerModule } from '../../src/tracker/module.ts'
import { judge, type TracedStory } from '../../src/tracker/postbacks/trace-verdict.ts'
import { ask, done, ENTITY_MODULES } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { ok, startPartner } from '../support/partner-server.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { FOREIGN_LINK, LINK, MAIN_POSTBACK, makeNetwork, someAddress, visit } from '../support/tracker-network.ts'

let server: Server
let admin: SignedIn
let clickId: string
const query = async (sql: string, values: unknown[] = []) =>
  (await server.services.postgres.pool.query(sql, values)).rows
const tell = (params: Record<string, string>) =>
  fetch(`${server.url}/postback/${MAIN_POSTBACK}?${new URLSearchParams(params).toString()}`)

interface Trace {
  click: Record<string, unknown> | null
  player: Record<string, unknown> | null
  matches: { id: number; title: string }[]
  entries: { kind: string; event: string | null; status: string | null; text: string | null }[]
  verdicts: { code: string; values: Record<string, unknown> }[]
}
const trace = async (id: string, who = admin, more = '') =>
  (await done(who, 'GET', `trace?id=${encodeURIComponent(id)}${more}`)) as unknown as Trace

beforeAll(async () => {
  server = await startTestApp({
    modules: [...ENTITY_MODULES, trackerModule, postbackSenderModule],
    env: { TRUST_PROXY: '1', ALLOW_PRIVATE_TARGETS: '1' },
  })
  await makeNetwork(server.services.postgres.pool)
  admin = await signIn(server, 'ADMIN')
  while ((await visit(server.url, `/c/${FOREIGN_LINK}`)).status !== 302) await sleep(20)
  clickId = (await visit(server.url, `/c/${LINK}?click_id=theirs-1`, { 'x-forwarded-for': someAddress() })).clickId
  await tell({
    event: 'reg',
    player_id: 'traced',
    click_id: clickId,
    date: new Date(Date.now() - 60_000).toISOString(),
  })
  const partner = await startPartner(ok)
  await query('insert into partner_postback_url (partner_id, url) values (1, $1)', [`${partner.url}/?e={event}`])
  await tell({ event: 'dep', player_id: 'traced', sum: '25', currency: 'EUR', transaction_id: 'order-9' })
  await tell({ event: 'dep', player_id: 'traced', sum: 'many' })
  for (let tries = 0; partner.calls.length === 0 && tries < 400; tries++) await sleep(25)
  while ((await query(`select from postback where status = 'pending'`)).length > 0) await sleep(20)
})

test.each([
  ['our click ID', () => clickId],
  ['the partner’s click ID', () => 'theirs-1'],
  ['the advertiser’s player ID', () => 'traced'],
  ['a transaction', () => 'order-9'],
  ['a promo code', () => 'alpha'],
])('%s opens the story from click to postbacks, on both sides [NAV-11] [TRK-06]', async (_, id) => {
  const story = await trace(id())
  expect(story.click).toMatchObject({ id: clickId })
  expect(story.player).toMatchObject({ outer_id: 'traced', attribution: 'click' })
  expect(story.entries.map(({ kind, event }) => (event === null ? kind : `${kind} ${event}`)).sort()).toEqual([
    'attempt ftd',
    'click',
    'first_deposit ftd',
    'postback_in dep',
    'postback_in dep',
    'postback_in reg',
    'postback_out ftd',
    'postback_out reg',
    'registration reg',
    'url_added',
  ])
  expect(story.verdicts).toMatchObject([
    { code: 'refused', values: { reason: 'wrong_sum', count: 1 } },
    { code: 'url_added_later', values: { event: 'reg', at: expect.any(String), url_at: expect.any(String) } },
    { code: 'told', values: { event: 'ftd', count: 1 } },
    { code: 'not_qualified' },
  ])
})

test('several matching players are listed; an unknown id is reported as absent [NAV-11]', async () => {
  await tell({ event: 'reg', player_id: 'twin-1', promocode: 'BETA' })
  await tell({ event: 'reg', player_id: 'twin-2', promocode: 'BETA' })
  await query(`update player set promocode = 'BETA' where outer_id like 'twin-%'`)
  const { matches, entries } = await trace('beta')
  expect([matches.map(({ title }) => title), entries]).toEqual([['twin-2', 'twin-1'].sort(), []])
  expect((await trace('beta', admin, `&player=${matches[1]?.id}`)).player).toMatchObject({
    outer_id: matches[1]?.title,
  })
  expect((await ask(admin, 'GET', 'trace?id=nothing-like-it')).status).toBe(404)
  expect((await ask(admin, 'GET', 'trace?id=')).status).toBe(422)
})

test('a partner sees their own story without what is hidden from them, and no other [PERM-07] [NAV-11]', async () => {
  const story = await trace('traced', await signIn(server, 'PARTNER', 1))
  expect(story.player).not.toHaveProperty('advertiser')
  expect(story.click).not.toHaveProperty('ip')
  const texts = JSON.stringify(story)
  expect(texts).not.toContain('first.example')
  expect(texts).not.toContain(MAIN_POSTBACK)
  const other = await signIn(server, 'PARTNER', 2)
  for (const id of [clickId, 'traced', 'order-9']) expect((await ask(other, 'GET', `trace?id=${id}`)).status).toBe(404)
})

test('a click that retention has deleted is named as such, and the profile says from which day on clicks are kept [SYS-06] [NAV-11]', async () => {
  const admin = await signIn(server, 'ADMIN')
  const id = `${lowestId(Date.parse('2024-01-15T12:00:00Z')).slice(0, 14)}7001-8000-000000000001`
  expect((await ask(admin, 'GET', `trace?id=${id}`)).status).toBe(404)
  expect(await done(admin, 'GET', 'profile')).toMatchObject({ clicks_kept_from: null })
  await server.services.postgres.pool.query(
    `insert into deleted_clicks (month, run, clicks, dropped_at) values ('202401', 1, 1, now()), ('202402', 2, 1, null)`,
  )
  expect(await trace(id, admin)).toMatchObject({ click: null, entries: [], verdicts: [{ code: 'click_deleted' }] })
  expect(await done(admin, 'GET', 'profile')).toMatchObject({ clicks_kept_from: '2024-02-01' })
  const other = `${lowestId(Date.parse('2024-02-15T12:00:00Z')).slice(0, 14)}7001-8000-000000000001`
  expect((await ask(admin, 'GET', `trace?id=${other}`)).status).toBe(404)
  await server.services.postgres.pool.query('delete from deleted_clicks')
})

const STORY: TracedStory = {
  click: { isBot: false, canonicalId: null },
  player: {
    isAttributed: true,
    registeredAt: '2026-01-01T13:57:00Z',
    firstDepositAt: null,
    qualifiedAt: null,
    qualification: 'unqualified',
  },
  isClickDeleted: false,
  rejected: [],
  outs: [],
  urls: [],
}
const OUT = { event: 'reg', status: 'skipped', reason: 'no_url', at: '2026-01-01T13:57:01Z', nextAt: null, attempts: 0 }

test.each([
  ['nobody to tell', { outs: [OUT] }, ['not_told', { event: 'reg', reason: 'no_url' }]],
  [
    'told too late',
    { outs: [OUT], urls: ['2026-01-01T14:02:00Z'] },
    ['url_added_later', { url_at: '2026-01-01T14:02:00Z' }],
  ],
  [
    'not chosen',
    { outs: [{ ...OUT, reason: 'event_not_selected' }], urls: ['2026-01-02'] },
    ['not_told', { reason: 'event_not_selected' }],
  ],
  [
    'one of two reached',
    {
      outs: [
        { ...OUT, status: 'failed' },
        { ...OUT, status: 'sent', attempts: 3 },
      ],
    },
    ['told', { count: 3 }],
  ],
  [
    'waiting',
    { outs: [{ ...OUT, status: 'pending', nextAt: '2026-01-03', attempts: 2 }] },
    ['waiting', { at: '2026-01-03', count: 2 }],
  ],
  ['failed', { outs: [{ ...OUT, status: 'failed', reason: 'gone', attempts: 1 }] }, ['failed', { reason: 'gone' }]],
] as const)('%s: the verdict says so [TRK-06]', (_, more, [code, values]) => {
  const [verdict] = judge({ ...STORY, ...more })
  expect(verdict).toMatchObject({ code, values })
})

test('a click without events, a bot, a nobody’s player [TRK-12]', () => {
  expect(judge({ ...STORY, player: null }).map(({ code }) => code)).toEqual(['no_events'])
  expect(judge({ ...STORY, player: null, click: { isBot: true, canonicalId: null } }).map(({ code }) => code)).toEqual([
    'bot',
    'no_events',
  ])
  const player = { ...STORY.player, isAttributed: false } as TracedStory['player']
  expect(judge({ ...STORY, player }).map(({ code }) => code)).toEqual(['unattributed'])
})

test('an entry of a day follows all events of that day in any business zone, and shows no time [PLY-10] [NAV-11]', () => {
  const player = {
    id: 1,
    registered_at: '2026-03-10T21:30:00.000Z',
    qualified_at: '2026-03-10',
    qualification: 'qualified',
  }
  const bet = { type: 'bet', at: '2026-03-10T22:30:00.000Z', amount: '5.0000', currency: 'EUR', transaction_id: null }
  const nothing = { click: null, postbacks: [], attempts: [], urls: [], changes: [] }
  const told = (businessZone: string) =>
    listEntries({ ...nothing, player, events: [bet], businessZone }).map(({ kind, day }) => [kind, day])
  expect(told('Europe/Kyiv')).toEqual([
    ['registration', null],
    ['qualified', '2026-03-10'],
    ['event', null],
  ])
  expect(told('UTC').at(-1)).toEqual(['qualified', '2026-03-10'])
})
