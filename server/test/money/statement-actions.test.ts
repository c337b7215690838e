// Calls that move statements, invoices and payments: many at once, at the same time, and with values that cannot be.

import { addDays, DEFAULT_ZONE, formatMonth, today } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, refused, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { readSheet } from '../support/sheet-file.ts'
import { PASSWORD, type SignedIn, signIn } from '../support/sign-in.ts'
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
  expect((approved.refusals as Json[])[0]?.message).toMatch(/^Someone else must approve it/)
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

test('voiding an invoice of an approved statement voids the statement and drafts the rest; beside a requested one it becomes void alone [MON-12] [MON-13]', async () => {
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  const { partner, links, currency } = await rows.partner(2)
  await rows.close(partner, '2026-03')
  for (const link of links) {
    const items = [{ day: '2026-03-03', base: '25', rate: '0', amount: '25.00' }]
    await rows.book({ link, kind: 'agency', earned: '2026-03', currency, items })
  }
  const month = { partner, month: '2026-03' }
  const first = await done(admin, 'POST', 'statement', month)
  const [one, other] = (first.invoices as Json[]).map(({ id }) => id)
  await done(admin, 'PUT', `statement/${first.id}/approve`)
  const reason = { reason: 'the wrong stream' }
  const voided = await done(admin, 'PUT', `payment_invoice/${one}/void`, reason)
  expect(voided).toMatchObject({ status: 'void', void_reason: reason.reason })
  expect(await done(admin, 'GET', `statement/${first.id}`)).toMatchObject({
    state: 'void',
    invoices: [{ status: 'void' }, { status: 'void' }],
  })
  expect(await done(admin, 'GET', `payment_invoice/${other}`)).toMatchObject({ void_reason: reason.reason })
  const standing = `statement?filter[partner]=${partner}&filter[state][in][]=draft`
  const [rest] = (await done(admin, 'GET', standing)).items as Json[]
  expect(rest).toMatchObject({ total: '25.0000' })
  const filter = { date_from: '2026-03-01', date_to: '2026-03-31', partners: [partner] }
  const { rows: grains } = await done(admin, 'POST', 'payment_invoice/preview', { filter })
  expect((grains as Json[]).map((row) => [row.payable, row.already_invoiced])).toEqual([
    ['25.0000', '0.0000'],
    ['25.0000', '0.0000'],
  ])
  const whole = await done(admin, 'POST', 'statement', month)
  expect(whole).toMatchObject({ id: rest?.id, total: '50.0000' })
  const approved = await done(admin, 'PUT', `statement/${whole.id}/approve`)
  const [sent, kept] = (approved.invoices as Json[]).map(({ id }) => id)
  expect([one, other]).not.toContain(sent)
  await done(admin, 'PUT', `payment_invoice/${sent}/send`)
  await rows.query('update payment_invoice set crm_key = gen_random_uuid() where id = $1', [sent])
  // The statement stays as its partner has it, and still owes both.
  expect(await done(admin, 'PUT', `payment_invoice/${kept}/void`, reason)).toMatchObject({ status: 'void' })
  expect(await done(admin, 'GET', `statement/${whole.id}`)).toMatchObject({ state: 'approved', total: '50.0000' })
})

test('ids that no table can hold and reasons with control characters are rejected [MON-13] [API-05]', async () => {
  const large = 3_000_000_000
  const pay = { paid_at: '2026-11-01', amount: '1', currency: 1 }
  const draft = await makeDraft(admin)
  for (const [method, path, body, status] of [
    ['PUT', `statement/${large}/approve`, {}, 404],
    ['PUT', `payment_invoice/${large}/void`, { reason: 'wrong' }, 404],
    ['PUT', `payment/${large}/reverse`, { reason: 'wrong' }, 404],
    ['POST', 'payment', { ...pay, statement: large }, 422],
    ['PUT', `statement/${draft.id}/dispute`, { reason: 'a\u0000b' }, 422],
  ] as const)
    expect((await ask(admin, method, path, body)).status, path).toBe(status)
})

