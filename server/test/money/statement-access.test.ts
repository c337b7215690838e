// Nobody is paid twice or approves the own statement, partners see their own approved documents alone, and files are verified in public.

import { PERMISSIONS } from '@tributary/contract/access'
import { DEFAULT_ZONE, today } from '@tributary/contract/period'
import { Pool } from 'undici'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json } from '../support/entity-calls.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestApp } from '../support/harness.ts'
import { PASSWORD, type SignedIn, signIn } from '../support/sign-in.ts'
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

async function bookMonth(month: string, players = 5) {
  const made = await rows.partner(2)
  const { partner, links, currency } = made
  const [cpa, rs] = links as [Json, Json]
  await rows.close(partner, month)
  const items = (await rows.players(cpa, players)).map((player) => ({
    player,
    day: `${month}-03`,
    base: '10.00',
    amount: '10.00',
  }))
  await rows.book({ link: cpa, kind: 'cpa', earned: month, currency, items })
  const share = [
    { day: `${month}-03`, base: '40.00', rate: '25', amount: '10.00' },
    { day: `${month}-04`, base: '20.00', rate: '30', amount: '6.00' },
  ]
  await rows.book({ link: rs, kind: 'rs', earned: month, currency, items: share })
  return made
}

test('parallel creates make one statement, and each item stands on it once [MON-12]', async () => {
  const { partner } = await bookMonth('2026-02', 50)
  const filter = { date_from: '2026-02-01', date_to: '2026-02-28', partners: [partner] }
  const { digest } = await done(admin, 'POST', 'payment_invoice/preview', { filter })
  // Several requests one after another on each connection.
  const line = new Pool(server.url, { connections: 50 })
  const post = async (path: string, body: object): Promise<number> => {
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' }
    const answer = await line.request({ method: 'POST', path: `/api/${path}`, headers, body: JSON.stringify(body) })
    await answer.body.dump()
    return answer.statusCode
  }
  const statuses = await Promise.all(
    Array.from({ length: fuzzRuns(200) }, (_, index) =>
      index % 2 === 0
        ? post('payment_invoice', { filter, digest })
        : post('statement', { partner, month: '2026-02', digest }),
    ),
  )
  await line.destroy()
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(new Set(statuses)).toEqual(new Set([201, 409]))
  const { rows: live } = await rows.query(
    `select count(*)::int as items, count(distinct i.ledger_item_id)::int as players, count(distinct i.statement_id)::int as statements
      from statement_item i join statement s on s.id = i.statement_id where s.partner_id = $1 and i.live`,
    [partner],
  )
  // 50 players, and one line for each of the two percentages.
  expect(live[0]).toEqual({ items: 52, players: 50, statements: 1 })
  await expect(
    rows.query(
      `insert into statement_item (statement_id, payment_invoice_line_id, ledger_item_id)
        select statement_id, payment_invoice_line_id, ledger_item_id from statement_item where ledger_item_id is not null limit 1`,
    ),
  ).rejects.toThrow('statement_item_ledger_item_key')
}, 120_000)

test('of two approvals at once one succeeds, and the files are rendered once [MON-12] [MON-15]', async () => {
  const { partner } = await bookMonth('2026-02')
  const { id } = await done(admin, 'POST', 'statement', { partner, month: '2026-02' })
  const both = await Promise.all([1, 2].map(() => ask(admin, 'PUT', `statement/${id}/approve`, {})))
  expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
  expect((await rows.query('select from statement_pdf where statement_id = $1', [id])).rowCount).toBe(2)
})

