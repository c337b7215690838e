// The reference example through the API, in order: terms, players and spend, a close, its statement, invoices and payment, late facts, a
// reopening, the next month, and what is carried over. Each test continues the one before.
import { lastDayOf } from '@tributary/contract/period'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type CrmServer, startCrmServer } from '../../../demo/crm-server.ts'
import { waitForFacts } from '../../src/facts/catch-up.ts'
import { MODULES } from '../../src/modules.ts'
import { trueUp as bookTrueUps } from '../../src/money/close.ts'
import type { Server } from '../../src/server.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { ask, done, type Json, refused } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import {
  expectBookedWaiting,
  expectClosePreview,
  expectCorrections,
  expectImportedReport,
  expectNamedReport,
  startTrueUp,
} from './reference-corrections.ts'
import {
  day,
  FIRST,
  FOURTH,
  makeReferenceWorld,
  noonOf,
  qualify,
  type ReferenceWorld,
  report,
  SECOND,
  THIRD,
} from './reference-world.ts'

let server: Server
/** Makes and reads. Somebody new while the clock stands still, because a sign-in of today has ended on a later day. */
let admin: SignedIn
let adminOfToday: SignedIn
let crm: CrmServer
let world: ReferenceWorld

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  admin = adminOfToday = await signIn(server, 'ADMIN')
  crm = await startCrmServer()
  atEndOfFile(() => crm.stop())
  await done(admin, 'PUT', 'integration/crm', { base_url: crm.url, credential: crm.credential })
  world = await makeReferenceWorld(admin)
  await factsFollow()
}, 60_000)

afterEach(() => {
  vi.useRealTimers()
  admin = adminOfToday
})

/** Returns an admin who has made nothing yet, on that day; the clock of the process stands still until the test ends. */
async function on(date: string): Promise<SignedIn> {
  vi.setSystemTime(noonOf(date))
  admin = await signIn(server, 'ADMIN')
  return signIn(server, 'ADMIN')
}

async function factsFollow(): Promise<void> {
  expect(await waitForFacts(server.services, 15_000)).toBe(true)
}

const listEntries = async (): Promise<Json[]> =>
  (await done(admin, 'GET', `ledger_entry?limit=-1&filter[partner]=${world.partner}&order[id]=ASC`)).items as Json[]

/** Entries as 'earned booked source link kind amount currency', in the order of booking, without the first ones. */
async function entries(skipped = 0): Promise<string[]> {
  const nameOf = (id: unknown) => Object.entries(world.links).find(([, link]) => link.id === id)?.[0] ?? '?'
  return (await listEntries()).slice(skipped).map((row) => {
    const [link, currency] = [row.offer_partner as Json, row.currency as Json]
    const { earned_month, booked_month, source, kind, amount } = row
    const code = currency.id === world.usd ? 'USD' : 'EUR'
    return [earned_month, booked_month, source, nameOf(link.id), kind, Number(amount).toFixed(2), code].join(' ')
  })
}

const filterOf = (month: string) => ({ date_from: `${month}-01`, date_to: lastDayOf(month), partners: [world.partner] })
const previewOf = (person: SignedIn, month: string) =>
  done(person, 'POST', 'payment_invoice/preview', { filter: filterOf(month) })
const ledgerOf = (person: SignedIn) => done(person, 'GET', `partner/${world.partner}/ledger`)
const figuresOf = async (person: SignedIn) =>
  ((await done(person, 'GET', 'finance_overview')).rows as Json[]).find(
    (row) => (row.partner as Json).id === world.partner,
  )
const linesOf = (statement: Json) =>
  (statement.lines as Json[]).map(({ kind, total }) => `${String(kind)} ${Number(total)}`).sort()
const statementsOf = async (month: string) =>
  (await done(admin, 'GET', `statement?filter[partner]=${world.partner}&filter[month]=${month}`)).items as Json[]