test('voiding ends a dispute, and what is paid cannot be disputed; lists filter by open disputes [MON-13] [LIST-08]', async () => {
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  const draft = await makeDraft(admin)
  const path = `statement/${draft.id}`
  const inDispute = async () => (await done(admin, 'GET', `statement?filter[id]=${draft.id}&filter[disputed]=1`)).items
  await done(admin, 'PUT', `${path}/approve`)
  await done(admin, 'PUT', `${path}/dispute`, { reason: 'the rate' })
  expect(await inDispute()).toHaveLength(1)
  await done(admin, 'PUT', `${path}/void`, { reason: 'made again' })
  expect(await done(admin, 'GET', path)).toMatchObject({ state: 'void', disputed_at: null, dispute_reason: 'the rate' })
  expect(await inDispute()).toHaveLength(0)
  const again = await makeDraft(admin)
  const { currency, total } = await done(admin, 'PUT', `statement/${again.id}/approve`)
  const pay = { statement: again.id, currency: (currency as Json).id, paid_at: today(DEFAULT_ZONE), amount: total }
  await done(admin, 'POST', 'payment', pay)
  expect(await ask(admin, 'PUT', `statement/${again.id}/dispute`, { reason: 'late' })).toMatchObject({ status: 409 })
})

test('a payment that is sent again under the same idempotency key is recorded once [MON-13] [API-01]', async () => {
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  const draft = await makeDraft(admin)
  const { id, currency } = await done(admin, 'PUT', `statement/${draft.id}/approve`)
  const pay = { statement: id, currency: (currency as Json).id, paid_at: today(DEFAULT_ZONE), amount: '10' }
  const once = { 'idempotency-key': `payment-of-${id}` }
  const sent = await Promise.all([1, 2].map(() => done(admin, 'POST', 'payment', pay, once)))
  expect(sent[1]?.id).toBe(sent[0]?.id)
  expect((await done(admin, 'GET', `statement/${id}`)).paid).toBe('10.0000')
  expect(await ask(admin, 'POST', 'payment', { ...pay, amount: '11' }, once)).toMatchObject({ status: 409 })
  await done(admin, 'POST', 'payment', pay)
  expect((await done(admin, 'GET', `statement/${id}`)).paid).toBe('20.0000')
})

test('an amount is taken as calls return it: zeros at its end are no decimals [MON-13] [API-01]', async () => {
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  const draft = await makeDraft(admin)
  const { id, partner, currency, total } = await done(admin, 'PUT', `statement/${draft.id}/approve`)
  expect(total).toBe('25.0000')
  const pay = { statement: id, currency: (currency as Json).id, paid_at: today(DEFAULT_ZONE) }
  await done(admin, 'POST', 'payment', { ...pay, amount: total })
  const bonus = {
    partner: (partner as Json).id,
    month: '2026-03',
    currency: pay.currency,
    kind: 'bonus',
    reason: 'agreed',
  }
  expect(await done(admin, 'POST', 'adjustment', { ...bonus, amount: '12.5000' })).toMatchObject({ amount: '12.5000' })
  const billing = { minimum: '100.000000', vat: '20.00000', current_password: PASSWORD }
  expect(await done(admin, 'PUT', `partner/${(partner as Json).id}/billing`, billing)).toMatchObject({
    minimum: '100.0000',
    vat: '20.0000',
  })
  expect(await done(admin, 'POST', 'budget_report/copy', { month: '2026-03', percent: '5.0000' })).toMatchObject({
    created: 0,
  })
})

/** The percentages of a month: 25 from the start, 30 from the 16th; later a report of one day at 30. */
async function makeMixedStatement(): Promise<Json> {
  const { partner, links, currency } = await rows.partner(1)
  const link = links[0] as Json
  await rows.close(partner, '2026-04')
  const entry = { link, kind: 'rs', earned: '2026-04', currency } as const
  await rows.book({
    ...entry,
    items: [
      { day: '2026-04-10', base: '1234.57', rate: '25', amount: '308.6425' },
      { day: '2026-04-20', base: '-200.10', rate: '30', amount: '-60.03' },
    ],
    amount: '248.61',
  })
  const late = { day: '2026-04-20', base: '150.01', rate: '30', amount: '45.003' }
  await rows.book({ ...entry, source: 'true_up', items: [late], amount: '45.01' })
  await rows.book({ ...entry, source: 'true_up', items: [late], amount: '45.00' })
  return done(admin, 'POST', 'statement', { partner, month: '2026-04' })
}

test('a month of several percentages has a line for each and one for its corrections, and they sum to it [MON-13] [MON-11]', async () => {
  const statement = await makeMixedStatement()
  const lines = (statement.lines as Json[]).map(({ rate, base, amount }) => ({ rate, base, amount }))
  expect(lines).toEqual([
    { rate: '25.0000', base: '1234.5700', amount: '308.6400' },
    { rate: '30.0000', base: '-200.1000', amount: '-60.0300' },
    { rate: '30.0000', base: '300.0200', amount: '90.0100' },
  ])
  expect(statement.total).toBe('338.6200')
})

