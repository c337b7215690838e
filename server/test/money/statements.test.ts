// Statements made of the ledger: the reference example, held and unresolved players, carry-over, write-off, minimum, tax, states and payments.

import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, refused, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { type Entry, LedgerRows } from './ledger-rows.ts'

let server: Server
let admin: SignedIn
let rows: LedgerRows

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  rows = new LedgerRows(server, admin)
})

/** Returns an admin signed in on that day; the clock of the process stands still until the test ends. */
async function on(day: string): Promise<SignedIn> {
  vi.setSystemTime(new Date(`${day}T09:00:15Z`))
  onTestFinished(() => void vi.useRealTimers())
  return signIn(server, 'ADMIN')
}

const linesOf = (statement: Json) =>
  (statement.lines as Json[]).map(({ kind, total }) => `${String(kind)} ${Number(total)}`)
const create = (person: SignedIn, partner: number, month: string) =>
  done(person, 'POST', 'statement', { partner, month })
const approve = async (id: number, person?: SignedIn) =>
  done(person ?? (await signIn(server, 'ADMIN')), 'PUT', `statement/${id}/approve`, {})
const previewOf = (person: SignedIn, partner: number, month: string, days: string) =>
  done(person, 'POST', 'payment_invoice/preview', {
    filter: { date_from: `${month}-01`, date_to: `${month}-${days}`, partners: [partner] },
  })