/** Reopens the month for the partner. */
async function reopen(month: string, reason: string): Promise<void> {
  const closes = (await done(admin, 'GET', `period_close?filter[month]=${month}`)).items as Json[]
  const standing = closes.find(({ reopened_at }) => reopened_at === null)
  const reopening = { reason, partner: world.partner }
  expect(await ask(admin, 'PUT', `period_close/${standing?.id}/reopen`, reopening)).toMatchObject({
    status: 200,
    body: { id: standing?.id, month },
  })
}

/** What the job does. */
async function trueUp(): Promise<void> {
  await factsFollow()
  await bookTrueUps(server.services)
}

/** Makes the month's statement by its preview, lets somebody else approve it, and sends its invoices. */
async function state(month: string, dates: { made: string; approved: string }): Promise<Json> {
  const maker = await on(dates.made)
  const { digest } = await previewOf(maker, month)
  const body = { filter: filterOf(month), digest }
  const made = await done(maker, 'POST', 'payment_invoice', body)
  const [id] = made.statements as [number]
  expect(await ask(maker, 'POST', 'payment_invoice', body)).toMatchObject({ status: 409 })
  expect(await ask(maker, 'PUT', `statement/${id}/approve`, {})).toMatchObject({ status: 409 })
  const approver = await on(dates.approved)
  await done(approver, 'PUT', `statement/${id}/approve`, {})
  return done(approver, 'GET', `statement/${id}`)
}

test('an open month is previewed as if it were closed now, and makes no drafts [MON-11]', async () => {
  const person = await on(day(SECOND, 2))
  const preview = await previewOf(person, FIRST)
  expect(preview.total).toMatchObject([{ amount: '2611.7800', currency: { id: world.euro }, provisional: true }])
  expect(preview.blockers).toMatchObject([{ code: 'month_open', blocks: 'create' }])
  const rows = preview.rows as Json[]
  expect(rows.map(({ payable, on_hold, provisional }) => [payable, on_hold, provisional])).toEqual([
    ['480.0000', '60.0000', true],
    ['248.6100', '0.0000', true],
    ['223.1100', '0.0000', true],
    ['1660.0600', '0.0000', true],
  ])
  expect(rows[1]?.entries).toMatchObject([
    { kind: 'rs', rate: '25.0000', base: '1234.5700', amount: '308.6400' },
    { kind: 'rs', rate: '30.0000', base: '-200.1000', amount: '-60.0300' },
  ])
  const making = { filter: filterOf(FIRST), digest: preview.digest }
  expect(await ask(person, 'POST', 'payment_invoice', making)).toMatchObject({ status: 409 })
  expect(await ledgerOf(person)).toMatchObject({ balance: '0.0000', months: [{ expected: '2671.7800' }] })
})

test('a spend of the report says by which prices and percentages of its days it is computed [REP-13] [MON-04]', async () => {
  const filter = { dateFrom: day(FIRST, 1), dateTo: lastDayOf(FIRST), groupBy: 'partner', secondGroupBy: 'off' }
  const open = (person: SignedIn) =>
    done(person, 'POST', 'general_report/rows', { filter, cell: { path: [world.partner], metric: 's' } })
  const opened = await open(admin)
  const terms = opened.terms as Json[]
  const text = ({ kind, rate, currency, quantity, base }: Json) => [kind, rate, currency, quantity, base].join(' ')
  const euro = String(world.net.currency.value)
  const income = [`rs 25 ${euro} 1 1234.57`, `rs 30 ${euro} 1 -200.1`, 'rs 20 USD 1 612.53']
  const spends = [`agency 10 ${euro} 1 1000`, `agency 12 ${euro} 1 500.05`]
  const players = [`cpa 50 ${euro} 6 300`, `cpa 60 ${euro} 4 240`, 'cpa 40 USD 3 120']
  expect(terms.map(text).sort()).toEqual([...income, ...spends, ...players].sort())
  expect(opened).toMatchObject({ terms_count: 8, items: expect.arrayContaining([expect.anything()]) })
  expect(terms.reduce((sum, { amount }) => sum + Number(amount), 0)).toBeCloseTo(Number(opened.total), 2)
  const own = (opened.items as Json[]).flatMap((row) => row.terms as Json[])
  expect(own.filter(({ kind, rate }) => kind === 'cpa' && rate === 60)).toHaveLength(4)
  const before = { ...filter, knownAt: '2020-01-01T00:00:00Z' }
  const known = await done(admin, 'POST', 'general_report/rows', { filter: before, cell: { path: [], metric: 's' } })
  expect(known).toMatchObject({ terms: [], terms_count: 0 })
  const partner = await signIn(server, 'PARTNER', world.partner)
  const shares = ((await open(partner)).terms as Json[]).filter(({ kind }) => kind === 'rs')
  expect(shares).toHaveLength(3)
  for (const share of shares) expect(share).toMatchObject({ rate: null, base: null })
})

