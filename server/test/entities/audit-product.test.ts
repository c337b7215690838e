// Changes that the product itself makes (postbacks, imports, qualification, countries, rows deleted with others) are in the audit log in the
// same transaction: a trigger watches every table of an entity during these tests.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPlayersApiServer } from '../../../demo/players-api-server.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { watchAudit } from '../support/audit-watch.ts'
import { ask, done, type Json, linkOf, makeNetwork, makeOffer, type Network, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let net: Network
let link: Json
let watch: Awaited<ReturnType<typeof watchAudit>>
const REPORTED = '2026-03-10'

beforeAll(async () => {
  const api = await startPlayersApiServer(
    ({ date }) =>
      date === REPORTED ? [{ player_id: 'api-1', date: REPORTED, deposits: '5.00', deposits_count: 1 }] : [],
    'sesame',
  )
  afterAll(() => api.stop())
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  admin = await signIn(server, 'ADMIN')
  watch = await watchAudit(server.services.postgres.pool)
  net = await makeNetwork(admin)
  link = await done(admin, 'POST', 'offer_partner', linkOf(net, { baseline: '50' }))
  await done(admin, 'PUT', 'integration/players_api', { base_url: api.url, credential: 'sesame' })
})

async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('it did not happen')
}

interface Noted {
  action: string
  cause: string
  user_id: number | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

const notes = async (entity: string, id: number): Promise<Noted[]> =>
  (
    await server.services.postgres.pool.query(
      'select action, cause, user_id, before, after from audit_log where entity = $1 and entity_id = $2 order by id',
      [entity, id],
    )
  ).rows

const playerOf = (outerId: string): Promise<Json> =>
  until(async () => ((await done(admin, 'GET', `player?filter[outer_id]=${outerId}`)).items as Json[])[0])

const postback = async (params: Record<string, string>): Promise<void> => {
  const [{ uuid } = { uuid: '' }] = link.postbacks as { uuid: string }[]
  const answer = await fetch(`${server.url}/postback/${uuid}?${new URLSearchParams(params).toString()}`)
  expect(answer.status).toBe(200)
}

async function bring(content: string, query = ''): Promise<Json> {
  const form = new FormData()
  form.append('file', new Blob([content]), 'figures.csv')
  const answer = await fetch(`${server.url}/api/player/import?advertiser=${net.advertiser.id}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  })
  const { id } = (await answer.json()) as Json
  return until(async () => {
    const row = await done(admin, 'GET', `report/${id}`)
    return row.status === 'waiting' || row.status === 'processing' ? undefined : row
  })
}

test('a player who qualifies by postbacks, and later no longer does, has both changes in the history [ENT-24] [PLY-04]', async () => {
  const { site_id } = link as unknown as { site_id: string }
  await postback({ event: 'reg', player_id: 'q-1', site_id })
  await postback({ event: 'dep', player_id: 'q-1', sum: '80', transaction_id: 't-1' })
  const { id } = await playerOf('q-1')
  const marked = await until(async () => (await notes('player', id)).find(({ after }) => after?.qualification))
  expect(marked).toMatchObject({
    action: 'update',
    cause: 'qualification',
    user_id: null,
    before: { qualification: 'unqualified', qualified_at: null },
    after: { qualification: 'qualified', qualified_at: expect.any(String) },
  })
  await done(admin, 'PUT', `offer_partner/${link.id}`, { baseline: '500' })
  await until(async () => (await notes('player', id)).find(({ after }) => after?.qualification === 'lost'))
  const { items } = await done(admin, 'GET', `audit_log/history/player/${id}`)
  expect(items).toMatchObject([
    { changes: expect.arrayContaining([{ field: 'qualification', before: 'qualified', after: 'lost' }]) },
    { user: null, restorable: false },
  ])
})

test('changes of players and entries by a report have the report as cause; deleted entries can be restored [ENT-24] [PLY-06]', async () => {
  const heading = 'player_id,report_date,registration date,site_id,deposits,income'
  const first = await bring(`${heading}\nr-1,2026-03-10,2026-03-09,nowhere,5,1`)
  const player = await playerOf('r-1')
  expect(await notes('player', player.id)).toEqual([])
  const { site_id } = link as unknown as { site_id: string }
  const second = await bring(`${heading}\nr-1,2026-03-10,2026-03-08,${site_id},7.5,1`, '&update_reg_date=1')
  const cause = `report ${second.id}`
  const [given, moved] = await notes('player', player.id)
  expect(given).toMatchObject({
    cause,
    user_id: admin.id,
    before: { attribution: 'none', offer_partner: null },
    after: { attribution: 'site_id', offer_partner: link.id, partner: net.partner.id },
  })
  expect(moved?.before?.registered_at).toBe(player.registered_at)
  const [entry] = (await done(admin, 'GET', `player_report?filter[player]=${player.id}`)).items as Json[]
  expect(await notes('player_report', entry?.id ?? 0)).toMatchObject([
    { cause, before: { deposits: '5.0000', report: first.id }, after: { deposits: '7.5000', report: second.id } },
  ])
  const { items } = await done(admin, 'GET', `audit_log/history/player/${player.id}`)
  const [latest] = items as Json[]
  await done(admin, 'POST', `audit_log/${latest?.id}/restore`, { side: 'before' })
  expect((await done(admin, 'GET', `player/${player.id}`)).registered_at).toBe(player.registered_at)
  expect(await notes('report', second.id)).toMatchObject([
    { action: 'create', user_id: admin.id, after: { file_name: 'figures.csv', update_registrations: true } },
    { action: 'update', after: { status: 'success', entries_changed: 1 } },
  ])
})

test('days of the players API, API keys, bulk resolutions and new country names leave audit entries [ENT-24]', async () => {
  const { items } = await done(
    admin,
    'POST',
    `player/synchronize?date=${REPORTED}&advertiser=${net.advertiser.id}`,
    undefined,
  )
  const [day] = items as Json[]
  await until(async () => {
    const { status } = await done(admin, 'GET', `players_report_api/${day?.id}`)
    return status === 'waiting' || status === 'processing' ? undefined : status
  })
  expect(await notes('players_report_api', day?.id ?? 0)).toMatchObject([
    { action: 'create', user_id: admin.id, cause: 'synchronize', after: { report_date: REPORTED } },
    {
      action: 'update',
      user_id: null,
      after: { status: expect.stringMatching(/success|warnings/), report: expect.any(Number) },
    },
  ])
  const expires_on = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const key = await done(admin, 'POST', 'api_key', { title: 'Script', expires_on })
  expect(await notes('api_key', key.id)).toMatchObject([{ action: 'create', user_id: admin.id, before: null }])
  const name = unique('Terra')
  const made = await done(admin, 'POST', 'player', {
    outer_id: unique('far'),
    advertiser: net.advertiser.id,
    geo_country: name,
  })
  await done(admin, 'POST', 'country_mapping', { country: net.country.id, title: name })
  expect((await notes('player', made.id)).at(-1)).toMatchObject({
    cause: 'create country_mapping',
    user_id: admin.id,
    before: { actual_country: null },
    after: { actual_country: net.country.id },
  })
  const { id } = await playerOf('q-1')
  await done(admin, 'PUT', 'player/bulk_update', { ids: [id], payment_resolution: 'approved' })
  expect((await notes('player', id)).at(-1)).toMatchObject({ after: { payment_resolution: 'approved' } })
})

test('rows deleted with another row leave entries, also on the rows that referred to them [ENT-24] [ENT-25]', async () => {
  const { partner, stream, ...rest } = await makeNetwork(admin)
  const tag = await done(admin, 'POST', 'partner_tag', { title: unique('Tag') })
  await done(admin, 'PUT', `partner/${partner.id}`, { tags: [tag.id] })
  const offer = await makeOffer(admin, rest)
  const led = await done(admin, 'POST', 'partner_group', { title: unique('Led'), offers: [offer.id] })
  for (const path of [`partner_group/${led.id}`, `partner/${partner.id}`])
    expect((await ask(admin, 'DELETE', path)).status, path).toBe(204)
  expect((await notes('partner_stream', stream.id)).at(-1)).toMatchObject({ action: 'delete' })
  expect((await notes('offer', offer.id)).at(-1)).toMatchObject({
    action: 'update',
    before: { partner_groups: [led.id] },
    after: { partner_groups: [] },
  })
})

test('no row of an entity changed without an entry in the same transaction [ENT-24]', async () => {
  expect(await watch.unaudited()).toEqual([])
})
