// Invoices made of a preview: its digest, its filter, and partners that cannot have a draft.

import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { LedgerRows } from './ledger-rows.ts'

let server: Server
let admin: SignedIn
let rows: LedgerRows

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  rows = new LedgerRows(server, admin)
})

test('invoices are not made of a stale preview, and are narrowed by partner offers [MON-11]', async () => {
  const { partner, links, currency } = await rows.partner(2)
  const [one, two] = links as [Json, Json]
  await rows.close(partner, '2026-04')
  const book = (link: Json, amount: string) =>
    rows.book({
      link,
      kind: 'agency',
      earned: '2026-04',
      currency,
      items: [{ day: '2026-04-03', base: amount, rate: '0', amount }],
    })
  await book(one, '10.00')
  await book(two, '20.00')
  const stream = (two.stream as Json).id
  const filter = { date_from: '2026-04-01', date_to: '2026-04-30', partners: [partner], streams: [stream] }
  const preview = await done(admin, 'POST', 'payment_invoice/preview', { filter })
  expect(preview.total).toMatchObject([{ amount: '20.0000' }])
  await book(two, '5.00')
  expect(await ask(admin, 'POST', 'payment_invoice', { filter, digest: preview.digest })).toMatchObject({
    status: 409,
    body: { code: 'preview_stale' },
  })
  const { digest } = await done(admin, 'POST', 'payment_invoice/preview', { filter })
  const made = await done(admin, 'POST', 'payment_invoice', { filter, digest })
  expect(made).toMatchObject({ statements: [expect.any(Number)], invoices: [expect.any(Number)] })
  const whole = { date_from: '2026-04-01', date_to: '2026-04-30', partners: [partner] }
  const rest = await done(admin, 'POST', 'payment_invoice/preview', { filter: whole })
  expect(rest.rows).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ already_invoiced: '0.0000', payable: '10.0000' }),
      expect.objectContaining({ already_invoiced: '0.0000', payable: '25.0000' }),
    ]),
  )
  const again = await done(admin, 'POST', 'payment_invoice', { filter: whole, digest: rest.digest })
  expect(again.statements).toEqual(made.statements)
  const [id] = made.statements as number[]
  const draft = await done(admin, 'GET', `statement/${id}`)
  expect(draft).toMatchObject({ total: '35.0000' })
  // A voided draft invoice releases its items.
  const first = (draft.invoices as Json[]).find(({ amount }) => Number(amount) === 10)
  await done(admin, 'PUT', `payment_invoice/${first?.id}/void`, { reason: 'not yet' })
  expect(await done(admin, 'GET', `statement/${id}`)).toMatchObject({ total: '25.0000' })
  await done(admin, 'PUT', `statement/${id}/void`, { reason: 'anew' })
  expect(await done(admin, 'POST', 'payment_invoice/preview', { filter: whole })).toMatchObject({
    total: [{ amount: '35.0000' }],
  })
})

test('a partner whose statement is approved blocks only their own invoices [MON-11]', async () => {
  const [one, two] = [await rows.partner(1), await rows.partner(1)]
  const month = { date_from: '2026-03-01', date_to: '2026-03-31' }
  const book = ({ links, currency }: typeof one, amount: string) =>
    rows.book({
      link: links[0] as Json,
      kind: 'agency',
      earned: '2026-03',
      currency,
      items: [{ day: '2026-03-03', base: amount, rate: '0', amount }],
    })
  for (const { partner } of [one, two]) await rows.close(partner, '2026-03')
  await book(one, '10.00')
  const { id } = await done(admin, 'POST', 'statement', { partner: one.partner, month: '2026-03' })
  await done(admin, 'PUT', `statement/${id}/approve`, {})
  const previewOf = (partners: number[]) =>
    done(admin, 'POST', 'payment_invoice/preview', { filter: { ...month, partners } })
  // Nothing is new, so nothing is blocked.
  expect(await previewOf([one.partner])).toMatchObject({ blockers: [] })
  await book(one, '5.00')
  await book(two, '20.00')
  const alone = await previewOf([one.partner])
  expect(alone.blockers).toMatchObject([{ code: 'statement_approved', partner: { id: one.partner } }])
  const filter = { ...month, partners: [one.partner] }
  expect(await ask(admin, 'POST', 'payment_invoice', { filter, digest: alone.digest })).toMatchObject({
    status: 409,
    body: { code: 'conflict', reasons: [{ code: 'blocker_statement_approved' }] },
  })
  const partners = [one.partner, two.partner]
  const both = await previewOf(partners)
  const made = await done(admin, 'POST', 'payment_invoice', { filter: { ...month, partners }, digest: both.digest })
  expect(made.statements).toHaveLength(1)
  const [statement] = made.statements as number[]
  expect(await done(admin, 'GET', `statement/${statement}`)).toMatchObject({
    partner: { id: two.partner },
    total: '20.0000',
  })
})