test('rows with something payable come first [MON-11]', async () => {
  const person = await on(day(FIRST, 12))
  const { rows } = await previewOf(person, FIRST)
  expect((rows as Json[]).map(({ payable }) => Number(payable) === 0)).toEqual([false, false, false, true])
})

test('the checklist names what blocks a close and what it warns about, also that nobody issues statements yet [MON-01] [MON-15]', async () => {
  const checks = async (month: string) => {
    const { items, unconfirmed } = await done(admin, 'GET', `period_close/checklist?month=${month}`)
    return { counts: Object.fromEntries((items as Json[]).map(({ code, count }) => [code, count])), unconfirmed }
  }
  const { id, title } = world.net.advertiser
  expect(await checks(FIRST)).toMatchObject({
    counts: { month_not_over: 0, rate_missing: 0, claims_open: 0, advertisers_unconfirmed: 1 },
    unconfirmed: [{ id, title }],
  })
  expect((await ask(admin, 'POST', 'period_close', { month: THIRD })).status).toBe(409)
  await done(admin, 'POST', 'advertiser_confirmation', { advertiser: id, month: FIRST })
  expect((await checks(FIRST)).counts).toMatchObject({ advertisers_unconfirmed: 0, issuer_missing: 1 })
})

test('the checklist says what a close would write, and the rounding between ledger and report [MON-05]', () =>
  expectClosePreview(admin, world, FIRST))

test('E1 to E5: the close books each key in the currency of the term; of two closes at once one does [MON-01] [MON-03]', async () => {
  const person = await on(day(SECOND, 3))
  const replies = await Promise.all([1, 2].map(() => ask(person, 'POST', 'period_close', { month: FIRST })))
  expect(replies.map(({ status }) => status).sort((x, y) => x - y)).toEqual([201, 409])
  expect((await entries()).sort()).toEqual([
    `${FIRST} ${FIRST} close A cpa 540.00 EUR`,
    `${FIRST} ${FIRST} close B rs 248.61 EUR`,
    `${FIRST} ${FIRST} close C cpa 120.00 USD`,
    `${FIRST} ${FIRST} close C rs 122.51 USD`,
    `${FIRST} ${FIRST} close D agency 1660.06 EUR`,
  ])
  const itemsOf = async (kind: string, currency = world.euro) => {
    const all = await listEntries()
    const entry = all.find((row) => row.kind === kind && (row.currency as Json).id === currency)
    const { items } = await done(admin, 'GET', `ledger_item?limit=-1&filter[ledger_entry]=${entry?.id}`)
    return (items as Json[]).map(({ quantity, base, rate, amount }) =>
      [quantity, base, rate, amount].flatMap((value) => (value === null ? [] : [Number(value)])).join(' '),
    )
  }
  expect(await itemsOf('rs')).toEqual(['1234.57 25 308.6425', '-200.1 30 -60.03'])
  expect(await itemsOf('agency')).toEqual(['1000 10 1100', '500.05 12 560.056'])
  expect((await itemsOf('cpa')).sort()).toEqual([...Array(6).fill('1 50 50'), ...Array(4).fill('1 60 60')])
  expect(await ledgerOf(person)).toMatchObject({ balance: '2671.7800' })
  expect(await figuresOf(person)).toMatchObject({ owed: '2671.7800', on_hold: '60.0000' })
})