test('who made a statement does not approve it; disputes hold payments; reversals reopen it [MON-13]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  await rows.close(partner, '2026-03')
  await rows.book({
    link: links[0] as Json,
    kind: 'agency',
    earned: '2026-03',
    currency,
    items: [{ day: '2026-03-03', base: '70', rate: '0', amount: '70.00' }],
  })
  await done(admin, 'POST', 'setting', { statement_approval: 'always' })
  onTestFinished(async () => void (await done(admin, 'POST', 'setting', { statement_approval: 'never' })))
  const statement = await done(admin, 'POST', 'statement', { partner, month: '2026-03' })
  const path = `statement/${statement.id}`
  const refused = 'Someone else must approve it, because you created or adjusted it'
  expect(await ask(admin, 'PUT', `${path}/approve`, {})).toMatchObject({
    status: 409,
    body: { formErrors: { state: [refused] } },
  })
  const second = await signIn(server, 'ADMIN')
  expect(await done(admin, 'GET', path)).toMatchObject({ approval_refused: refused })
  expect(await done(second, 'GET', path)).toMatchObject({ approval_refused: null })
  const pay = { statement: statement.id, paid_at: today(DEFAULT_ZONE), currency, amount: '30' }
  expect(await ask(admin, 'POST', 'payment', pay)).toMatchObject({ status: 409 })
  await done(second, 'PUT', `${path}/approve`, { reason: 'Checked' })
  expect(await done(admin, 'GET', path)).toMatchObject({ approval_refused: null })
  expect(await ask(admin, 'PUT', `${path}/approve`, {})).toMatchObject({ status: 409 })
  await done(admin, 'PUT', `${path}/dispute`, { reason: 'They count fewer' })
  expect(await ask(admin, 'POST', 'payment', pay)).toMatchObject({ status: 409 })
  await done(admin, 'PUT', `${path}/resolve`, { reason: 'Counted again together' })
  expect(await done(admin, 'GET', path)).toMatchObject({ disputed_at: null, resolve_reason: 'Counted again together' })
  const { rows: log } = await rows.query(
    "select cause from audit_log where entity = 'statement' and entity_id = $1 order by id desc limit 1",
    [statement.id],
  )
  expect(log).toEqual([{ cause: 'resolve a dispute: Counted again together' }])
  const paid = await done(admin, 'POST', 'payment', pay)
  expect(await done(admin, 'GET', path)).toMatchObject({ state: 'partly_paid', paid: '30.0000', disputed_at: null })
  expect(await ask(admin, 'PUT', `${path}/void`, { reason: 'no' })).toMatchObject({ status: 409 })
  await done(admin, 'PUT', `payment/${paid.id}/reverse`, { reason: 'bounced' })
  expect(await ask(admin, 'PUT', `payment/${paid.id}/reverse`, { reason: 'again' })).toMatchObject({ status: 409 })
  expect(await done(admin, 'GET', path)).toMatchObject({ state: 'approved', paid: '0.0000' })
  await done(admin, 'PUT', `${path}/void`, { reason: 'wrong' })
  expect(await done(admin, 'GET', path)).toMatchObject({ state: 'void', invoices: [{ status: 'void' }] })
})

