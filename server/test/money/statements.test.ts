// Statements made of the ledger: held and unresolved players, carry-over, write-off, minimum and tax.

import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { PASSWORD, type SignedIn, signIn } from '../support/sign-in.ts'
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

test('the preview beside a draft shows the statement that would result, and what is added [MON-11]', async () => {
  const { partner, links, currency } = await rows.partner(2, { negative_rs: 'zero', vat: '20', minimum: '55' })
  const [agency, rs] = links as [Json, Json]
  await rows.close(partner, '2026-04')
  const book = (link: Json, kind: 'agency' | 'rs', amount: string) =>
    rows.book({
      link,
      kind,
      earned: '2026-04',
      currency,
      items: [{ day: '2026-04-03', base: amount, rate: kind === 'rs' ? '100' : '0', amount }],
    })
  const person = await on('2026-05-05')
  const preview = () => previewOf(person, partner, '2026-04', '30')
  await book(agency, 'agency', '50.00')
  const first = await create(person, partner, '2026-04')
  expect(first).toMatchObject({ total: '0.0000', carried: true })
  let before = first.total
  for (const [link, kind, amount, after] of [
    [agency, 'agency', '70.00', '144.0000'],
    [agency, 'agency', '-50.00', '84.0000'],
    [agency, 'agency', '80.00', '180.0000'],
    // Written off: nothing changes in the total.
    [rs, 'rs', '-20.00', '180.0000'],
    // Below the minimum, all of it is carried over.
    [agency, 'agency', '-100.00', '0.0000'],
  ] as const) {
    await book(link, kind, amount)
    const shown = await preview()
    expect(shown.total).toMatchObject([{ amount: after }])
    const added = (Number(after) - Number(before)).toFixed(4)
    expect(shown.additions).toMatchObject([{ statement: first.id, before, added, after }])
    const filter = { date_from: '2026-04-01', date_to: '2026-04-30', partners: [partner] }
    await done(person, 'POST', 'payment_invoice', { filter, digest: shown.digest })
    expect(await done(person, 'GET', `statement/${first.id}`)).toMatchObject({ total: after })
    // Nothing is left to add, and a second creation with the same digest is stale.
    expect((await preview()).additions).toEqual([])
    expect((await ask(person, 'POST', 'payment_invoice', { filter, digest: shown.digest })).body.code).toBe(
      'preview_stale',
    )
    before = after
  }
  // A filter narrows what is added, never what the draft holds.
  await book(agency, 'agency', '300.00')
  await book(rs, 'rs', '40.00')
  const streams = [Number((rs.stream as Json).id)]
  const filter = { date_from: '2026-04-01', date_to: '2026-04-30', partners: [partner], streams }
  const narrow = await done(person, 'POST', 'payment_invoice/preview', { filter })
  await done(person, 'POST', 'payment_invoice', { filter, digest: narrow.digest })
  const { total } = await done(person, 'GET', `statement/${first.id}`)
  expect(narrow.total).toMatchObject([{ amount: total }])
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
  expect(await codes()).toEqual(['month_open', 'rate_missing'])
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

test('a statement is neither drafted nor approved without a legal name, and both languages say why [MON-11] [MON-13]', async () => {
  const { net, partner, links, currency } = await rows.partner(1)
  const bill = (legal_name: string) =>
    done(admin, 'PUT', `partner/${partner}/billing`, { legal_name, details: '', current_password: PASSWORD })
  await rows.close(partner, '2026-05')
  const items = [{ day: '2026-05-03', base: '50.00', rate: '0', amount: '50.00' }]
  await rows.book({ link: links[0] as Json, kind: 'agency', earned: '2026-05', currency, items })
  const june = await on('2026-06-05')
  await bill('  ')
  const { blockers } = await previewOf(june, partner, '2026-05', '31')
  expect(blockers).toEqual([
    expect.objectContaining({
      code: 'legal_name_missing',
      blocks: 'create',
      message: `${String(net.partner.title)}: the billing has no legal name`,
    }),
  ])
  expect(await ask(june, 'POST', 'statement', { partner, month: '2026-05' })).toMatchObject({ status: 409 })
  await bill('Company')
  const { id } = await create(june, partner, '2026-05')
  await bill('')
  const second = await signIn(server, 'ADMIN')
  const inRussian = { 'accept-language': 'ru' }
  const draft = await ask(second, 'GET', `statement/${id}`, undefined, inRussian)
  const reason = 'В платёжных данных партнёра не указано юридическое имя: сначала внесите его'
  expect(draft.body.approval_refused).toBe(reason)
  const refusal = await ask(second, 'PUT', `statement/${id}/approve`, {}, inRussian)
  expect(refusal).toMatchObject({ status: 409, body: { formErrors: { state: [reason] } } })
  await bill('Company')
  await approve(id, second)
})