test('the first statement: 2,611.78 in lines by percentage, its invoices sent, and paid [MON-11] [MON-13] [MON-14]', async () => {
  const statement = await state(FIRST, { made: day(SECOND, 4), approved: day(SECOND, 5) })
  expect(statement).toMatchObject({ total: '2611.7800', state: 'approved', currency: { id: world.euro } })
  expect(linesOf(statement)).toEqual(
    ['cpa 300', 'cpa 180', 'rs 308.64', 'rs -60.03', 'cpa 110.4', 'rs 112.71', 'agency 1100', 'agency 560.06'].sort(),
  )
  const invoices = (statement.invoices as Json[]).map(({ id }) => id)
  const payer = await on(day(SECOND, 10))
  expect(await done(payer, 'PUT', 'payment_invoice/send', { ids: invoices })).toMatchObject({ changed: 4 })
  await vi.waitFor(() => expect(crm.booked.size).toBe(4), { timeout: 15_000 })
  const sent = [...crm.booked.values()].reduce((sum, { body }) => sum + Number(body.amount), 0)
  expect(sent).toBeCloseTo(2611.78, 2)
  const pay = { statement: statement.id, paid_at: day(SECOND, 10), currency: world.euro }
  expect(await refused(payer, 'POST', 'payment', { ...pay, amount: '2611.79' })).toHaveProperty('amount')
  const wrong = { ...pay, amount: '10', currency: world.usd }
  expect(await refused(payer, 'POST', 'payment', wrong)).toHaveProperty('currency')
  await done(payer, 'POST', 'payment', { ...pay, amount: '2611.78', reference: 'T-1' })
  expect(await statementsOf(FIRST)).toMatchObject([{ state: 'paid', paid: '2611.7800' }])
  expect(await ledgerOf(payer)).toMatchObject({
    balance: '60.0000',
    months: [
      { month: FIRST, earned: '2671.7800', paid: '0.0000', on_hold: '60.0000', invoiced: '2611.7800' },
      { month: SECOND, earned: '0.0000', paid: '2611.7800', balance: '60.0000', provisional: true },
    ],
  })
})

test('E6 and E7: late facts become true-ups with their causes, once [MON-03] [MON-05]', async () => {
  const person = await on(day(SECOND, 13))
  await report(person, world.incomePlayer, day(FIRST, 20), { income: '150.01' })
  await done(person, 'PATCH', `player_report/${world.a3.id}`, { deposits: '5' })
  await startTrueUp(server, admin)
  await trueUp()
  expect((await entries(5)).sort()).toEqual([
    `${FIRST} ${SECOND} true_up A cpa -50.00 EUR`,
    `${FIRST} ${SECOND} true_up B rs 45.01 EUR`,
  ])
  const trueUps = (await listEntries()).slice(5)
  for (const { causes } of trueUps)
    expect(causes).toEqual([expect.objectContaining({ cause: expect.stringContaining('player_report'), facts: 1 })])
  const recordsOf = (kind: string) =>
    trueUps
      .filter((entry) => entry.kind === kind)
      .flatMap(({ causes }) => (causes as Json[]).flatMap(({ records }) => records as Json[]))
  const late = { day: day(FIRST, 20), before: { base: '0.0000' }, after: { amount: '45.0030' } }
  expect(recordsOf('rs')).toMatchObject([{ entity: 'player', id: world.incomePlayer, ...late }])
  const a3 = (world.a3.player as Json).id
  const lost = { before: { amount: '50.0000' }, after: { amount: '0.0000' } }
  expect(recordsOf('cpa')).toMatchObject([{ entity: 'player', id: a3, ...lost }])
  await expectNamedReport(person, world, trueUps)
  expect(await ledgerOf(person)).toMatchObject({ balance: '55.0100' })
})

