// Bad amounts, currencies, streams and files, call by call: a message that says what is wrong, and nothing written.

import type { SpendImport } from '@tributary/contract/calls/spend-import'
import { SPEND_IMPORT_RULE } from '@tributary/contract/calls/spend-import'
import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, makeSpendGround, type SpendGround, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeBook, sheetOf } from '../support/xlsx-file.ts'
import { day, MONTH, save } from './spend-table-calls.ts'

let server: Server
let admin: SignedIn
let own: SpendGround
let theirs: SpendGround

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  own = await makeSpendGround(admin, [day(1), day(2)])
  theirs = await makeSpendGround(admin, [day(1)])
})

interface Reply {
  readonly status: number
  readonly body: { readonly message?: string; readonly formErrors?: Readonly<Record<string, readonly string[]>> }
}

const call = async (method: string, path: string, body: object): Promise<Reply> =>
  (await ask(admin, method, path, body)) as unknown as Reply

/** 'status field: message' of a rejected call. */
async function refusal(method: string, path: string, body: object): Promise<string> {
  const { status, body: answer } = await call(method, path, body)
  const [[field, messages] = ['', [answer.message]]] = Object.entries(answer.formErrors ?? {})
  return `${status} ${field}: ${messages[0]}`
}

async function countSpends(): Promise<number> {
  const { rows } = await server.services.postgres.pool.query<{ n: number }>(
    'select count(*)::int as n from partner_spend',
  )
  return rows[0]?.n ?? -1
}

const BAD_SUMS = [
  ['-5', 'No less than 0'],
  ['1000000000000', 'No more than 1\u202f000\u202f000\u202f000'],
  ['12,34', /number/i],
  ['#REF!', /number/i],
] as const

test.each(BAD_SUMS)(
  'a sum of %s is rejected in words by the form, the table and the totals [SPD-01] [API-05]',
  async (sum, words) => {
    const before = await countSpends()
    const cell = { stream: own.net.stream.id, country: own.net.country.id, month: MONTH, base: sum }
    expect(await refusal('POST', 'partner_spend', { ...own.spend, sum })).toMatch(words)
    const { refused } = await save(admin, own, [{ date: day(1), base: sum }])
    expect(refused[0]?.message).toMatch(words)
    expect(await refusal('PUT', 'partner_spend/update_spend_by_stream_and_country', cell)).toMatch(words)
    const total = { partner: own.net.partner.id, month: MONTH, base: sum }
    expect(await refusal('PUT', 'partner_spend/update_spend_by_partner', total)).toMatch(words)
    expect(await countSpends()).toBe(before)
  },
)

test('an unknown currency, a day without meaning and a stream of another partner are rejected in words [SPD-01] [PERM-07]', async () => {
  expect(await refusal('POST', 'partner_spend', { ...own.spend, currency: 999_999 })).toMatch(/^422 currency: /)
  expect(await refusal('POST', 'partner_spend', { ...own.spend, date: '2026-02-30' })).toMatch(/^422 date: /)
  expect(await refusal('POST', 'partner_spend', { ...own.spend, date: 'someday' })).toMatch(/^422 date: /)
  const foreign = { stream: theirs.net.stream.id, country: theirs.net.country.id, date: day(1), base: '5' }
  const body = { partner: own.net.partner.id, month: MONTH, cells: [foreign] }
  const answer = (await done(admin, 'PUT', 'partner_spend/update_table', body)) as unknown as {
    saved: number
    refused: { message: string }[]
  }
  expect(answer.saved).toBe(0)
  expect(answer.refused[0]?.message).toBe('This record does not exist')
})

async function importFile(content: Buffer, name: string): Promise<Reply & { body: Partial<SpendImport> }> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), name)
  const answer = await fetch(`${server.url}/api/partner_spend/import?dry_run=1&partner=${own.net.partner.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  })
  return { status: answer.status, body: (await answer.json()) as Reply['body'] & Partial<SpendImport> }
}

test('formulas of a file give their values; errors and other people’s streams are refused by cell [SPD-02]', async () => {
  const text = (value: unknown) => `<c t="inlineStr"><is><t>${String(value)}</t></is></c>`
  const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
  const line = (date: string, sum: string, ground = own) =>
    row(text(date), text(ground.net.stream.title), text(ground.net.country.title), sum)
  const { status, body } = await importFile(
    makeBook({
      sheet: sheetOf(
        [
          row(text('Date'), text('Stream'), text('Country'), text('Sum')),
          line(day(1), '<c><f>SUM(1,2)</f><v>3</v></c>'),
          line(day(2), '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>'),
          line(day(1), '<c><v>4</v></c>', theirs),
        ].join(''),
      ),
    }),
    'spends.xlsx',
  )
  expect(status).toBe(200)
  expect(body).toMatchObject({ new: 1, refused_total: 2 })
  expect(body.refused?.map(({ cell, code }) => `${cell} ${code}`)).toEqual([
    'D3 spend_formula_error',
    'B4 spend_stream_unknown',
  ])
  expect(body.refused?.[0]?.message).toBe(
    'The formula in D3 shows #DIV/0!: correct it, save the file, and choose it again',
  )
})

test('files of 100 MB are refused in words and in time: one cell of all, and one byte too many [SPD-02] [API-05]', async () => {
  const most = SPEND_IMPORT_RULE.maxBytes
  const began = performance.now()
  const whole = await importFile(Buffer.alloc(most, 'x'), 'large.csv')
  expect(whole.status).toBe(422)
  expect(whole.body.formErrors?.file?.[0]).toMatch(/\w/)
  const larger = await importFile(Buffer.alloc(most + 1, 'x'), 'larger.csv')
  expect(larger.status).toBe(413)
  expect(performance.now() - began).toBeLessThan(60_000)
}, 90_000)

test('a plan with a bad amount or an unknown currency is rejected in words; without a rate it is unknown, never 0; a past open month is planned [SPD-05] [MON-10]', async () => {
  const plan = { advertiser: own.net.advertiser.id, country: own.net.country.id, month: '2024-05-01' }
  expect(await refusal('POST', 'budget', { ...plan, planned: '-1' })).toMatch(/^422 planned: /)
  expect(await refusal('POST', 'budget', { ...plan, planned: '1000000000000' })).toMatch(/^422 planned: /)
  expect(await refusal('POST', 'budget', { ...plan, planned: '1', currency: 999_999 })).toMatch(/^422 currency: /)
  expect(await refusal('POST', 'budget', { ...plan, month: '2024-13-01', planned: '1' })).toMatch(/^422 month: /)
  const currency = await done(admin, 'POST', 'currency', { title: unique('Zloty'), value: 'PLN' })
  const budget = await done(admin, 'POST', 'budget', { ...plan, planned: '100', currency: currency.id })
  expect(budget).toMatchObject({ state: 'draft' })
  const { body } = await call('POST', 'budget_report/report', { month: '2024-05' })
  const { rows } = body as unknown as {
    rows: { advertiser_id: number; budget: unknown; free_budget: unknown; warnings: string[] }[]
  }
  expect(rows.find((row) => row.advertiser_id === own.net.advertiser.id)).toMatchObject({
    budget: null,
    free_budget: null,
    warnings: ['rate_missing'],
  })
})
