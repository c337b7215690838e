// Calls that move statements, invoices and payments: many at once, at the same time, and with values that cannot be.

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

/** The draft of a partner who is owed 25.00 for March 2026. */
async function makeDraft(maker: SignedIn): Promise<Json> {
  const { partner, links, currency } = await rows.partner(1)
  await rows.close(partner, '2026-03')
  const items = [{ day: '2026-03-03', base: '25', rate: '0', amount: '25.00' }]
  await rows.book({ link: links[0] as Json, kind: 'agency', earned: '2026-03', currency, items })
  return done(maker, 'POST', 'statement', { partner, month: '2026-03' })
}

test('selected statements are approved and their invoices sent, and each failure is answered by itself [MON-13] [MON-14]', async () => {
  await done(admin, 'POST', 'setting', { statement_approval: 'always' })
  const approver = await signIn(server, 'ADMIN')
  const drafts = [await makeDraft(admin), await makeDraft(admin)]
  const own = await makeDraft(approver)
  const ids = [...drafts, own].map(({ id }) => id)
  const approved = await done(approver, 'PUT', 'statement/approve', { ids })
  expect(approved).toMatchObject({ changed: 2, unchanged: 0, refused: 1, refusals: [{ id: own.id }] })
  expect((approved.refusals as Json[])[0]?.message).toMatch(/another|somebody else|made/i)
  expect(await done(approver, 'PUT', 'statement/approve', { ids: drafts.map(({ id }) => id) })).toMatchObject({
    changed: 0,
    unchanged: 2,
  })
  const invoices = [...drafts, own].flatMap((draft) => (draft.invoices as Json[]).map(({ id }) => id))
  expect(await done(approver, 'PUT', 'payment_invoice/send', { ids: invoices })).toMatchObject({
    changed: 2,
    refused: 1,
    refusals: [{ id: (own.invoices as Json[])[0]?.id }],
  })
  expect((await done(approver, 'GET', `statement/${drafts[0]?.id}`)).invoices).toMatchObject([{ status: 'queued' }])
  expect(await ask(approver, 'GET', `statement/${drafts[0]?.id}/pdf`)).toMatchObject({ status: 200 })
})