test('E8: the month is reopened for the partner, takes a spend, and is closed again [MON-01] [MON-02]', async () => {
  const person = await on(day(SECOND, 14))
  const spend = `partner_spend/${world.spend22}`
  expect(await ask(person, 'PATCH', spend, { sum: '580.05' })).toMatchObject({
    status: 409,
    body: { code: 'period_closed', month: FIRST },
  })
  await reopen(FIRST, 'the partner found an invoice')
  await done(person, 'PATCH', spend, { sum: '580.05' })
  await trueUp()
  expect(await entries(7)).toEqual([])
  await done(person, 'POST', 'period_close', { month: FIRST })
  expect(await entries(7)).toEqual([`${FIRST} ${SECOND} reclose D agency 89.60 EUR`])
  expect(await ledgerOf(person)).toMatchObject({ balance: '144.6100' })
})

test('E9 and E10: the second month; each key of the first sums to what is owed [MON-03] [MON-05]', async () => {
  for (const date of [3, 4]) await qualify(admin, world.net, world.links.A, day(SECOND, date))
  await report(admin, world.incomePlayer, day(SECOND, 10), { income: '-1000' })
  const person = await on(day(THIRD, 3))
  await done(person, 'POST', 'period_close', { month: SECOND })
  expect((await entries(8)).sort()).toEqual([
    `${SECOND} ${SECOND} close A cpa 120.00 EUR`,
    `${SECOND} ${SECOND} close B rs -300.00 EUR`,
  ])
  expect(await ledgerOf(person)).toMatchObject({ balance: '-35.3900' })
  const sums = new Map<string, number>()
  for (const entry of (await entries()).filter((text) => text.startsWith(FIRST))) {
    const [, , , link, kind, amount, code] = entry.split(' ')
    const key = `${link} ${kind} ${code}`
    sums.set(key, (sums.get(key) ?? 0) + Math.round(Number(amount) * 100))
  }
  expect(Object.fromEntries(sums)).toEqual({
    'A cpa EUR': 490_00,
    'B rs EUR': 293_62,
    'C cpa USD': 120_00,
    'C rs USD': 122_51,
    'D agency EUR': 1749_66,
  })
})

test('the second statement: 219.60, with −254.99 carried over; the balance follows its payment [MON-13] [MON-16]', async () => {
  const statement = await state(SECOND, { made: day(THIRD, 3), approved: day(THIRD, 4) })
  expect(statement.total).toBe('219.6000')
  expect(linesOf(statement)).toEqual(
    ['cpa 60', 'rs 45.01', 'cpa -50', 'agency 89.6', 'cpa 120', 'rs -300', 'carry_over 254.99'].sort(),
  )
  const agency = (statement.lines as Json[]).find(({ kind }) => kind === 'agency')
  expect(agency).toMatchObject({ base: '80.0000', rate: '12.0000', amount: '89.6000' })
  const partnerUser = await signIn(server, 'PARTNER', Number((statement.partner as Json).id))
  await expectCorrections(statement, admin, partnerUser)
  const payer = await on(day(THIRD, 15))
  expect(await figuresOf(payer)).toMatchObject({ owed: '-35.3900', ageing: { not_due: '219.6000' }, on_hold: '0.0000' })
  const pay = { statement: statement.id, paid_at: day(THIRD, 15), currency: world.euro, amount: '219.60' }
  await done(payer, 'POST', 'payment', pay)
  expect(await figuresOf(payer)).toMatchObject({ owed: '-254.9900', paid_this_month: '219.6000' })
  const ledger = await ledgerOf(payer)
  expect((ledger.months as Json[]).map(({ month, earned, paid, balance }) => [month, earned, paid, balance])).toEqual([
    [FIRST, '2671.7800', '0.0000', '2671.7800'],
    [SECOND, '-95.3900', '2611.7800', '-35.3900'],
    [THIRD, '0.0000', '219.6000', '-254.9900'],
  ])
  const bounded = await done(payer, 'GET', `partner/${world.partner}/ledger?from=${SECOND}&to=${SECOND}`)
  expect(bounded).toMatchObject({ balance: '-254.9900', months: [{ month: SECOND, balance: '-35.3900' }] })
  expect(await refused(payer, 'GET', `partner/${world.partner}/ledger?from=${SECOND}&to=${FIRST}`)).toHaveProperty('to')
})

