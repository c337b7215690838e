// Every way in that a closed month refuses: terms, rates, the spend table, imports and sheets; and what an offer with closed money keeps.

import { addDays, DEFAULT_ZONE, lastDayOf, today } from '@tributary/contract/period'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type GoogleSheetsServer, startGoogleSheetsServer } from '../../../demo/google-sheets-server.ts'
import { createSharedSheets, sharedSheets } from '../../src/integrations/sheets/open-sheets.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { files, keysOf, makeSheet, parse, MONTH as SHEET_MONTH, type Sheet, spends } from '../sheets/sheets-bench.ts'
import {
  ask,
  done,
  type Json,
  makeNetwork,
  makeSpendGround,
  nextCode,
  refused,
  type SpendGround,
  unique,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { LedgerRows } from './ledger-rows.ts'

const TODAY = today(DEFAULT_ZONE)
const MONTH = addDays(`${TODAY.slice(0, 7)}-01`, -1).slice(0, 7)
const day = (number: number): string => `${MONTH}-${String(number).padStart(2, '0')}`
/** The day before the closed month begins. */
const BEFORE = addDays(day(1), -1)

let google: GoogleSheetsServer
let server: Server
let admin: SignedIn
let rows: LedgerRows
let ground: SpendGround
let other: SpendGround
let sheet: Sheet

beforeAll(async () => {
  google = await startGoogleSheetsServer((id) => files[id])
  afterAll(() => google.stop())
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  admin = await signIn(server, 'ADMIN')
  rows = new LedgerRows(server, admin)
  sharedSheets.fill(server.services, createSharedSheets({ readsPerMinute: 1000, pauseMs: 10 }))
  await rows.query(
    `insert into sheet_run (kind, due_at, files) values ('daily', '2998-01-01', 0), ('monthly', '2998-01-01', 0)`,
  )
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
  ground = await makeSpendGround(admin, [day(2), day(3)])
  other = await makeSpendGround(admin, [day(2), day(3)])
  sheet = await makeSheet({ admin })
  await rows.close(ground.net.partner.id, MONTH)
})

/** Returns the message of the rejection. */
async function expectClosed(method: string, path: string, body?: unknown): Promise<string> {
  const reply = await ask(admin, method, path, body)
  expect([reply.status, reply.body.code], `${method} ${path}: ${JSON.stringify(reply.body)}`).toEqual([
    409,
    'period_closed',
  ])
  return String(reply.body.message)
}

const DATED = [
  ['offer_partner_cost_history', 'offer_partner'],
  ['offer_partner_rs_share_history', 'offer_partner'],
  ['offer_partner_agency_percentage_history', 'offer_partner'],
  ['offer_partner_bl_deposit_history', 'offer_partner'],
  ['offer_partner_bl_period_history', 'offer_partner'],
  ['offer_partner_bet_requirement_history', 'offer_partner'],
  ['offer_partner_max_days_history', 'offer_partner'],
] as const

/** A share of income needs a day on which the offers pay one. */
async function planRevenueShare(): Promise<void> {
  const range = { value: 2, date_from: addDays(TODAY, 400), date_to: addDays(TODAY, 401) }
  for (const { net } of [ground, other]) {
    const { id } = await done(admin, 'POST', 'offer_payment_model_history', { ...range, offer: net.offer.id })
    onTestFinished(async () => void (await done(admin, 'DELETE', `offer_payment_model_history/${id}`)))
  }
}

test.each(DATED)(
  'a range of %s neither begins, changes nor ends on a closed day; ending it on the last one is taken [MON-02] [MON-04]',
  async (entity, owner) => {
    const own = { [owner]: ground.link.id, value: 7 }
    if (entity === 'offer_partner_rs_share_history') await planRevenueShare()
    await expectClosed('POST', entity, { ...own, date_from: day(10) })
    await expectClosed('POST', entity, { ...own, date_from: BEFORE, date_to: addDays(TODAY, 500) })
    const later = await done(admin, 'POST', entity, { ...own, date_from: TODAY })
    await expectClosed('PATCH', `${entity}/${later.id}`, { date_from: day(20) })
    await done(admin, 'PATCH', `${entity}/${later.id}`, { value: 8 })
    await rows.query(`update ${entity} set date_from = $2 where id = $1`, [later.id, BEFORE])
    await expectClosed('PATCH', `${entity}/${later.id}`, { value: 9 })
    await expectClosed('PATCH', `${entity}/${later.id}`, { date_to: addDays(day(28), -3) })
    await expectClosed('DELETE', `${entity}/${later.id}`)
    await done(admin, 'PATCH', `${entity}/${later.id}`, { date_to: addDays(`${TODAY.slice(0, 7)}-01`, -1) })
    const free = await done(admin, 'POST', entity, { [owner]: other.link.id, value: 7, date_from: day(10) })
    await done(admin, 'DELETE', `${entity}/${free.id}`)
  },
)

test('terms of an offer, of a payment model and of all partners are rejected for every partner that they concern [MON-02] [MON-04]', async () => {
  const terms = { value: 1, date_from: day(5) }
  await expectClosed('POST', 'offer_payment_model_history', { ...terms, offer: ground.net.offer.id })
  await expectClosed('POST', 'payment_model_share_history', { payment_model: 4, value: 5, date_from: day(5) })
  await expectClosed('POST', 'agency_percentage_history', { value: 5, date_from: day(5), date_to: day(6) })
  const planned = await done(admin, 'POST', 'agency_percentage_history', { value: 5, date_from: addDays(TODAY, 5) })
  await done(admin, 'DELETE', `agency_percentage_history/${planned.id}`)
  await done(admin, 'POST', 'offer_payment_model_history', { ...terms, offer: other.net.offer.id })
})

test('an edit of terms, which applies from today on, is undone beside a closed month; the range with the old value goes with it [MON-02] [MON-04]', async () => {
  const { id } = ground.net.offer
  const before = await done(admin, 'GET', `offer/${id}`)
  await done(admin, 'PATCH', `offer/${id}`, { baseline: 33, cost: 44 })
  const ranges = `offer_terms_history?filter[offer][in]=${id}`
  expect((await done(admin, 'GET', ranges)).items).toMatchObject([
    { baseline: before.baseline, date_to: addDays(TODAY, -1) },
  ])
  const [range] = (await done(admin, 'GET', ranges)).items as Json[]
  await expectClosed('DELETE', `offer_terms_history/${range?.id}`)
  const [entry] = (await done(admin, 'GET', 'audit_log?limit=1&filter[entity][in]=offer')).items as Json[]
  await done(admin, 'POST', 'audit_log/undo', { requests: [entry?.request_id] })
  expect(await done(admin, 'GET', `offer/${id}`)).toMatchObject({ baseline: before.baseline, cost: before.cost })
  expect((await done(admin, 'GET', ranges)).items).toEqual([])
})

test('the type of a payment model stays once a partner of it has a closed month, also of one that an offer only has on some days [MON-02] [MON-04]', async () => {
  const message = await expectClosed('PATCH', 'payment_model/4', { type: 'CPA' })
  // Reopening would not help, so it is not the advice.
  expect(message).toContain('Give these offers another payment model from a day on')
  await done(admin, 'PATCH', 'payment_model/3', { type: 'AGENCY' })
  await done(admin, 'PATCH', 'payment_model/3', { type: 'CPA_RS' })
  const range = { value: 3, date_from: addDays(TODAY, 400), date_to: addDays(TODAY, 401) }
  const { id } = await done(admin, 'POST', 'offer_payment_model_history', { ...range, offer: ground.net.offer.id })
  await expectClosed('PATCH', 'payment_model/3', { type: 'AGENCY' })
  await done(admin, 'DELETE', `offer_payment_model_history/${id}`)
})

test('a rate of a closed day is neither added, changed, moved nor deleted; the same rate and later ones are taken [MON-02]', async () => {
  const currency = (await done(admin, 'POST', 'currency', { title: 'Crown', value: 'CZK' })).id
  const rate = (date: string, value: string) => ({ currency, date, rate: value })
  await done(admin, 'POST', 'currency_rate', rate(addDays(BEFORE, -1), '0.04'))
  const later = await done(admin, 'POST', 'currency_rate', rate(TODAY, '0.05'))
  await expectClosed('POST', 'currency_rate', rate(day(4), '0.05'))
  await expectClosed('PATCH', `currency_rate/${later.id}`, { date: day(4) })
  await rows.query('update currency_rate set date = $2 where id = $1', [later.id, BEFORE])
  await expectClosed('PATCH', `currency_rate/${later.id}`, { rate: '0.06' })
  await expectClosed('DELETE', `currency_rate/${later.id}`)
  await done(admin, 'POST', 'currency_rate', rate(day(4), '0.05'))
  await done(admin, 'POST', 'currency_rate', rate(TODAY, '0.07'))
})

test('what may be added before the first rate of a currency may be changed and deleted again, until another close [MON-02]', async () => {
  const makeRates = async (code: string): Promise<number> => {
    const currency = (await done(admin, 'POST', 'currency', { title: unique('Leu'), value: code })).id
    await done(admin, 'POST', 'currency_rate', { currency, date: TODAY, rate: '0.21' })
    return (await done(admin, 'POST', 'currency_rate', { currency, date: BEFORE, rate: '2' })).id
  }
  const first = await makeRates('RON')
  await done(admin, 'PATCH', `currency_rate/${first}`, { rate: '0.2' })
  await done(admin, 'DELETE', `currency_rate/${first}`)
  const kept = await makeRates('MDL')
  const stranger = (await done(admin, 'POST', 'partner', { title: unique('Closed later') })).id
  await rows.close(stranger, MONTH)
  await expectClosed('PATCH', `currency_rate/${kept}`, { rate: '0.2' })
  await expectClosed('DELETE', `currency_rate/${kept}`)
})

test('what is added to days without a rate is moved and taken back, also a repeated rate; an older rate does not move to such days [MON-02]', async () => {
  const currency = (await done(admin, 'POST', 'currency', { title: unique('Lev'), value: 'BGN' })).id
  const add = (date: string, rate: string) => done(admin, 'POST', 'currency_rate', { currency, date, rate })
  await add(day(20), '0.5')
  const first = await add(day(10), '0.4')
  const same = await add(day(12), '0.4')
  await done(admin, 'DELETE', `currency_rate/${same.id}`)
  await done(admin, 'PATCH', `currency_rate/${first.id}`, { date: day(8) })
  await done(admin, 'DELETE', `currency_rate/${first.id}`)
  const { id: another } = await done(admin, 'POST', 'currency', { title: unique('Lek'), value: 'ALL' })
  const old = await done(admin, 'POST', 'currency_rate', { currency: another, date: TODAY, rate: '0.6' })
  await rows.query(`update currency_rate set created_at = '2020-01-01' where id = $1`, [old.id])
  await expectClosed('PATCH', `currency_rate/${old.id}`, { date: day(8) })
})

test('a rate that cannot be is rejected by its field, also before anything is closed; the report currency is always worth 1 [MON-02] [MON-03]', async () => {
  const currency = (await done(admin, 'POST', 'currency', { title: 'Forint', value: 'HUF' })).id
  const rate = { currency, date: addDays(TODAY, 1), rate: '0.0025' }
  for (const value of ['0', '-1', 'abc', null, '', undefined, '1e2', '0.000000001', '10000000000000'])
    expect(await refused(admin, 'POST', 'currency_rate', { ...rate, rate: value })).toEqual({
      rate: [expect.any(String)],
    })
  const { id } = await done(admin, 'POST', 'currency_rate', rate)
  expect(await refused(admin, 'PATCH', `currency_rate/${id}`, { rate: '0' })).toHaveProperty('rate')
  const setReportCurrency = (to: number | null) => rows.query('update setting set report_currency_id = $1', [to])
  const { rows: settings } = await rows.query('select report_currency_id as id from setting')
  onTestFinished(async () => void (await setReportCurrency(settings[0].id)))
  await setReportCurrency(currency)
  expect(await refused(admin, 'POST', 'currency_rate', { ...rate, date: addDays(TODAY, 2), rate: '2' })).toEqual({
    rate: ['The report currency is always worth 1'],
  })
  await done(admin, 'POST', 'currency_rate', { ...rate, date: addDays(TODAY, 2), rate: '1.0' })
})

const cell = ({ net }: SpendGround, date: string) => ({
  stream: net.stream.id,
  country: net.country.id,
  date,
  base: '5',
})

test('the spend table takes no cell of a closed month, and no total of it [MON-02] [SPD-01]', async () => {
  const save = ({ net, link: _link, ...rest }: SpendGround) =>
    ask(admin, 'PUT', 'partner_spend/update_table', {
      partner: net.partner.id,
      month: MONTH,
      cells: [cell({ net, link: _link, ...rest }, day(2))],
    })
  expect((await save(ground)).body).toMatchObject({ code: 'period_closed' })
  expect((await save(other)).status).toBe(200)
  const spread = { month: MONTH, base: '100', currency: ground.net.currency.id }
  await expectClosed('PUT', 'partner_spend/update_spend_by_partner', { ...spread, partner: ground.net.partner.id })
  await expectClosed('PUT', 'partner_spend/update_spend_by_stream_and_country', {
    ...spread,
    stream: ground.net.stream.id,
    country: ground.net.country.id,
  })
  expect((await rows.query('select from partner_spend where stream_id = $1', [ground.net.stream.id])).rowCount).toBe(0)
})

test('a file with days of a closed month: those cells are rejected with their address, the rest is imported [MON-02] [SPD-02]', async () => {
  const line = ({ net }: SpendGround) => [day(3), net.stream.title, net.country.title, '9'].join(';')
  const form = new FormData()
  form.append('file', new Blob([['Date;Stream;Country;Sum', line(ground), line(other)].join('\n')]), 'spends.csv')
  const headers = { authorization: `Bearer ${admin.token}` }
  const answer = await fetch(`${server.url}/api/partner_spend/import?dry_run=1`, {
    method: 'POST',
    headers,
    body: form,
  })
  const dry = (await answer.json()) as { import: string; refused: { cell: string; code: string }[] }
  expect(dry.refused).toEqual([expect.objectContaining({ cell: 'D2', code: 'period_closed' })])
  await done(admin, 'POST', `partner_spend/import/${dry.import}`)
  const { rows: taken } = await rows.query('select stream_id from partner_spend where date = $1', [day(3)])
  expect(taken).toEqual([{ stream_id: other.net.stream.id }])
})

test('a sheet of a closed month is skipped and logged, and its spends stay [MON-02] [MON-08]', async () => {
  const bench = { google, server, admin }
  sheet.serveDays(10, 20)
  await parse(bench, sheet)
  await rows.close(sheet.ground.net.partner.id, SHEET_MONTH)
  sheet.serveDays(11, '')
  expect(keysOf(await parse(bench, sheet))).toEqual([expect.stringContaining('sheet_month_closed')])
  expect(await spends(bench, sheet)).toEqual(['1 10.00 sheet', '2 20.00 sheet'])
})

test('advertiser and country of an offer with closed money are fixed; its other fields are not [MON-04]', async () => {
  const { net, links, currency } = await rows.partner(2)
  const [paid, unpaid] = links as [Json, Json]
  const place = await done(admin, 'POST', 'advertiser_country', {
    advertiser: net.advertiser.id,
    country: (await done(admin, 'POST', 'country', { title: 'Liechtenstein', code: nextCode(), currency })).id,
  })
  const items = [{ day: day(3), base: '5', rate: '0', amount: '5.00' }]
  await rows.book({ link: paid, kind: 'agency', earned: MONTH, currency, items })
  const offerOf = (link: Json) => `offer/${(link.offer as Json).id}`
  const move = { advertiser_country: place.id }
  const refused = await ask(admin, 'PATCH', offerOf(paid), move)
  expect([refused.status, Object.keys(refused.body.formErrors as object)]).toEqual([409, ['advertiser_country']])
  await done(admin, 'PATCH', offerOf(paid), { title: 'Renamed' })
  await done(admin, 'PATCH', offerOf(unpaid), move)
  // Nor by the row of the advertiser's country, which both offers had.
  const own = (await done(admin, 'GET', offerOf(paid))).advertiser_country as Json
  const country = (await done(admin, 'POST', 'country', { title: 'San Marino', code: nextCode(), currency })).id
  const another = await makeNetwork(admin)
  for (const [path, body] of [
    [`advertiser_country/${own.id}`, { country }],
    [`advertiser_country/${own.id}`, { advertiser: another.advertiser.id }],
    [`advertiser/${net.advertiser.id}`, { countries: [{ id: own.id, country }, { id: place.id }] }],
  ] as const)
    expect(await ask(admin, 'PATCH', path, body), JSON.stringify(body)).toMatchObject({ status: 409 })
  await done(admin, 'PATCH', `advertiser_country/${place.id}`, { country })
})

test('missing days are those of the payment model of the day: yesterday’s AGENCY offer lacks spend, today’s does not yet; each check leads to what it counts [MON-01] [MON-04]', async () => {
  const was = await makeSpendGround(admin, [day(5), day(6)])
  const group = await done(admin, 'POST', 'partner_group', { title: 'Missing' })
  await done(admin, 'POST', 'partner_partner_group', { partner: was.net.partner.id, partner_group: group.id })
  const check = async (name: string) => {
    const { items } = await done(admin, 'GET', `period_close/checklist?month=${MONTH}&partner_group=${group.id}`)
    return (items as { code: string; count: number; link: string }[]).find(({ code }) => code === name)
  }
  const missing = async () => (await check('spends_missing'))?.count
  expect(await missing()).toBe(2)
  await done(admin, 'POST', 'offer_payment_model_history', { offer: was.net.offer.id, value: 1, date_from: day(6) })
  expect(await missing()).toBe(1)
  const table = `/partners-spends?view=table&month=${MONTH}&partner=${was.net.partner.id}`
  expect(await check('spends_missing')).toMatchObject({ link: table })
  const spend = await done(admin, 'POST', 'partner_spend', { ...was.spend, date: day(5), sum: '4' })
  expect(await missing()).toBe(0)
  expect(await check('spend_unallocated')).toMatchObject({ count: 0 })
  const range = { offer: was.net.offer.id, value: 1, date_from: day(5), date_to: day(5) }
  await done(admin, 'POST', 'offer_payment_model_history', range)
  const list = `/partners-spends?${new URLSearchParams({ 'filter[id][in]': String(spend.id) }).toString()}`
  expect(await check('spend_unallocated')).toMatchObject({ count: 1, link: list })
})

test('one of forty parallel closes closes the month; the others answer that it is closed [MON-01]', async () => {
  const { partner } = await new LedgerRows(server, admin).partner(1)
  const group = (await done(admin, 'POST', 'partner_group', { title: unique('Many') })).id
  await done(admin, 'POST', 'partner_partner_group', { partner, partner_group: group })
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => ask(admin, 'POST', 'period_close', { month: MONTH, partner_group: group })),
  )
  const statuses = replies.map(({ status }) => status).sort((a, b) => a - b)
  expect(statuses).toEqual([201, ...Array.from({ length: 39 }, () => 409)])
  for (const { status, body } of replies)
    if (status === 409) expect(JSON.stringify(body.formErrors)).toMatch(/Another request is closing|closed for all/)
})