test('the reference example: 2,611.78 for October, 219.60 for November, and −254.99 carried on [MON-11] [MON-13] [MON-16]', async () => {
  const { partner, links, currency: euro } = await rows.partner(4)
  const [a, b, c, d] = links as [Json, Json, Json, Json]
  const usd = (await done(admin, 'POST', 'currency', { title: unique('Dollar'), value: 'USD' })).id
  await rows.query(
    `insert into currency_rate (currency_id, date, rate) values ($1, '2026-10-31', 0.92), ($2, '2026-10-01', 1)`,
    [usd, euro],
  )
  const players = await rows.players(a, 10)
  const cpa = (index: number, day: string, price: string, quantity: 1 | -1 = 1) => ({
    player: players[index],
    day,
    quantity,
    base: price,
    amount: quantity === 1 ? price : `-${price}`,
  })
  const days = ['02', '05', '08', '10', '12', '15', '16', '18', '20', '30']
  const october = { earned: '2026-10', currency: euro } as const
  await rows.close(partner, '2026-10')
  await rows.book({
    ...october,
    link: a,
    kind: 'cpa',
    items: days.map((day, index) => cpa(index, `2026-10-${day}`, index < 6 ? '50.00' : '60.00')),
  })
  await rows.book({
    ...october,
    link: b,
    kind: 'rs',
    items: [
      { day: '2026-10-10', base: '1234.57', rate: '25', amount: '308.6425' },
      { day: '2026-10-20', base: '-200.10', rate: '30', amount: '-60.03' },
    ],
    amount: '248.61',
  })
  const others = await rows.players(c, 3)
  await rows.book({
    ...october,
    link: c,
    kind: 'cpa',
    currency: usd,
    items: others.map((player) => ({ player, day: '2026-10-03', base: '40.00', amount: '40.00' })),
  })
  await rows.book({
    ...october,
    link: c,
    kind: 'rs',
    currency: usd,
    items: [{ day: '2026-10-03', base: '612.53', rate: '20', amount: '122.506' }],
    amount: '122.51',
  })
  await rows.book({
    ...october,
    link: d,
    kind: 'agency',
    items: [
      { day: '2026-10-03', base: '1000.00', rate: '10', amount: '1100.00' },
      { day: '2026-10-22', base: '500.05', rate: '12', amount: '560.056' },
    ],
    amount: '1660.06',
  })
  const early = await on('2026-11-05')
  const preview = await previewOf(early, partner, '2026-10', '31')
  expect(preview.total).toMatchObject([{ amount: '2611.7800' }])
  expect(preview.blockers).toEqual([])
  const held = (preview.rows as Json[]).filter((row) => Number(row.on_hold) !== 0)
  expect(held).toMatchObject([{ on_hold: '60.0000', currency: { id: euro } }])
  const first = await create(early, partner, '2026-10')
  expect(first).toMatchObject({ total: '2611.7800', state: 'draft', currency: { id: euro } })
  expect(linesOf(first).sort()).toEqual(
    ['cpa 300', 'cpa 180', 'rs 248.61', 'cpa 110.4', 'rs 112.71', 'agency 1660.06'].sort(),
  )
  expect(first.invoices).toHaveLength(4)
  await approve(first.id)
  const paying = await on('2026-11-10')
  const pay = { statement: first.id, paid_at: '2026-11-10', currency: euro }
  expect(await refused(paying, 'POST', 'payment', { ...pay, amount: '2611.79' })).toHaveProperty('amount')
  expect(await refused(paying, 'POST', 'payment', { ...pay, amount: '10', currency: usd })).toHaveProperty('currency')
  await done(paying, 'POST', 'payment', { ...pay, amount: '2611.78', reference: 'T-1' })
  expect(await done(paying, 'GET', `statement/${first.id}`)).toMatchObject({ state: 'paid', paid: '2611.7800' })
  const ledgerOf = async (person: SignedIn) => done(person, 'GET', `partner/${partner}/ledger`)
  expect(await ledgerOf(paying)).toMatchObject({
    balance: '60.0000',
    currency: { id: euro },
    months: [
      {
        month: '2026-10',
        earned: '2671.7800',
        paid: '0.0000',
        on_hold: '60.0000',
        invoiced: '2611.7800',
        provisional: false,
      },
      {
        month: '2026-11',
        earned: '0.0000',
        paid: '2611.7800',
        balance: '60.0000',
        provisional: true,
        expected: '0.0000',
      },
    ],
  })

  const later = { earned: '2026-10', booked: '2026-11', currency: euro, source: 'true_up' } as const
  await rows.book({
    ...later,
    link: b,
    kind: 'rs',
    items: [{ day: '2026-10-20', base: '150.01', rate: '30', amount: '45.003' }],
    amount: '45.01',
  })
  await rows.book({ ...later, link: a, kind: 'cpa', items: [cpa(2, '2026-10-08', '50.00', -1)] })
  await rows.book({
    ...later,
    link: d,
    kind: 'agency',
    items: [{ day: '2026-10-22', base: '80.00', rate: '12', amount: '89.60' }],
    source: 'reclose',
  })
  expect(await ledgerOf(paying)).toMatchObject({ balance: '144.6100' })
  const november = { earned: '2026-11', currency: euro } as const
  await rows.close(partner, '2026-11')
  const fresh = await rows.players(a, 2)
  await rows.book({
    ...november,
    link: a,
    kind: 'cpa',
    items: fresh.map((player) => ({ player, day: '2026-11-05', base: '60.00', amount: '60.00' })),
  })
  await rows.book({
    ...november,
    link: b,
    kind: 'rs',
    items: [{ day: '2026-11-07', base: '-1000.00', rate: '30', amount: '-300.00' }],
  })
  const december = await on('2026-12-04')
  expect(await ledgerOf(december)).toMatchObject({ balance: '-35.3900' })
  const second = await create(december, partner, '2026-11')
  expect(second.total).toBe('219.6000')
  expect(linesOf(second).sort()).toEqual(
    ['cpa 60', 'rs 45.01', 'cpa -50', 'agency 89.6', 'cpa 120', 'rs -300', 'carry_over 254.99'].sort(),
  )
  await approve(second.id)
  const overview = async (person = december) =>
    ((await done(person, 'GET', 'finance_overview')).rows as Json[]).find((row) => (row.partner as Json).id === partner)
  expect(await overview()).toMatchObject({ owed: '-35.3900', ageing: { not_due: '219.6000' }, on_hold: '0.0000' })
  const late = await on('2026-12-15')
  await done(late, 'POST', 'payment', { ...pay, statement: second.id, paid_at: '2026-12-15', amount: '219.60' })
  expect(await overview(late)).toMatchObject({
    owed: '-254.9900',
    ageing: { not_due: '0.0000' },
    paid_this_month: '219.6000',
  })
  const ledger = await ledgerOf(late)
  expect(ledger).toMatchObject({ balance: '-254.9900' })
  expect((ledger.months as Json[]).map(({ month, earned, paid, balance }) => [month, earned, paid, balance])).toEqual([
    ['2026-10', '2671.7800', '0.0000', '2671.7800'],
    ['2026-11', '-95.3900', '2611.7800', '-35.3900'],
    ['2026-12', '0.0000', '219.6000', '-254.9900'],
  ])
  const bounded = await done(late, 'GET', `partner/${partner}/ledger?from=2026-11&to=2026-11`)
  expect(bounded).toMatchObject({ balance: '-254.9900', months: [{ month: '2026-11', balance: '-35.3900' }] })
  await rows.close(partner, '2026-12')
  const january = await on('2027-01-05')
  const third = await create(january, partner, '2026-12')
  // The carried −254.99 is all there is: it is carried on.
  expect(third).toMatchObject({ total: '0.0000' })
  expect(linesOf(third)).toEqual(['carry_over -254.99', 'carry_over 254.99'])
})