test('a line of a percentage is made of its days alone, with what it is rounded by [MON-05] [MON-13]', async () => {
  const { lines } = await makeMixedStatement()
  const items = await Promise.all(
    (lines as Json[]).map(async ({ id }) => done(admin, 'GET', `payment_invoice_line/${id}/items`)),
  )
  expect(items).toMatchObject([
    { items: [{ day: '2026-04-10', base: '1234.5700', rate: '25.0000', amount: '308.6425' }], rounding: '-0.0025' },
    { items: [{ day: '2026-04-20', base: '-200.1000', rate: '30.0000', amount: '-60.0300' }], rounding: '0.0000' },
    { items: [{ day: '2026-04-20', base: '300.0200', rate: '30.0000', amount: '90.0060' }], rounding: '0.0040' },
  ])
})

test('an entry belongs to one live statement, whatever its percentages are [MON-12]', async () => {
  const [one, other] = [await makeMixedStatement(), await makeMixedStatement()]
  const copy = (statement: Json, rate: string) =>
    rows.query(
      `insert into statement_item (statement_id, payment_invoice_line_id, ledger_entry_id, rate)
        select $1, (select min(id) from payment_invoice_line where statement_id = $1), i.ledger_entry_id, $3
        from statement_item i where i.statement_id = $2 and i.rate = 25 limit 1`,
      [statement.id, one.id, rate],
    )
  await expect(copy(other, '31')).rejects.toThrow('statement_item_one_statement')
  await expect(copy(one, '25')).rejects.toThrow('statement_item_ledger_entry_key')
})

test('a player of a closed month is reassigned with a reason, which becomes the cause [MON-02] [AUD-01]', async () => {
  const { partner, links, currency } = await rows.partner(2)
  const [from, to] = links as [Json, Json]
  const [player] = await rows.players(from, 1)
  await rows.close(partner, '2026-03')
  const items = [{ player, day: '2026-03-03', base: '25', amount: '25.00' }]
  await rows.book({ link: from, kind: 'cpa', earned: '2026-03', currency, items })
  const move = { offer_partner: to.id }
  expect(await refused(admin, 'PUT', `player/${player}`, move)).toEqual({ reason: [expect.any(String)] })
  await done(admin, 'PUT', `player/${player}`, { ...move, reason: 'the partner swapped two links' })
  const causes = "select cause from audit_log where entity = 'player' and entity_id = $1 order by id desc limit 1"
  expect((await rows.query(causes, [player])).rows).toEqual([{ cause: 'assign player: the partner swapped two links' }])
  const facts = "select cause from outbox where kind = 'player' and key = $1 order by id desc limit 1"
  const { rows: waiting } = await rows.query(facts, [player])
  for (const { cause } of waiting) expect(cause).toBe('assign player: the partner swapped two links')
})

test('a resolution that a closed month trues up needs a reason, like a reassignment; others need none [MON-02] [PLY-05]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const link = links[0] as Json
  const [closed, open] = (await rows.players(link, 2, null)) as [number, number]
  await rows.query('update player set offer_id = $2 where id = any($1)', [[closed, open], (link.offer as Json).id])
  await rows.close(partner, '2026-03')
  const items = [{ player: closed, day: '2026-03-03', base: '25', amount: '25.00' }]
  await rows.book({ link, kind: 'cpa', earned: '2026-03', currency, items })
  const resolve = (ids: number[], payment_resolution: string | null) => ({ ids, payment_resolution })
  const set = (body: object) => done(admin, 'PUT', 'player/bulk_update', body)
  // The approved player was already owed.
  await set(resolve([closed], 'approved'))
  await set(resolve([open], 'not_approved'))
  const decline = resolve([open, closed], 'not_approved')
  expect(await refused(admin, 'PUT', 'player/bulk_update', decline)).toEqual({ reason: [expect.any(String)] })
  const reason = 'the advertiser found a duplicate'
  expect(await set({ ...decline, reason })).toMatchObject({ updated: 1, unchanged: 1 })
  const cause = `payment resolution: ${reason}`
  const causes = "select cause from audit_log where entity = 'player' and entity_id = $1 order by id desc limit 1"
  expect((await rows.query(causes, [closed])).rows).toEqual([{ cause }])
  for (const waiting of (
    await rows.query("select cause from outbox where kind = 'player' and key = $1 order by id desc limit 1", [closed])
  ).rows)
    expect(waiting).toEqual({ cause })
  expect(await refused(admin, 'PUT', 'player/bulk_update', resolve([closed], null))).toHaveProperty('reason')
})

