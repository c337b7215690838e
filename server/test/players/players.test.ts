// Players: manual attribution, look-ups, alternative titles of countries, the story.

import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, linkOf, makeNetwork, type Network, refused, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let net: Network
let link: Json

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  net = await makeNetwork(admin)
  link = await done(
    admin,
    'POST',
    'offer_partner',
    linkOf(net, { baseline: '50', bet_requirement: '40', max_days_from_registration: 30 }),
  )
})

const rowsOf = async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await server.services.postgres.pool.query(sql, values)).rows

const addPlayer = (more: Record<string, unknown> = {}): Promise<Json> =>
  done(admin, 'POST', 'player', { outer_id: unique('player'), advertiser: net.advertiser.id, ...more })

const idOf = (reference: unknown): number | null => (reference as { id: number } | null)?.id ?? null

/** Waits until the facts have caught up. */
async function until(check: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('it did not happen')
}

test('a player is attributed by hand to a partner offer of the advertiser, with its dimensions, audited; facts follow [PLY-01] [PLY-02]', async () => {
  const player = await addPlayer({ registered_at: '2026-03-01T10:00:00.000Z' })
  expect(player).toMatchObject({ attribution: 'none', partner: null, offer_partner: null })
  const given = await done(admin, 'PUT', `player/${player.id}`, { offer_partner: link.id })
  expect(given).toMatchObject({ attribution: 'manual', site_id: link.site_id, media_id: 'm-77' })
  expect([idOf(given.partner), idOf(given.offer), idOf(given.stream), idOf(given.traffic_source)]).toEqual([
    net.partner.id,
    net.offer.id,
    net.stream.id,
    net.source.id,
  ])
  expect(given.offer_partner_uuid).toBe(link.uuid)
  expect(given.links).toEqual({ partner: link.partner_link, advertiser: link.advertiser_link })
  const factsOf = async (): Promise<number | undefined> =>
    (
      await server.services.clickhouse.query<{ partner_id: number }>(
        'select partner_id from player_fact final where player_id = {id:UInt32} and is_deleted = 0',
        { id: player.id },
      )
    )[0]?.partner_id
  await until(async () => (await factsOf()) === net.partner.id)
  const [change] = await rowsOf(
    "select user_id, after ->> 'offer_partner' as link from audit_log where entity = 'player' and entity_id = $1 and action = 'update'",
    [player.id],
  )
  expect(change).toEqual({ user_id: admin.id, link: String(link.id) })
  const taken = await done(admin, 'PUT', `player/${player.id}`, { offer_partner: null })
  expect(taken).toMatchObject({ attribution: 'none', partner: null, offer: null, stream: null })
  await until(async () => (await factsOf()) === 0)
})

test('a partner offer of another advertiser is rejected; fields of the product cannot be written [PLY-01]', async () => {
  const other = await makeNetwork(admin)
  const player = await addPlayer()
  const foreign = await done(admin, 'POST', 'offer_partner', linkOf(other))
  expect(await refused(admin, 'PUT', `player/${player.id}`, { offer_partner: foreign.id })).toEqual({
    offer_partner: ['This partner offer belongs to another advertiser'],
  })
  expect(
    await refused(admin, 'PUT', `player/${player.id}`, { qualification: 'qualified', payment_resolution: 'approved' }),
  ).toEqual({
    qualification: ['This field cannot be changed'],
    payment_resolution: ['This field cannot be changed'],
  })
  expect(
    await refused(admin, 'POST', 'player', { outer_id: player.outer_id, advertiser: net.advertiser.id }),
  ).toMatchObject({
    outer_id: ['Already exists'],
  })
})

test('original values of players are looked up: countries in advertisers’ terms, and promo codes [PLY-03]', async () => {
  const stem = unique('Zed')
  for (const name of ['b', 'a', 'c', 'a'])
    await addPlayer({ geo_country: `${stem} ${name}`, promocode: `${stem}-${name}` })
  const titles = async (path: string): Promise<unknown> => {
    const { options, pagination } = await done(admin, 'GET', path)
    return [(options as { title: string }[]).map(({ title }) => title), (pagination as { total: number }).total]
  }
  const query = encodeURIComponent(stem)
  expect(await titles(`player/geo_country?query=${query}`)).toEqual([[`${stem} a`, `${stem} b`, `${stem} c`], 3])
  expect(await titles(`player/promocode?query=${query}&limit=2&page=2`)).toEqual([[`${stem}-c`], 3])
  const partner = await signIn(server, 'PARTNER', net.partner.id)
  const own = await addPlayer({ offer_partner: link.id, promocode: `${stem}-own` })
  expect(own.promocode).toBe(`${stem}-own`)
  expect(((await done(partner, 'GET', `player/promocode?query=${query}`)).options as Json[]).length).toBe(1)
})