test('a partner reads own approved statements with their lines and nothing else [MON-13] [PERM-07]', async () => {
  const { partner } = await bookMonth('2026-01')
  const { partner: stranger } = await bookMonth('2026-01')
  const draft = await done(admin, 'POST', 'statement', { partner, month: '2026-01' })
  const other = await done(admin, 'POST', 'statement', { partner: stranger, month: '2026-01' })
  await done(admin, 'PUT', `statement/${other.id}/approve`, {})
  const person = await signIn(server, 'PARTNER', partner)
  await rows.query('update "user" set permissions = $2 where id = $1', [
    person.id,
    ['payment_invoice_view', 'payment_invoice_edit'],
  ])
  const paths = async (statement: Json): Promise<string[]> => {
    const whole = await done(admin, 'GET', `statement/${statement.id}`)
    const [invoice] = whole.invoices as Json[]
    const [line] = whole.lines as Json[]
    return [
      `statement/${statement.id}`,
      `statement/${statement.id}/pdf`,
      `statement/${statement.id}/xlsx`,
      `payment_invoice/${invoice?.id}`,
      `payment_invoice_line/${line?.id}`,
      `payment_invoice_line/${line?.id}/items`,
    ]
  }
  const statuses = async (of: Json) =>
    Promise.all((await paths(of)).map(async (path) => (await person.call('GET', path)).status))
  const hidden = [404, 404, 404, 404, 404, 404]
  expect(await statuses(draft)).toEqual(hidden)
  expect(await statuses(other)).toEqual(hidden)
  const lists = ['statement', 'payment_invoice', 'payment_invoice_line', 'payment', 'statement?lookup=1']
  for (const list of lists) expect(JSON.stringify(await done(person, 'GET', list))).toMatch(/"(items|options)":\[\]/)
  expect((await person.call('GET', 'crm_attempt')).status).toBe(403)
  const writes: [string, string, unknown][] = [
    ['POST', 'payment_invoice/preview', { filter: { date_from: '2026-01-01', date_to: '2026-01-31' } }],
    ['POST', 'statement', { partner, month: '2026-01' }],
    ['PUT', `statement/${draft.id}/approve`, {}],
    ['PUT', `statement/${draft.id}/dispute`, { reason: 'mine' }],
    ['PUT', `payment_invoice/${(draft.invoices as Json[])[0]?.id}/send`, {}],
  ]
  for (const [method, path, body] of writes) expect((await ask(person, method, path, body)).status).toBe(403)
  await done(admin, 'PUT', `statement/${draft.id}/approve`, {})
  expect(await statuses(draft)).toEqual([200, 200, 200, 200, 200, 200])
  const sent = (draft.invoices as Json[])[0]?.id
  await done(admin, 'PUT', `payment_invoice/${sent}/send`, { reason: 'The CRM is back' })
  const queued =
    "select from audit_log where entity = 'payment_invoice' and entity_id = $1 and cause = 'send to the CRM: The CRM is back'"
  expect((await rows.query(queued, [sent])).rowCount).toBe(1)
  const seen = await done(person, 'GET', `statement/${draft.id}`)
  expect(seen).toMatchObject({ total: '66.0000', state: 'approved' })
  const text = JSON.stringify(seen)
  for (const secret of ['created_by', 'approved_by', 'advertiser', 'crm_response', 'reason', 'attempts'])
    expect(text).not.toContain(`"${secret}"`)
  const shares = (seen.lines as Json[]).filter(({ kind }) => kind === 'rs')
  const items = await Promise.all(
    shares.map(async ({ id }) => (await done(person, 'GET', `payment_invoice_line/${id}/items`)).items),
  )
  expect(items.flat()).toEqual([
    { day: '2026-01-03', player: null, quantity: null, base: '40.0000', rate: '25.0000', amount: '10.0000' },
    { day: '2026-01-04', player: null, quantity: null, base: '20.0000', rate: '30.0000', amount: '6.0000' },
  ])
})