test('items and lines of a workbook have columns of their own, and rates their unit [MON-15]', async () => {
  const statement = await makeMixedStatement()
  const { header, rows: cells } = await readSheet(await admin.call('GET', `statement/${statement.id}/xlsx?language=en`))
  const sumOf = (name: string) => {
    const at = header.indexOf(name)
    expect(at, name).toBeGreaterThan(-1)
    return cells.reduce((sum, row) => sum + Number(row[at] ?? 0), 0)
  }
  expect(sumOf('Amount')).toBeCloseTo(338.62, 2)
  expect(sumOf('Item amount')).toBeCloseTo(338.6185, 2)
  expect(sumOf('Base')).toBeCloseTo(1334.49, 2)
  const unit = header.indexOf('Rate in')
  expect(new Set(cells.filter((row) => row[header.indexOf('Rate')] != null).map((row) => row[unit]))).toEqual(
    new Set(['%']),
  )
  expect(cells.map((row) => row[2])).toEqual(cells.map(() => new Date('2026-04-01')))
})

test('an export of statement lines says in what each rate is, and its months are dates of a workbook [MON-13] [LIST-12]', async () => {
  const { partner, links, currency } = await rows.partner(2)
  const [first, second] = links as [Json, Json]
  const [player] = await rows.players(first, 1)
  await rows.close(partner, '2026-03')
  const entry = { earned: '2026-03', currency }
  const cpa = [{ player, day: '2026-03-03', base: '25', amount: '25.00' }]
  await rows.book({ ...entry, link: first, kind: 'cpa', items: cpa })
  const rs = [{ day: '2026-03-03', base: '100', rate: '30', amount: '30.00' }]
  await rows.book({ ...entry, link: second, kind: 'rs', items: rs })
  const statement = await done(admin, 'POST', 'statement', { partner, month: '2026-03' })
  const lines = { ids: [], exclusive: true, filter: `filter[statement]=${statement.id}` }
  const columns = ['kind', 'rate', 'rate_unit', 'earned_month']
  const answer = await admin.call('POST', 'payment_invoice_line/export', { ...lines, columns })
  const { header, rows: cells } = await readSheet(answer)
  expect(header.slice(1, 3)).toEqual(['Rate', 'Rate in'])
  const { rows: codes } = await rows.query('select value from currency where id = $1', [currency])
  expect(cells.map((row) => row.slice(1))).toEqual([
    [25, codes[0].value, new Date('2026-03-01')],
    [30, '%', new Date('2026-03-01')],
  ])
  const body = { ...lines, columns, format: 'csv' }
  const text = await readSheet(await admin.call('POST', 'payment_invoice_line/export', body))
  expect(text.rows.map((row) => row[3])).toEqual(['2026-03', '2026-03'])
})

test('the group filter of an admin narrows lists and the overview, never a preview, a statement, its approval or the ledger [MON-01] [PERM-06]', async () => {
  const { id: group } = await done(admin, 'POST', 'partner_group', { title: unique('Other group') })
  const headers = { 'group-filter': String(group) }
  const { partner, links, currency } = await rows.partner(1)
  await rows.close(partner, '2026-03')
  const items = [{ day: '2026-03-03', base: '25', rate: '0', amount: '25.00' }]
  await rows.book({ link: links[0] as Json, kind: 'agency', earned: '2026-03', currency, items })
  const filter = { date_from: '2026-03-01', date_to: '2026-03-31', partners: [partner] }
  const preview = await done(admin, 'POST', 'payment_invoice/preview', { filter }, headers)
  expect(preview.total).toMatchObject([{ amount: '25.0000' }])
  const statement = await done(admin, 'POST', 'statement', { partner, month: '2026-03' }, headers)
  expect(await done(admin, 'GET', `statement/${statement.id}`, undefined, headers)).toMatchObject({ total: '25.0000' })
  expect((await done(admin, 'GET', `partner/${partner}/ledger`, undefined, headers)).balance).toBe('25.0000')
  const overview = await done(admin, 'GET', 'finance_overview', undefined, headers)
  expect(overview).toMatchObject({ rows: [], total: { owed: '0.0000' } })
  const listed = await done(admin, 'GET', `statement?filter[id]=${statement.id}`, undefined, headers)
  expect(listed).toMatchObject({ items: [] })
})