test('the actual country is found by title, code and alternative titles, also by one that is added later [PLY-03]', async () => {
  const name = unique('Wonderland')
  const early = await addPlayer({ geo_country: name.toUpperCase() })
  expect(early.actual_country).toBeNull()
  await done(admin, 'POST', 'country_mapping', { country: net.country.id, title: name })
  expect(idOf((await done(admin, 'GET', `player/${early.id}`)).actual_country)).toBe(net.country.id)
  for (const told of [name.toLowerCase(), net.country.title, String(net.country.code).toLowerCase()]) {
    expect(idOf((await addPlayer({ geo_country: told })).actual_country)).toBe(net.country.id)
  }
})

test('a player with a history is not deleted, one without is [ENT-25] [PLY-01]', async () => {
  const [bare, told] = [await addPlayer(), await addPlayer()]
  await done(admin, 'POST', 'player_report', { player: told.id, report_date: '2026-03-01', deposits: '5' })
  expect((await ask(admin, 'DELETE', `player/${told.id}`)).status).toBe(409)
  expect((await ask(admin, 'DELETE', `player/${bare.id}`)).status).toBe(204)
})

test('a player report of a day that has not come is rejected, as in a file; tomorrow may have come to the advertiser [PLY-01] [PLY-06]', async () => {
  const { id: player } = await addPlayer()
  const report = (days: number): Json =>
    ({ player, report_date: addDays(today(DEFAULT_ZONE), days), income: '1' }) as never
  expect(await refused(admin, 'POST', 'player_report', report(2))).toEqual({
    report_date: [expect.stringContaining('future')],
  })
  await done(admin, 'POST', 'player_report', report(1))
})

test('the story of a player: click, registration, deposits, reports, resolution; and missing qualification rules [PLY-10] [PLY-04]', async () => {
  const clickId = '019cab00-0000-7000-8000-00000000abcd'
  // The same day in every zone: the deposit an hour later belongs to the report's day.
  const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
  const registered = new Date(`${day}T10:00:00Z`)
  const player = await addPlayer({ offer_partner: link.id, registered_at: registered.toISOString() })
  const euro = net.currency.id
  await rowsOf('update player set click_id = $2 where id = $1', [player.id, clickId])
  await rowsOf(
    `insert into player_event (player_id, type, happened_at, amount, currency_id, identity) values
      ($1, 'dep', $2::timestamptz + interval '1 hour', 30, $3, 'a'), ($1, 'bet', $2::timestamptz + interval '49 hours', 12.5, $3, 'b')`,
    [player.id, registered, euro],
  )
  await done(admin, 'POST', 'player_report', {
    player: player.id,
    report_date: day,
    deposits: '20',
    deposits_count: 1,
    income: '7',
  })
  await done(admin, 'PUT', 'player/bulk_update', { ids: [player.id], payment_resolution: 'not_approved' })
  const story = await done(admin, 'GET', `player/${player.id}/timeline`)
  const entries = story.entries as {
    kind: string
    counts: boolean
    amount: string | null
    state: string | null
    by: string | null
    figures: Json | null
  }[]
  expect(new Set(entries.map(({ kind }) => kind))).toEqual(
    new Set(['click', 'registration', 'deposit', 'bet', 'report', 'resolution', 'change']),
  )
  expect(entries.at(0)?.kind).toBe('click')
  expect(entries.find(({ kind }) => kind === 'resolution')).toMatchObject({
    state: 'not_approved',
    by: expect.stringContaining('ADMIN'),
  })
  expect(entries.find(({ kind }) => kind === 'report')?.figures).toMatchObject({
    deposits: '20.0000',
    income: '7.0000',
  })
  const { rules, is_possible, state } = story.qualification as { rules: Json[]; is_possible: boolean; state: string }
  expect([is_possible, state]).toEqual([true, 'unqualified'])
  const byRule = Object.fromEntries(rules.map((rule) => [rule.rule, rule]))
  expect(byRule.bets).toMatchObject({
    state: 'open',
    required: '40.0000',
    reached: '12.5000',
    missing: '27.5000',
    days_left: expect.any(Number),
  })
  expect(byRule.max_days).toMatchObject({ state: 'open' })
  expect(byRule.deposits).toMatchObject({ missing: '30.0000' })
  const partner = await signIn(server, 'PARTNER', net.partner.id)
  const told = await done(partner, 'GET', `player/${player.id}/timeline`)
  expect(JSON.stringify(told)).not.toContain('income')
  expect((told.entries as Json[]).some(({ kind }) => kind === 'resolution')).toBe(false)
  const stranger = await signIn(server, 'PARTNER', (await makeNetwork(admin)).partner.id)
  expect((await ask(stranger, 'GET', `player/${player.id}/timeline`)).status).toBe(404)
})

