// What the causes of an entry changed: each entry names its own changes, with what its key was given before and after.
import { beforeAll, expect, test } from 'vitest'
import { waitForFacts } from '../../src/facts/catch-up.ts'
import { MODULES } from '../../src/modules.ts'
import { trueUp as bookTrueUps } from '../../src/money/close.ts'
import type { Server } from '../../src/server.ts'
import { done, type Json } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { day, FIRST, makeReferenceWorld, type ReferenceWorld, SECOND } from './reference-world.ts'

let server: Server
let admin: SignedIn
let world: ReferenceWorld
let first: Json

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  world = await makeReferenceWorld(admin)
  first = await close()
}, 60_000)

async function close(): Promise<Json> {
  expect(await waitForFacts(server.services, 15_000)).toBe(true)
  return done(admin, 'POST', 'period_close', { month: FIRST })
}

async function reopen(): Promise<void> {
  await done(admin, 'PUT', `period_close/${first.id}/reopen`, { reason: 'late figures' })
}

async function trueUp(): Promise<void> {
  expect(await waitForFacts(server.services, 15_000)).toBe(true)
  await bookTrueUps(server.services)
}

interface Entry extends Json {
  readonly causes: { readonly cause: string; readonly records: Json[] }[]
}

interface Booked {
  readonly entry: Entry
  readonly changes: Json
}

/** The changes of records, of all causes. */
const changesOf = (one: Booked | undefined): Json[] => ((one?.changes.causes ?? []) as Json[][]).flat()

/** The entries that `work` books, in order, with what changed. */
async function booked(work: () => Promise<unknown>): Promise<Booked[]> {
  const list = async () => (await done(admin, 'GET', 'ledger_entry?limit=-1&order[id]=ASC')).items as Entry[]
  const before = (await list()).length
  await work()
  const entries = (await list()).slice(before)
  return Promise.all(
    entries.map(async (entry) => ({ entry, changes: await done(admin, 'GET', `ledger_entry/${entry.id}/changes`) })),
  )
}

const incomeReport = async (on: string): Promise<Json> => {
  const query = `player_report?filter[player]=${world.incomePlayer}&filter[report_date]=${on}`
  return ((await done(admin, 'GET', query)).items as Json[])[0] as Json
}

test('a true-up lists the changes that it books, not those that an earlier one has booked [MON-03]', async () => {
  const { id } = await incomeReport(day(FIRST, 5))
  const change = (income: string) => () => done(admin, 'PATCH', `player_report/${id}`, { income }).then(trueUp)
  const incomes = async (income: string) => {
    const [one, ...others] = await booked(change(income))
    expect(others).toEqual([])
    return changesOf(one).flatMap((entry) => (entry.changes as Json[]).filter(({ field }) => field === 'income'))
  }
  expect(await incomes('1300.00')).toMatchObject([{ before: '1234.5700', after: '1300.0000' }])
  expect(await incomes('1500.00')).toMatchObject([{ before: '1300.0000', after: '1500.0000' }])
})

test('of changes that follow each other at once, each is named, and only what has changed [MON-03]', async () => {
  const { id } = await incomeReport(day(FIRST, 5))
  const change = (income: string) => done(admin, 'PATCH', `player_report/${id}`, { income })
  const [one, ...others] = await booked(async () => {
    for (const income of ['1600.00', '1640.00', '1620.00']) await change(income)
    await trueUp()
  })
  expect(others).toEqual([])
  const incomes = changesOf(one).flatMap((entry) => (entry.changes as Json[]).filter(({ field }) => field === 'income'))
  expect(incomes.map(({ before, after }) => [before, after])).toEqual([
    ['1640.0000', '1620.0000'],
    ['1600.0000', '1640.0000'],
    ['1500.0000', '1600.0000'],
  ])
  const records = (one?.entry.causes ?? []).flatMap((cause) => cause.records)
  expect(records).not.toEqual([])
  for (const { before, after } of records) expect(before).not.toEqual(after)
})

test('income in another currency is nothing to the key of the former one [MON-03] [MON-05]', async () => {
  const { id } = await incomeReport(day(FIRST, 5))
  const entries = await booked(() => done(admin, 'PATCH', `player_report/${id}`, { currency: world.usd }).then(trueUp))
  const figures = entries.map(({ entry }) => [
    (entry.currency as Json).id,
    ...entry.causes.flatMap(({ records }) =>
      records.map(({ before, after }) => [(before as Json).base, (after as Json).base]),
    ),
  ])
  expect(figures).toHaveLength(2)
  expect(figures).toEqual(
    expect.arrayContaining([
      [world.euro, ['1620.0000', '0.0000']],
      [world.usd, ['0.0000', '1620.0000']],
    ]),
  )
})

test('changed terms are named with their values before and after [MON-03] [MON-04]', async () => {
  await reopen()
  const range = { value: 75, date_from: day(FIRST, 16) }
  const [one] = await booked(async () => {
    await done(admin, 'PUT', `offer_partner/${world.links.A.id}/update_cost_history`, range)
    first = await close()
  })
  expect(one?.entry).toMatchObject({ source: 'reclose', kind: 'cpa', causes: [{ cause: 'history', user: admin.id }] })
  expect(changesOf(one)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        entity: 'offer_partner_cost_history',
        changes: expect.arrayContaining([expect.objectContaining({ field: 'value', after: '75.0000' })]),
      }),
    ]),
  )
})