test('a PARTNER who holds every key writes nothing that decides the own pay [MON-13] [MON-06] [PERM-07]', async () => {
  const { partner, links, net, currency } = await bookMonth('2026-04')
  const [link] = links as [Json]
  const draft = await done(admin, 'POST', 'statement', { partner, month: '2026-04' })
  const invoice = (draft.invoices as Json[])[0]?.id
  const [player = 0] = await rows.players(link, 1, null)
  const person = await signIn(server, 'PARTNER', partner)
  await rows.query('update "user" set permissions = $2 where id = $1', [person.id, PERMISSIONS])
  const month = '2026-04'
  const reason = 'mine'
  const current_password = PASSWORD
  const approve = { ids: [player], payment_resolution: 'approved' }
  const budget = { advertiser: net.advertiser.id, country: net.country.id, month: '2026-04-01', planned: '1' }
  const writes: [string, string, unknown][] = [
    ['PUT', 'player/bulk_update', approve],
    ['PATCH', 'player/bulk_update', approve],
    ['PATCH', `player/${player}`, { payment_resolution: 'approved' }],
    ['POST', 'period_close', { month }],
    ['PUT', 'period_close/1/reopen', { reason }],
    ['POST', 'ledger_entry/true_up', {}],
    ['POST', 'statement', { partner, month }],
    ['PUT', `statement/${draft.id}/approve`, {}],
    ['PUT', 'statement/approve', { ids: [draft.id] }],
    ['PUT', `statement/${draft.id}/void`, { reason }],
    ['PUT', `statement/${draft.id}/dispute`, { reason }],
    ['PUT', `statement/${draft.id}/resolve`, {}],
    ['POST', 'payment_invoice', { filter: { date_from: '2026-04-01', date_to: '2026-04-30' }, digest: '' }],
    ['PUT', `payment_invoice/${invoice}/send`, {}],
    ['PUT', `payment_invoice/${invoice}/correct`, {}],
    ['PUT', `payment_invoice/${invoice}/void`, { reason }],
    ['POST', 'payment', { statement: draft.id, paid_at: '2026-05-01', amount: '1', currency }],
    ['PUT', 'payment/1/reverse', { reason }],
    ['POST', 'adjustment', { partner, month, amount: '5', currency, kind: 'bonus', reason }],
    ['POST', 'advertiser_confirmation', { advertiser: net.advertiser.id, month }],
    ['POST', `partner/${partner}/billing/confirm`, { current_password }],
    ['POST', `partner/${partner}/billing/reveal`, { current_password }],
    ['PUT', 'partner_spend/accept', { ids: [1] }],
    ['POST', 'budget', budget],
    ['POST', 'partner_budget', { ...budget, partner }],
    ['POST', 'currency', { title: 'Mine', value: 'MIN' }],
    ['PATCH', `currency/${currency}`, { value: 'MIN' }],
    ['POST', 'currency_rate', { currency, date: '2026-04-30', rate: '9' }],
  ]
  for (const [method, path, body] of writes) {
    const { status } = await ask(person, method, path, body)
    // No route but the bulk call's own exists under PATCH.
    expect(method === 'PATCH' && status === 404 ? 403 : status, `${method} ${path}`).toBe(403)
  }
  const { rows: left } = await rows.query('select payment_resolution from player where id = $1', [player])
  expect(left).toEqual([{ payment_resolution: null }])
  // Own billing stays open: what the partner writes waits for staff.
  const proposed = await done(person, 'PUT', `partner/${partner}/billing`, { legal_name: 'Mine', current_password })
  expect(proposed).toMatchObject({ proposed: { legal_name: 'Mine' } })
})

async function verify(bytes: Uint8Array): Promise<Json> {
  const form = new FormData()
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'statement.pdf')
  const answer = await fetch(`${server.url}/api/verify`, { method: 'POST', body: form })
  return { status: answer.status, ...((await answer.json()) as object) } as unknown as Json
}

test('a file is valid as it was approved, unknown with another byte, superseded once its statement is void [MON-15]', async () => {
  const { partner } = await bookMonth('2026-03')
  const { id } = await done(admin, 'POST', 'statement', { partner, month: '2026-03' })
  expect((await admin.call('GET', `statement/${id}/pdf`)).status).toBe(404)
  await done(admin, 'PUT', `statement/${id}/approve`, {})
  const load = async (language: string) =>
    new Uint8Array(await (await admin.call('GET', `statement/${id}/pdf?language=${language}`)).arrayBuffer())
  const [russian, english] = [await load('ru'), await load('en')]
  expect(Buffer.from(await load('ru')).equals(russian)).toBe(true)
  expect(await verify(russian)).toMatchObject({ status: 200, verdict: 'valid', number: id, month: '2026-03' })
  const changed = english.slice()
  changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
  expect(await verify(changed)).toMatchObject({ verdict: 'unknown', number: null })
  await done(admin, 'PUT', `statement/${id}/void`, { reason: 'wrong' })
  expect(await verify(english)).toMatchObject({ verdict: 'superseded', number: id })
  expect((await rows.query('select from upload')).rowCount).toBe(0)
  const many = await Promise.all(Array.from({ length: 25 }, () => verify(changed)))
  expect(many.some(({ status }) => status === (429 as unknown))).toBe(true)
})
