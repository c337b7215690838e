// What adjustments, carry-over, write-offs and tax of a statement open, for staff and for the partner.
import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { done, type Json } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { readSheet } from '../support/sheet-file.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { LedgerRows } from './ledger-rows.ts'

let server: Server
let admin: SignedIn
let rows: LedgerRows

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  rows = new LedgerRows(server, admin)
})

const RUSSIAN = { 'accept-language': 'ru', 'additional-groups': 'detailed' }

/** Books one amount, closes nothing. */
const book = (kind: 'rs' | 'agency', link: Json, currency: number, booked: string, amount: string, earned = booked) =>
  rows.book({
    link,
    kind,
    earned,
    booked,
    currency,
    items: [{ day: `${earned}-03`, base: amount, rate: kind === 'rs' ? '100' : '0', amount }],
  })

async function approve(partner: number, month: string): Promise<Json> {
  const { id } = await done(admin, 'POST', 'statement', { partner, month })
  return done(admin, 'PUT', `statement/${id}/approve`, {})
}

const linesOf = (statement: Json, kind: string) => (statement.lines as Json[]).filter((line) => line.kind === kind)
const openLine = (person: SignedIn, line: Json | undefined) =>
  done(person, 'GET', `payment_invoice_line/${line?.id}/items`)
interface Source {
  readonly statement: { readonly month: string }
  readonly kind: string
  readonly earned_month: string | null
  readonly amount: string
}
const told = (answer: Json) =>
  (answer.sources as Source[]).map(({ statement, kind, earned_month, amount }) =>
    [statement.month, kind, ...(earned_month === null ? [] : [earned_month]), Number(amount)].join(' '),
  )

test('an adjustment says its kind, note and partner offer on screen and in files; only staff see reason and record [MON-13] [MON-15]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  await rows.close(partner, '2026-03')
  const adjustment = await done(admin, 'POST', 'adjustment', {
    partner,
    month: '2026-03',
    offer_partner: link.id,
    amount: '400',
    currency,
    kind: 'bonus',
    reason: 'agreed in a call',
    note: 'Bonus for volume',
  })
  const statement = await approve(partner, '2026-03')
  const [line] = statement.lines as Json[]
  expect(line).toMatchObject({ note: 'Bonus for volume', explanation: 'Bonus', offer_partner: { id: link.id } })
  const read = await done(admin, 'GET', `statement/${statement.id}`, undefined, RUSSIAN)
  expect((read.lines as Json[])[0]).toMatchObject({ explanation: 'Бонус' })
  expect((await openLine(admin, line)).adjustment).toMatchObject({
    id: adjustment.id,
    kind: 'bonus',
    note: 'Bonus for volume',
    reason: 'agreed in a call',
    created_by: { id: admin.id },
  })
  const person = await signIn(server, 'PARTNER', partner)
  const own = (await openLine(person, line)).adjustment
  expect(own).toMatchObject({ kind: 'bonus', note: 'Bonus for volume' })
  expect(Object.keys(own as object)).not.toEqual(expect.arrayContaining(['reason']))
  expect(Object.keys(own as object)).not.toEqual(expect.arrayContaining(['created_by']))
  const offer = (await done(admin, 'GET', `offer_partner/${link.id}`)).offer as Json
  const { rows: cells } = await readSheet(await person.call('GET', `statement/${statement.id}/xlsx?language=en`))
  expect(cells.at(-1)?.[1]).toMatch(/^Adjustment · Bonus · Bonus for volume · /)
  expect(cells.at(-1)?.[1]).toContain(String(offer.title))
})

