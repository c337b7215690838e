// What the reference example shows before its close, and on the lines of its second statement.
import { DEFAULT_ZONE, formatDay, today } from '@tributary/contract/period'
import { expect, vi } from 'vitest'
import { waitForFacts } from '../../src/facts/catch-up.ts'
import { importReport } from '../../src/integrations/player-report/import-report.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json } from '../support/entity-calls.ts'
import type { SignedIn } from '../support/sign-in.ts'
import { day, FOURTH, qualify, type ReferenceWorld, SECOND, THIRD } from './reference-world.ts'

export async function expectClosePreview(
  admin: SignedIn,
  world: { readonly euro: number; readonly usd: number },
  month: string,
): Promise<void> {
  await expectIssuerCheck(admin, month)
  const { partners, entries, sums, rounding } = await done(admin, 'GET', `period_close/checklist?month=${month}`)
  expect([Number(partners) > 0, entries]).toEqual([true, 5])
  const shown = (list: unknown) =>
    (list as Json[]).map(({ currency, ...amounts }) => [(currency as Json).id, ...Object.values(amounts)])
  expect(shown(sums)).toEqual(
    expect.arrayContaining([
      [world.euro, '2448.6700'],
      [world.usd, '242.5100'],
    ]),
  )
  // 540.00 + 248.6125 + 1,660.056 and 120.00 + 122.506, each rounded once.
  expect(shown(rounding)).toEqual(
    expect.arrayContaining([
      [world.euro, '2448.6700', '2448.6700', '0.0000'],
      [world.usd, '242.5100', '242.5100', '0.0000'],
    ]),
  )
}

/** Corrections are named, with a cause that the partner may read and the entry that staff open. */
export async function expectCorrections(statement: Json, admin: SignedIn, partner: SignedIn): Promise<void> {
  const lineOf = (total: string) => (statement.lines as Json[]).find((line) => line.total === total) as Json
  const shown = (text: string) => ({ explanation: expect.stringContaining(text) })
  expect(lineOf('45.0100')).toMatchObject(shown('True-up'))
  expect(lineOf('45.0100')).toMatchObject(shown('a new or changed report of players'))
  expect(lineOf('-50.0000')).toMatchObject(shown('True-up'))
  expect(lineOf('89.6000')).toMatchObject(shown('reopened: changed spend'))
  expect(lineOf('60.0000').explanation).toBeNull()
  for (const reader of [admin, partner]) {
    const items = await done(reader, 'GET', `payment_invoice_line/${lineOf('45.0100').id}/items`)
    expect(items.entries).toMatchObject([{ source: 'true_up', causes: [{ cause: 'report' }] }])
    expect(JSON.stringify(items.entries)).not.toMatch(/user|reason|player_report/)
    const [{ id }] = items.entries as [Json]
    const entry = await done(reader, 'GET', `ledger_entry/${id}`)
    expect(entry).toMatchObject({ source: 'true_up', amount: '45.0100', ...shown('True-up') })
    expect(entry).toMatchObject(shown('a new or changed report of players'))
    expect(Object.hasOwn(entry, 'causes')).toBe(reader === admin)
    const changes = await ask(reader, 'GET', `ledger_entry/${id}/changes`)
    expect(changes.status).toBe(reader === admin ? 200 : 403)
    if (reader !== admin) continue
    const [[change]] = changes.body.causes as [[Json]]
    expect(change).toMatchObject({ entity: 'player_report', user: { title: expect.any(String) } })
    expect(change.changes).toEqual(expect.arrayContaining([expect.objectContaining({ field: 'income' })]))
    expect(change.units).toMatchObject({ before: { currency: entry.currency }, after: { currency: entry.currency } })
  }
  await expectNamedSpend(admin, lineOf('89.6000'))
}

/** The spend behind a line is named by its partner, stream, country and day. */
async function expectNamedSpend(admin: SignedIn, line: Json): Promise<void> {
  const { entries } = await done(admin, 'GET', `payment_invoice_line/${line.id}/items`)
  const [{ id }] = entries as [Json]
  const { causes, records } = await done(admin, 'GET', `ledger_entry/${id}/changes`)
  const title = expect.stringMatching(/^\w.* · .* · .* · \d\d\.\d\d\.\d{4}$/)
  expect(causes).toMatchObject([[{ entity: 'partner_spend', title }]])
  expect(records).toMatchObject([{ entity: 'partner_spend', title }])
}

/** What the rows of a preview have on hold and not resolved. */
async function sumWaiting(person: SignedIn, filter: object, booked_only: boolean): Promise<number[]> {
  const { rows } = await done(person, 'POST', 'payment_invoice/preview', { filter, booked_only })
  return ['on_hold', 'not_resolved'].map((of) => (rows as Json[]).reduce((total, row) => total + Number(row[of]), 0))
}

/** The checklist warns until the settings say who issues statements. */
async function expectIssuerCheck(admin: SignedIn, month: string): Promise<void> {
  const check = async () => {
    const { items } = await done(admin, 'GET', `period_close/checklist?month=${month}`)
    return (items as Json[]).find(({ code }) => code === 'issuer_missing')
  }
  expect(await check()).toEqual({ code: 'issuer_missing', count: 1, blocks: false, link: '/settings' })
  await done(admin, 'POST', 'setting', { statement_issuer: 'Tributary Network Ltd., Kyiv' })
  expect(await check()).toMatchObject({ count: 0 })
}

