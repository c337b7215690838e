// Statements of a partner in the order of their months: what stands in the way of a draft, an approval or a void is named.
import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { LedgerRows } from './ledger-rows.ts'

const [AUGUST, SEPTEMBER, OCTOBER] = ['2025-08', '2025-09', '2025-10'] as const
const RS = { [AUGUST]: '-250.00', [SEPTEMBER]: '500.00', [OCTOBER]: '25.00' } as const

let server: Server
let admin: SignedIn
let rows: LedgerRows

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  rows = new LedgerRows(server, admin)
})

/** A partner with revenue share of three closed months and 50.00 of spend in each. */
async function makePartner(billing: object = {}): Promise<number> {
  const { partner, links, currency } = await rows.partner(2, billing)
  const [rs, agency] = links as [Json, Json]
  for (const [earned, amount] of Object.entries(RS)) {
    await rows.close(partner, earned)
    const day = `${earned}-03`
    await rows.book({ link: rs, kind: 'rs', earned, currency, items: [{ day, base: amount, rate: '100', amount }] })
    const items = [{ day, base: '50.00', rate: '0', amount: '50.00' }]
    await rows.book({ link: agency, kind: 'agency', earned, currency, items })
  }
  return partner
}

const draft = (partner: number, month: string) => done(admin, 'POST', 'statement', { partner, month })
const approve = (id: unknown) => ask(admin, 'PUT', `statement/${String(id)}/approve`)
const makeVoid = (id: unknown) => ask(admin, 'PUT', `statement/${String(id)}/void`, { reason: 'wrong' })
const previewOf = (partner: number, month: string, last: string) =>
  done(admin, 'POST', 'payment_invoice/preview', {
    filter: { date_from: `${month}-01`, date_to: `${month}-${last}`, partners: [partner] },
  })
/** As screens name a statement and its month, without the year. */
const NAMES: Readonly<Record<string, string>> = { [AUGUST]: 'Aug', [SEPTEMBER]: 'Sep', [OCTOBER]: 'Oct' }
const nameOf = (number: unknown, month: string) => `tatement ${String(number)} for ${NAMES[month]}`
const refusal = (code: string, message: string) => ({
  status: 409,
  body: { reasons: [{ code, message: expect.stringContaining(message) }] },
})

test('a later month waits for an earlier draft, and then takes up what it carries [MON-11] [MON-13]', async () => {
  const partner = await makePartner({ vat: '20' })
  const august = await draft(partner, AUGUST)
  expect(august.total).toBe('60.0000')
  const preview = await previewOf(partner, SEPTEMBER, '30')
  expect(preview).toMatchObject({
    total: [{ amount: '360.0000' }],
    blockers: [{ code: 'earlier_draft', blocks: 'create', link: `/statements?filter[id]=${august.id}` }],
  })
  expect((preview.blockers as Json[])[0]?.message).toContain(nameOf(august.id, AUGUST))
  expect(await ask(admin, 'POST', 'statement', { partner, month: SEPTEMBER })).toMatchObject(
    refusal('blocker_earlier_draft', nameOf(august.id, AUGUST)),
  )
  expect(await approve(august.id)).toMatchObject({ status: 200 })
  expect(await draft(partner, SEPTEMBER)).toMatchObject({ total: '360.0000' })
})

test('what is new of an earlier month joins a later statement, and is never stated behind it [MON-12] [MON-13]', async () => {
  const partner = await makePartner()
  const september = await draft(partner, SEPTEMBER)
  expect(september.total).toBe('350.0000')
  await rows.query(
    `insert into adjustment (partner_id, month, amount, currency_id, kind, reason)
      select partner_id, $2, -20, currency_id, 'manual', 'test' from partner_billing where partner_id = $1`,
    [partner, AUGUST],
  )
  expect((await previewOf(partner, AUGUST, '31')).blockers).toMatchObject([{ code: 'later_statement' }])
  expect(await ask(admin, 'POST', 'statement', { partner, month: AUGUST })).toMatchObject(
    refusal('blocker_later_statement', nameOf(september.id, SEPTEMBER)),
  )
  expect(await draft(partner, SEPTEMBER)).toMatchObject({ id: september.id, total: '330.0000' })
})

test('a statement that a later one is reckoned on does not become void before it [MON-13]', async () => {
  const partner = await makePartner()
  const ids: Record<string, unknown> = {}
  for (const month of [AUGUST, SEPTEMBER, OCTOBER]) {
    ids[month] = (await draft(partner, month)).id
    expect(await approve(ids[month])).toMatchObject({ status: 200 })
  }
  const [august, september, october] = [AUGUST, SEPTEMBER, OCTOBER].map((month) => ids[month])
  expect(await makeVoid(august)).toMatchObject(refusal('statement_is_carried', nameOf(september, SEPTEMBER)))
  // It takes up August's carry-over, which would be open behind October.
  expect(await makeVoid(september)).toMatchObject(refusal('statement_before_later', nameOf(october, OCTOBER)))
  const [invoice] = (await done(admin, 'GET', `statement/${String(september)}`)).invoices as [Json]
  expect(await ask(admin, 'PUT', `payment_invoice/${String(invoice.id)}/void`, { reason: 'wrong' })).toMatchObject({
    status: 409,
  })
  for (const id of [october, september]) expect(await makeVoid(id)).toMatchObject({ status: 200 })
  expect(await draft(partner, OCTOBER)).toMatchObject({ total: '375.0000' })
})

test('drafts that stood beside each other before are approved in the order of their months, one of two calls at once [MON-13]', async () => {
  const partner = await makePartner()
  const september = await draft(partner, SEPTEMBER)
  await rows.query('update statement set month = $2 where id = $1', [september.id, AUGUST])
  await rows.query(
    `insert into statement (partner_id, month, currency_id, state) select partner_id, $2, currency_id, 'draft' from statement where id = $1`,
    [september.id, SEPTEMBER],
  )
  const { rows: later } = await rows.query('select id from statement where partner_id = $1 and month = $2', [
    partner,
    SEPTEMBER,
  ])
  const ids = [later[0].id, september.id]
  expect(await approve(later[0].id)).toMatchObject(refusal('statement_after_draft', nameOf(september.id, AUGUST)))
  const many = await Promise.all([0, 1].map(() => done(admin, 'PUT', 'statement/approve', { ids })))
  expect(many.map(({ changed }) => Number(changed)).reduce((sum, count) => sum + count)).toBe(2)
})