test('a month that cannot be and a group that does not exist are rejected by name, also by checklist, preview, statement and spend table [MON-01] [MON-11]', async () => {
  const { partner, currency } = await new LedgerRows(server, admin).partner(1)
  const adjustment = { partner, month: '1990-01', amount: '5', currency, kind: 'bonus', reason: 'typo' }
  for (const [path, body, field] of [
    ['period_close', { month: '1999-01' }, 'month'],
    ['statement', { partner, month: '1999-01' }, 'month'],
    ['adjustment', adjustment, 'month'],
    ['adjustment', { ...adjustment, month: '0001-01' }, 'month'],
    ['adjustment', { ...adjustment, month: '9999-10' }, 'month'],
    ['period_close', { month: MONTH, partner_group: 999_999 }, 'partner_group'],
  ] as const) {
    const reply = await ask(admin, 'POST', path, body)
    expect([reply.status, Object.keys(reply.body.formErrors as object)], path).toEqual([422, [field]])
    expect(JSON.stringify(reply.body.formErrors)).toMatch(
      /earliest month is [A-Z][a-z]{2} \d{4}:|no such partner group|not begun|future/,
    )
  }
  expect(await refused(admin, 'POST', 'adjustment', { ...adjustment, month: null })).toEqual({
    month: ['This field is required'],
  })
  for (const path of [
    'period_close/checklist?month=1999-01',
    `partner_spend/table?partner=${partner}&month=1999-01`,
    `partner_spend/table/export?partner=${partner}&month=1999-01`,
  ])
    expect(await ask(admin, 'GET', path), path).toMatchObject({
      status: 422,
      body: { formErrors: { month: [expect.stringMatching(/earliest month is [A-Z][a-z]{2} \d{4}:/)] } },
    })
  const previewOf = (month: string) =>
    ask(admin, 'POST', 'payment_invoice/preview', {
      filter: { date_from: `${month}-01`, date_to: lastDayOf(month), partners: [partner] },
    })
  for (const [month, words] of [
    ['9999-10', /date/],
    ['2140-10', /not begun/],
    ['1999-01', /earliest month is/],
  ] as const) {
    const reply = await previewOf(month)
    expect([reply.status, JSON.stringify(reply.body.formErrors)], month).toEqual([422, expect.stringMatching(words)])
  }
  for (const group of [999_999, 3_000_000_000]) {
    expect((await ask(admin, 'GET', `period_close/checklist?month=${MONTH}&partner_group=${group}`)).status).toBe(422)
    expect((await ask(admin, 'POST', 'period_close', { month: MONTH, partner_group: group })).status).toBe(422)
  }
})