test('a player on hold or without resolution waits; a lost player’s pair stands together [MON-13]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const link = links[0] as Json
  const [held, approved, undecided, lost] = [
    ...(await rows.players(link, 2)),
    ...(await rows.players(link, 2, null)),
  ] as [number, number, number, number]
  const one = (player: number, day: string, quantity: 1 | -1 = 1): Entry['items'][number] => ({
    player,
    day,
    quantity,
    base: '10.00',
    amount: quantity === 1 ? '10.00' : '-10.00',
  })
  await rows.close(partner, '2026-09')
  const entry = { link, kind: 'cpa', earned: '2026-09', currency } as const
  await rows.book({
    ...entry,
    items: [
      one(held, '2026-09-29'),
      one(approved, '2026-09-02'),
      one(undecided, '2026-09-02'),
      one(lost, '2026-09-02'),
    ],
  })
  await rows.book({ ...entry, source: 'true_up', items: [one(lost, '2026-09-02', -1)] })
  const october = await on('2026-10-05')
  const preview = await previewOf(october, partner, '2026-09', '30')
  expect(preview.rows).toMatchObject([{ on_hold: '10.0000', not_resolved: '10.0000', payable: '10.0000' }])
  const overview = (await done(october, 'GET', 'finance_overview')).rows as Json[]
  expect(overview.find((row) => (row.partner as Json).id === partner)).toMatchObject({
    on_hold: '10.0000',
    not_resolved: '10.0000',
  })
  await done(october, 'POST', 'setting', { pays_approved_only: false })
  expect((await previewOf(october, partner, '2026-09', '30')).rows).toMatchObject([{ payable: '20.0000' }])
  await done(october, 'POST', 'setting', { pays_approved_only: true })
  expect(linesOf(await create(october, partner, '2026-09'))).toEqual(['cpa 20', 'cpa -10'])
})

test('negative revenue share is written off by rule, and followed up by true-ups [MON-13]', async () => {
  const { partner, links, currency } = await rows.partner(2, { negative_rs: 'zero', vat: '20' })
  const [rs, agency] = links as [Json, Json]
  const day = '2026-08-10'
  const book = (booked: string, amount: string) =>
    rows.book({
      link: rs,
      kind: 'rs',
      earned: '2026-08',
      booked,
      currency,
      items: [{ day, base: amount, rate: '100', amount }],
    })
  await rows.close(partner, '2026-08')
  await book('2026-08', '-100.00')
  await rows.book({
    link: agency,
    kind: 'agency',
    earned: '2026-08',
    currency,
    items: [{ day, base: '50.00', rate: '0', amount: '50.00' }],
  })
  const september = await on('2026-09-05')
  const first = await create(september, partner, '2026-08')
  expect(linesOf(first)).toEqual(['rs -100', 'agency 50', 'write_off 100', 'tax 10'])
  expect(first.total).toBe('60.0000')
  await approve(first.id)
  await rows.close(partner, '2026-09')
  await book('2026-09', '70.00')
  const second = await create(await on('2026-10-05'), partner, '2026-09')
  expect(linesOf(second)).toEqual(['rs 70', 'write_off -70'])
  expect(second.total).toBe('0.0000')
})