test('a user without the permission for payment resolution sees it nowhere: row, list, filter, history, timeline [PLY-05] [PERM-07]', async () => {
  const player = await addPlayer({ offer_partner: link.id })
  await done(admin, 'PUT', 'player/bulk_update', { ids: [player.id], payment_resolution: 'approved' })
  const blind = await signIn(server, 'TEAM_LEADER')
  await rowsOf(
    `with grouped as (insert into partner_group (title) values ('Seen without resolutions') returning id),
      led as (insert into partner_group_team_leader (partner_group_id, user_id)
        select grouped.id, u.id from grouped, "user" u where u.email = $1),
      joined as (insert into partner_partner_group (partner_id, partner_group_id) select $2::int, id from grouped)
    update "user" set permissions = '{players}' where email = $1`,
    [blind.email, net.partner.id],
  )
  // Changed permissions arrive by notification.
  await expect
    .poll(async () => (await done(blind, 'GET', 'profile')).permissions, { timeout: 20_000 })
    .toEqual(['players'])
  for (const [person, isTold] of [
    [admin, true],
    [blind, false],
  ] as const) {
    const answers = [
      await done(person, 'GET', `player/${player.id}`),
      await done(person, 'GET', `player?filter[id]=${player.id}`),
      await done(person, 'GET', `audit_log/history/player/${player.id}`),
      await done(person, 'GET', `player/${player.id}/timeline`),
    ]
    for (const answer of answers) expect(JSON.stringify(answer).includes('approved')).toBe(isTold)
    const filtered = await ask(person, 'GET', 'player?filter[payment_resolution]=approved')
    expect(filtered.status).toBe(isTold ? 200 : 422)
  }
})

test('a first deposit names its currency, and its amount in the report currency by the rate of its day [PLY-01]', async () => {
  const player = await addPlayer()
  const [code, reported] = [unique('T').slice(-8).trim(), unique('R').slice(-8).trim()]
  const currency = await done(admin, 'POST', 'currency', { title: code, value: code })
  const report = await done(admin, 'POST', 'currency', { title: reported, value: reported })
  await done(admin, 'POST', 'setting', { report_currency: report.id })
  await rowsOf(
    `insert into currency_rate (currency_id, date, rate) values ($1, '2026-03-01', 0.5), ($1, '2026-03-06', 0.9)`,
    [currency.id],
  )
  await rowsOf(
    `update player set first_deposit_at = '2026-03-05T10:00:00Z', first_deposit_amount = 20, first_deposit_currency_id = $2 where id = $1`,
    [player.id, currency.id],
  )
  expect(await done(admin, 'GET', `player/${player.id}`)).toMatchObject({
    first_deposit_amount: '20.0000',
    first_deposit_currency: { value: code },
    first_deposit_in_report_currency: `10.00 ${reported}`,
  })
  // A deposit in the report currency needs no rate.
  const other = await addPlayer()
  await rowsOf(
    `update player set first_deposit_at = '2026-03-05T10:00:00Z', first_deposit_amount = 20, first_deposit_currency_id = $2 where id = $1`,
    [other.id, report.id],
  )
  expect(await done(admin, 'GET', `player/${other.id}`)).toMatchObject({
    first_deposit_in_report_currency: `20.00 ${reported}`,
  })
  // So does the time line: events and reported figures by the rate of their day.
  await rowsOf(
    `insert into player_event (player_id, type, happened_at, amount, currency_id, identity) values ($1, 'dep', '2026-03-07T10:00:00Z', 30, $2, 'x1')`,
    [player.id, currency.id],
  )
  await rowsOf(
    `insert into player_report (player_id, report_date, deposits, currency_id) values ($1, '2026-03-02', 8, $2)`,
    [player.id, currency.id],
  )
  const { entries } = await done(admin, 'GET', `player/${player.id}/timeline`)
  const converted = (kind: string) => (entries as Json[]).find((entry) => entry.kind === kind)?.converted
  expect(converted('deposit')).toMatchObject({ amount: '27.00', currency: reported })
  expect(converted('report')).toMatchObject({ figures: { deposits: '4.00' }, currency: reported })
})