test('the third statement holds the carried −254.99 alone, and carries it on [MON-13]', async () => {
  await done(await on(day(FOURTH, 3)), 'POST', 'period_close', { month: THIRD })
  const statement = await state(THIRD, { made: day(FOURTH, 4), approved: day(FOURTH, 5) })
  expect(statement.total).toBe('0.0000')
  expect(linesOf(statement)).toEqual(['carry_over -254.99', 'carry_over 254.99'])
  expect(statement).toMatchObject({ state: 'approved', carried: true, due_on: null })
})

test('a key that first appears while its month is reopened has its causes, too [MON-03]', async () => {
  await reopen(FIRST, 'spend in dollars')
  const spend = { stream: (world.links.D.stream as Json).id, country: world.net.country.id, currency: world.usd }
  await done(admin, 'POST', 'partner_spend', { ...spend, date: day(FIRST, 24), sum: '100' })
  await done(admin, 'POST', 'period_close', { month: FIRST })
  expect((await listEntries()).at(-1)).toMatchObject({
    source: 'reclose',
    kind: 'agency',
    amount: '112.0000',
    causes: [expect.objectContaining({ cause: expect.stringContaining('partner_spend'), facts: 1 })],
  })
})

test('a player who moves from a reopened month to a closed one counts once, also before the month is closed again [MON-12] [MON-05]', async () => {
  const entry = await qualify(admin, world.net, world.links.A, day(FIRST, 25))
  const player = (entry.player as Json).id
  await trueUp()
  await reopen(FIRST, 'reports are corrected')
  await done(admin, 'PATCH', `player_report/${entry.id}`, { deposits: '1' })
  await report(admin, player, day(SECOND, 6), { deposits_count: 1, deposits: '50' })
  const counts = async () => {
    const { items } = await done(admin, 'GET', `ledger_item?limit=-1&filter[player]=${player}&order[id]=ASC`)
    const months = new Map((await listEntries()).map(({ id, earned_month, source }) => [id, [earned_month, source]]))
    return (items as Json[])
      .map((item) => [...(months.get((item.ledger_entry as Json).id) ?? []), item.quantity].join(' '))
      .sort()
  }
  const moved = [`${FIRST} true_up -1`, `${FIRST} true_up 1`, `${SECOND} true_up 1`]
  await trueUp()
  expect(await counts()).toEqual(moved)
  await done(admin, 'POST', 'period_close', { month: FIRST })
  await trueUp()
  expect(await counts()).toEqual(moved)
})

test('a resolution in a closed month is trued up, with its reason as the cause [MON-02] [MON-03]', async () => {
  const player = (world.a3.player as Json).id
  await expectImportedReport({ server, admin, world, trueUp, listEntries })
  const before = (await listEntries()).length
  const resolve = { ids: [player], payment_resolution: 'not_approved' }
  expect(await refused(admin, 'PUT', 'player/bulk_update', resolve)).toHaveProperty('reason')
  await done(admin, 'PUT', 'player/bulk_update', { ...resolve, reason: 'a duplicate' })
  await trueUp()
  const cause = { cause: 'payment resolution: a duplicate', user: admin.id, facts: 1 }
  const booked = (await listEntries()).slice(before)
  expect(booked).toMatchObject([{ amount: '-50.0000', source: 'true_up', causes: [cause] }])
  await expectNamedReport(admin, world, booked, 'player')
})

test('what the overview counts as on hold and not resolved is what the preview of booked amounts sums, without the open month [MON-16] [MON-11]', () =>
  expectBookedWaiting({ admin, world, trueUp, reopen, factsFollow, on, figuresOf, filterOf }))