test('closes are listed by their month, the latest first, whenever they were made [MON-01]', async () => {
  const { partner } = await rows.partner(1)
  for (const month of ['2026-05', '2026-07', '2026-06']) await rows.close(partner, month)
  const months = ((await done(admin, 'GET', 'period_close?limit=-1')).items as Json[]).map(({ month }) => String(month))
  expect(months).toEqual(months.toSorted().reverse())
})

test('the code of a currency cannot change after a close used it; its title can [MON-03]', async () => {
  const rows = new LedgerRows(server, admin)
  const { partner } = await rows.partner(1)
  const currency = await done(admin, 'POST', 'currency', { title: unique('Crown'), value: 'CRW' })
  await done(admin, 'PATCH', `currency/${currency.id}`, { value: 'CRO' })
  await done(admin, 'POST', 'adjustment', {
    partner,
    month: MONTH,
    amount: '5',
    currency: currency.id,
    kind: 'bonus',
    reason: 'test',
  })
  const reply = await ask(admin, 'PATCH', `currency/${currency.id}`, { value: 'CRX' })
  expect([reply.status, JSON.stringify(reply.body.formErrors)]).toEqual([
    422,
    expect.stringContaining('Create another currency'),
  ])
  await done(admin, 'PATCH', `currency/${currency.id}`, { title: unique('Koruna') })
})