test('a total below the minimum is carried whole and paid with the next one [MON-13]', async () => {
  const { partner, links, currency } = await rows.partner(1, { minimum: '100', vat: '10' })
  const book = (earned: string, amount: string) =>
    rows.book({
      link: links[0] as Json,
      kind: 'agency',
      earned,
      currency,
      items: [{ day: `${earned}-03`, base: amount, rate: '0', amount }],
    })
  await rows.close(partner, '2026-06')
  await book('2026-06', '60.00')
  const july = await on('2026-07-05')
  expect((await previewOf(july, partner, '2026-06', '30')).blockers).toMatchObject([
    { code: 'below_minimum', blocks: 'send' },
  ])
  const first = await create(july, partner, '2026-06')
  expect(linesOf(first)).toEqual(['agency 60', 'carry_over -60'])
  expect(first).toMatchObject({ total: '0.0000', carried: true })
  await approve(first.id)
  const invoice = (first.invoices as Json[])[0]?.id
  expect(await ask(july, 'PUT', `payment_invoice/${invoice}/send`, {})).toMatchObject({ status: 409 })
  await rows.close(partner, '2026-07')
  await book('2026-07', '50.00')
  const second = await create(await on('2026-08-05'), partner, '2026-07')
  expect(linesOf(second)).toEqual(['agency 50', 'carry_over 60', 'tax 11'])
  expect(second.total).toBe('121.0000')
  await approve(second.id)
  // Voiding the first would release what the second has taken up.
  expect(
    await ask(await signIn(server, 'ADMIN'), 'PUT', `statement/${first.id}/void`, { reason: 'wrong' }),
  ).toMatchObject({
    status: 409,
  })
  expect((await done(await signIn(server, 'ADMIN'), 'PUT', `payment_invoice/${invoice}/send`, {})).status).toBe(
    'queued',
  )
})

test('an open month, a missing rate and missing billing block a statement by name [MON-11]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const link = links[0] as Json
  const strange = (await done(admin, 'POST', 'currency', { title: unique('Peso'), value: 'PES' })).id
  await rows.book({
    link,
    kind: 'agency',
    earned: '2026-05',
    currency: strange,
    items: [{ day: '2026-05-03', base: '1', rate: '0', amount: '1.00' }],
  })
  const june = await on('2026-06-05')
  const codes = async () =>
    ((await previewOf(june, partner, '2026-05', '31')).blockers as Json[]).map(({ code }) => code)
  expect(await codes()).toEqual(['month_open'])
  expect(await ask(june, 'POST', 'statement', { partner, month: '2026-05' })).toMatchObject({ status: 409 })
  await rows.close(partner, '2026-05')
  expect(await codes()).toEqual(['rate_missing'])
  await rows.query(
    `insert into currency_rate (currency_id, date, rate) values ($1, '2026-05-01', 2), ($2, '2026-05-01', 1)`,
    [strange, currency],
  )
  expect(await codes()).toEqual([])
  await rows.query('delete from partner_billing where partner_id = $1', [partner])
  expect(await codes()).toContain('billing_missing')
  for (const filter of [
    { date_from: '2026-05-02', date_to: '2026-05-31' },
    { date_from: '2026-05-01', date_to: '2026-06-30' },
  ])
    expect((await ask(june, 'POST', 'payment_invoice/preview', { filter })).status).toBe(422)
})