test('a carry-over opens the statement and the lines that it comes from, and says why [MON-13]', async () => {
  const { partner, links, currency } = await rows.partner(2, { minimum: '100' })
  const [rs, agency] = links as [Json, Json]
  for (const month of ['2026-03', '2026-04', '2026-05']) await rows.close(partner, month)
  await book('rs', rs, currency, '2026-03', '-250.00')
  await book('agency', agency, currency, '2026-03', '150.00')
  await book('rs', rs, currency, '2026-04', '100.00')
  await book('agency', agency, currency, '2026-04', '20.00')
  await book('agency', agency, currency, '2026-05', '300.00')
  const march = await approve(partner, '2026-03')
  const april = await approve(partner, '2026-04')
  const [carried] = linesOf(march, 'carry_over')
  expect(carried).toMatchObject({ total: '250.0000', explanation: 'negative revenue share, to the next statement' })
  const pair = {
    reason: 'negative_rs',
    from: { id: march.id, month: '2026-03' },
    to: { id: april.id, month: '2026-04' },
  }
  const first = await openLine(admin, carried)
  expect(first).toMatchObject({ carry: pair })
  expect(told(first)).toEqual(['2026-03 rs 2026-03 -250'])
  const [taken, further, small] = linesOf(april, 'carry_over')
  expect([taken, further, small].map((line) => [line?.total, line?.explanation])).toEqual([
    ['-250.0000', `negative revenue share, from No. ${march.id} of Mar 2026`],
    ['150.0000', 'negative revenue share, to the next statement'],
    ['-20.0000', 'total below the minimum, to the next statement'],
  ])
  expect(await openLine(admin, taken)).toEqual(first)
  expect(told(await openLine(admin, further))).toEqual(['2026-04 rs 2026-04 100', '2026-04 carry_over 2026-03 -250'])
  expect((await openLine(admin, further)).sources).toMatchObject([{}, { explanation: taken?.explanation }])
  const below = await openLine(admin, small)
  expect(below).toMatchObject({ carry: { reason: 'below_minimum', to: null } })
  expect(told(below).sort()).toEqual(
    ['2026-04 agency 20', '2026-04 carry_over -250', '2026-04 carry_over 150', '2026-04 rs 100'].sort(),
  )
  const may = await done(admin, 'POST', 'statement', { partner, month: '2026-05' })
  const person = await signIn(server, 'PARTNER', partner)
  // The partner does not see that a draft takes it up.
  expect((await openLine(admin, small)).carry).toMatchObject({ to: { id: may.id } })
  expect((await openLine(person, small)).carry).toMatchObject({ from: { id: april.id }, to: null })
  expect(await openLine(person, taken)).toEqual(first)
  const russian = await done(person, 'GET', `statement/${april.id}`, undefined, RUSSIAN)
  expect(linesOf(russian, 'carry_over')[0]?.explanation).toBe(
    `отрицательная доля дохода, из акта № ${march.id} за март 2026 г.`,
  )
})

test('a write-off opens the revenue share that it zeroes, and tax its base and percentage [MON-13]', async () => {
  const { partner, links, currency } = await rows.partner(2, { negative_rs: 'zero', vat: '20' })
  const [rs, agency] = links as [Json, Json]
  for (const month of ['2026-03', '2026-04']) await rows.close(partner, month)
  await book('rs', rs, currency, '2026-03', '-100.00')
  await book('agency', agency, currency, '2026-03', '50.00')
  const march = await approve(partner, '2026-03')
  expect(told(await openLine(admin, linesOf(march, 'write_off')[0]))).toEqual(['2026-03 rs 2026-03 -100'])
  const tax = await openLine(admin, linesOf(march, 'tax')[0])
  expect(tax.items).toEqual([
    { day: null, player: null, quantity: null, base: '50.0000', rate: '20.0000', amount: '10.0000' },
  ])
  expect(told(tax).sort()).toEqual(['2026-03 agency 50', '2026-03 rs -100', '2026-03 write_off 100'])
  await book('rs', rs, currency, '2026-04', '70.00', '2026-03')
  const april = await approve(partner, '2026-04')
  const person = await signIn(server, 'PARTNER', partner)
  expect(told(await openLine(person, linesOf(april, 'write_off')[0]))).toEqual([
    '2026-03 rs 2026-03 -100',
    '2026-03 write_off 2026-03 100',
    '2026-04 rs 2026-03 70',
  ])
})