test('an invoice that is sent several times at once is queued once, and no answer is an error [MON-14]', async () => {
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  const statement = await makeDraft(admin)
  await done(admin, 'PUT', `statement/${statement.id}/approve`)
  const id = (statement.invoices as Json[])[0]?.id
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask(admin, 'PUT', `payment_invoice/${id}/send`)))
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect(await done(admin, 'GET', `payment_invoice/${id}`)).toMatchObject({ status: 'queued', n: 1 })
})

test('the history of a statement and of its invoice tells staff the reasons of their steps, and partners nothing [MON-13] [ENT-24]', async () => {
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  const draft = await makeDraft(admin)
  await done(admin, 'PUT', `statement/${draft.id}/approve`, { reason: 'checked with finance' })
  const [invoice] = draft.invoices as [Json]
  await done(admin, 'PUT', `payment_invoice/${invoice.id}/send`, { reason: 'the CRM is back' })
  const stepsOf = async (path: string) =>
    ((await done(admin, 'GET', `audit_log/history/${path}`)).items as Json[]).map(({ cause }) => cause)
  expect(await stepsOf(`statement/${draft.id}`)).toContain('approve a statement: checked with finance')
  expect(await stepsOf(`payment_invoice/${invoice.id}`)).toContain('send to the CRM: the CRM is back')
  await done(admin, 'PUT', `statement/${draft.id}/dispute`, { reason: 'the rate' })
  const { items } = await done(admin, 'GET', `audit_log/history/statement/${draft.id}`)
  const [dispute] = items as { changes: { field: string }[] }[]
  expect(dispute?.changes.map(({ field }) => field)).toEqual(['disputed_at', 'dispute_reason'])
  // The log names documents by number, partner and month, and what changed once.
  const name = `#${draft.id} · ${String((draft.partner as Json).title)} · ${formatMonth(String(draft.month), 'en')}`
  const logged = async (entity: string, id: number) =>
    ((await done(admin, 'GET', `audit_log?filter[entity]=${entity}&filter[entity_id]=${id}`)).items as Json[])[0]
  expect(await logged('statement', draft.id)).toMatchObject({
    record: name,
    changed: expect.not.stringContaining('In dispute'),
  })
  expect(await logged('payment_invoice', invoice.id)).toMatchObject({ record: name.replace(/\d+/, String(invoice.id)) })
  const partner = await signIn(server, 'PARTNER', (draft.partner as Json).id)
  expect((await ask(partner, 'GET', `audit_log/history/statement/${draft.id}`)).status).toBe(403)
})

test('payments are dated from the approval until today, and adjustments until this month; none is zero [MON-13]', async () => {
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  const draft = await makeDraft(admin)
  // A body is not needed.
  const { id, partner, currency } = await done(admin, 'PUT', `statement/${draft.id}/approve`)
  const pay = { statement: id, amount: '1', currency: (currency as Json).id }
  const day = today(DEFAULT_ZONE)
  for (const paid_at of [addDays(day, 1), addDays(day, -1), '2020-11-10'])
    expect(await refused(admin, 'POST', 'payment', { ...pay, paid_at })).toEqual({ paid_at: [expect.any(String)] })
  for (const amount of ['0', '0.00', '-5', '1.001', '1e2', 'abc'])
    expect(await refused(admin, 'POST', 'payment', { ...pay, paid_at: day, amount })).toEqual({
      amount: ['Enter an amount above zero, with no more than two decimals'],
    })
  expect(await refused(admin, 'POST', 'payment', { ...pay, paid_at: day, method: 'gold' })).toEqual({
    method: ['Not one of the choices'],
  })
  expect(await refused(admin, 'POST', 'payment', { ...pay, paid_at: day, amount: '25.0100' })).toEqual({
    amount: [`No more than 25.00 ${String((currency as Json).value)} is left to pay`],
  })
  await done(admin, 'POST', 'payment', { ...pay, paid_at: day, method: 'card' })
  const adjust = { partner: (partner as Json).id, currency: pay.currency, kind: 'bonus', reason: 'agreed', amount: '5' }
  const write = (more: object) => refused(admin, 'POST', 'adjustment', { ...adjust, month: day.slice(0, 7), ...more })
  expect(await write({ month: '2099-11' })).toEqual({ month: ['The month has not begun yet'] })
  const { id: advertiser } = (await rows.partner(1)).net.advertiser
  expect(await refused(admin, 'POST', 'advertiser_confirmation', { advertiser, month: '2030-01' })).toEqual({
    month: ['The month has not begun yet'],
  })
  expect(await write({ amount: '0' })).toEqual({ amount: ['The amount must not be zero'] })
  await done(admin, 'POST', 'adjustment', { ...adjust, month: day.slice(0, 7) })
})