/** The cause of the CPA entry is named by the player, and by the day of a changed report, and leads to the player. */
export async function expectNamedReport(
  person: SignedIn,
  { a3 }: ReferenceWorld,
  entries: readonly Json[],
  entity = 'player_report',
): Promise<void> {
  const entry = entries.find(({ kind }) => kind === 'cpa')
  const { causes, facts, records } = await done(person, 'GET', `ledger_entry/${entry?.id}/changes`)
  const player = a3.player as Json
  if (entity === 'player_report') {
    const of = { player: player.id, day: a3.report_date }
    const lost = { ...of, metric: 'qualified_players', before: '1', after: '0' }
    expect(facts).toEqual([[lost, { ...of, metric: 'deposits_amount', before: '50.0000', after: '5.0000' }]])
  }
  const day = entity === 'player' ? [] : [formatDay(String(a3.report_date))]
  const title = [player.title, ...day].join(' · ')
  expect(causes).toMatchObject([[{ entity, title, player: player.id }]])
  expect(records).toEqual([{ entity: 'player', id: player.id, title: player.title }])
}

async function qualifyUndecided(admin: SignedIn, { net, links }: ReferenceWorld, on: string): Promise<void> {
  const { player } = await qualify(admin, net, links.A, on)
  const undecided = { ids: [(player as Json).id], payment_resolution: null, reason: 'a check' }
  await done(admin, 'PUT', 'player/bulk_update', undecided)
}

interface Example {
  readonly admin: SignedIn
  readonly world: ReferenceWorld
  trueUp(): Promise<void>
  reopen(month: string, reason: string): Promise<void>
  factsFollow(): Promise<void>
  on(date: string): Promise<SignedIn>
  figuresOf(person: SignedIn): Promise<Json | undefined>
  readonly filterOf: (month: string) => object
}

/** The overview counts what the preview of booked amounts has on hold and not resolved; the open month adds to the whole preview alone. */
export async function expectBookedWaiting({ admin, world, filterOf, ...example }: Example): Promise<void> {
  await qualifyUndecided(admin, world, day(SECOND, 2))
  await example.trueUp()
  await example.reopen(THIRD, 'late reports')
  await qualifyUndecided(admin, world, today(DEFAULT_ZONE))
  await example.factsFollow()
  const person = await example.on(day(FOURTH, 1))
  const figures = await example.figuresOf(person)
  const counted = [Number(figures?.on_hold), Number(figures?.not_resolved)]
  expect(counted[1]).toBeGreaterThan(0)
  expect(await sumWaiting(person, filterOf(FOURTH), true)).toEqual(counted)
  expect(await sumWaiting(person, filterOf(THIRD), false)).not.toEqual(await sumWaiting(person, filterOf(THIRD), true))
}

interface ImportGround {
  readonly server: Server
  readonly admin: SignedIn
  readonly world: ReferenceWorld
  readonly trueUp: () => Promise<void>
  readonly listEntries: () => Promise<Json[]>
}

/** An imported file replaces the report that disqualified A3: the cause of the true-up shows which figures changed. */
export async function expectImportedReport(ground: ImportGround): Promise<void> {
  const { server, admin, world, trueUp, listEntries } = ground
  const player = (world.a3.player as Json).id
  const { outer_id } = await done(admin, 'GET', `player/${player}`)
  const form = new FormData()
  const row = [outer_id, world.a3.report_date, 1, 50].join(',')
  form.append('file', new Blob([`player_id,report_date,deposits_count,deposits\n${row}`]), 'figures.csv')
  const headers = { authorization: `Bearer ${admin.token}` }
  const address = `${server.url}/api/player/import?advertiser=${world.net.advertiser.id}`
  const { id } = (await (await fetch(address, { method: 'POST', headers, body: form })).json()) as Json
  // The queue may wait until the clock is where an earlier test had set it.
  await importReport(server.services, Number(id), new AbortController().signal)
  const isDone = async () => expect((await done(admin, 'GET', `report/${id}`)).status).toBe('success')
  await vi.waitFor(isDone, { timeout: 60_000, interval: 50 })
  await trueUp()
  const booked = (await listEntries()).at(-1)
  expect(booked).toMatchObject({ source: 'true_up', amount: '50.0000' })
  const { facts, report_currency } = await done(admin, 'GET', `ledger_entry/${booked?.id}/changes`)
  const of = { player, day: world.a3.report_date }
  const amounts = { ...of, metric: 'deposits_amount', before: '5.0000', after: '50.0000' }
  expect(facts).toEqual([[{ ...of, metric: 'qualified_players', before: '0', after: '1' }, amounts]])
  expect(report_currency).toMatch(/^\w+$/)
}

/** Waits for the job that an admin starts. */
export async function startTrueUp({ services }: Server, admin: SignedIn): Promise<void> {
  expect(await waitForFacts(services, 15_000)).toBe(true)
  const { job } = await done(admin, 'POST', 'ledger_entry/true_up', {})
  const isDone = async () =>
    (await services.postgres.pool.query(`select from jobs.job where id = $1 and state = 'completed'`, [job]))
      .rowCount === 1
  await vi.waitFor(async () => expect(await isDone()).toBe(true), { timeout: 60_000, interval: 50 })
}