test('an entry names the terms of its own kind alone [MON-03] [MON-04]', async () => {
  await reopen()
  const range = { date_from: day(FIRST, 2) }
  const entries = await booked(async () => {
    await done(admin, 'PUT', `offer_partner/${world.links.C.id}/update_cost_history`, { ...range, value: 41 })
    await done(admin, 'POST', 'offer_partner_rs_share_history', {
      ...range,
      offer_partner: world.links.C.id,
      value: 21,
    })
    first = await close()
  })
  const termsOf = (kind: string) =>
    entries.filter(({ entry }) => entry.kind === kind).flatMap((one) => changesOf(one).map(({ entity }) => entity))
  expect(termsOf('cpa')).toEqual(['offer_partner_cost_history'])
  expect(termsOf('rs')).toEqual(['offer_partner_rs_share_history'])
  const ofShares = entries.filter(({ entry }) => entry.kind === 'rs').flatMap(({ entry }) => entry.causes)
  const records = ofShares.flatMap((cause) => cause.records)
  expect(records).not.toEqual([])
  for (const { before, after } of records) {
    expect((after as Json).percentage).toBe('21.0000')
    expect((before as Json).percentage).not.toBe('21.0000')
  }
})

test('of two causes that changed one spend, each names what it changed; together that is the entry [MON-03]', async () => {
  await reopen()
  const ranges = await done(
    admin,
    'GET',
    `offer_partner_agency_percentage_history?filter[offer_partner]=${world.links.D.id}`,
  )
  const [range] = ranges.items as [Json]
  const [one] = await booked(async () => {
    await done(admin, 'PATCH', `partner_spend/${world.spend22}`, { sum: '600.05' })
    expect(await waitForFacts(server.services, 15_000)).toBe(true)
    await done(admin, 'PATCH', `offer_partner_agency_percentage_history/${range.id}`, { value: 20 })
    first = await close()
  })
  const steps = (one?.entry.causes ?? []).flatMap(({ records }) =>
    records.map(({ before, after }) => [(before as Json).amount, (after as Json).amount]),
  )
  expect(steps).toEqual([
    ['672.0560', '720.0600'],
    ['560.0560', '672.0560'],
  ])
  expect(one?.entry.amount).toBe('160.0000')
  const [latest] = (one?.entry.causes ?? []).flatMap(({ records }) => records)
  expect([latest?.before, latest?.after]).toMatchObject([{ percentage: '12.0000' }, { percentage: '20.0000' }])
  await reopen()
  await done(admin, 'PATCH', `offer_partner_agency_percentage_history/${range.id}`, { value: 12 })
  await done(admin, 'PATCH', `partner_spend/${world.spend22}`, { sum: '500.05' })
  first = await close()
})

test('a deleted spend gives its key nothing any more [MON-03]', async () => {
  await reopen()
  const [one] = await booked(async () => {
    await done(admin, 'DELETE', `partner_spend/${world.spend22}`)
    first = await close()
  })
  expect(one?.entry).toMatchObject({
    kind: 'agency',
    amount: '-560.0600',
    causes: [
      { records: [{ before: { base: '500.0500', amount: '560.0560' }, after: { base: '0.0000', amount: '0.0000' } }] },
    ],
  })
})

const reportOf = (on: string, income: string): Promise<Json> =>
  done(admin, 'POST', 'player_report', { player: world.incomePlayer, report_date: on, income, currency: world.euro })
/** The player reports that an entry's causes name, with what was done to them. */
const namedReports = (changes: Json): unknown[][] =>
  ((changes.causes ?? []) as Json[][])
    .flat()
    .filter(({ entity }) => entity === 'player_report')
    .map(({ entity_id, action }) => [entity_id, action])

test('a true-up names the deleted player report of its own day alone, and still names it after later deletions [MON-03]', async () => {
  const [early, late] = [await reportOf(day(FIRST, 24), '31.00'), await reportOf(day(FIRST, 25), '41.00')]
  const next = await reportOf(day(SECOND, 1), '51.00')
  await trueUp()
  const entries = await booked(async () => {
    for (const { id } of [early, next]) await done(admin, 'DELETE', `player_report/${id}`)
    await trueUp()
  })
  expect(entries.map(({ changes }) => namedReports(changes))).toEqual([[[early.id, 'delete']]])
  await done(admin, 'DELETE', `player_report/${late.id}`)
  await trueUp()
  const again = await done(admin, 'GET', `ledger_entry/${entries[0]?.entry.id}/changes`)
  expect(namedReports(again)).toEqual([[early.id, 'delete']])
})

test('a player report that is deleted and created again at once: the cause names both changes [MON-03]', async () => {
  const before = await reportOf(day(FIRST, 26), '31.00')
  await trueUp()
  const made: unknown[] = []
  const entries = await booked(async () => {
    await done(admin, 'DELETE', `player_report/${before.id}`)
    made.push((await reportOf(day(FIRST, 26), '32.00')).id)
    await trueUp()
  })
  expect(entries.map(({ changes }) => namedReports(changes))).toEqual([
    [
      [made[0], 'create'],
      [before.id, 'delete'],
    ],
  ])
})

test('a change that moves no figure of an entry is no cause of it [MON-03]', async () => {
  const { id } = await reportOf(day(FIRST, 27), '31.00')
  await trueUp()
  const entries = await booked(async () => {
    await done(admin, 'PATCH', `player/${world.incomePlayer}`, { promocode: 'LATER' })
    expect(await waitForFacts(server.services, 15_000)).toBe(true)
    await done(admin, 'PATCH', `player_report/${id}`, { income: '35.00' })
    await trueUp()
  })
  expect(entries.map(({ entry }) => entry.causes.map(({ cause }) => cause))).toEqual([['update player_report']])
})
