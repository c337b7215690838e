// Spends from workbooks: which tab is read, merged cells, and formulas without a result.

import { formatMonth } from '@tributary/contract/period'
import { type WriteSheet, writeXlsx } from 'hucre'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { done, ENTITY_MODULES, makeSpendGround } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeBook, sheetOf } from '../support/xlsx-file.ts'
import { type ImportOptions, sendImport } from './spend-import-calls.ts'
import { cellOf, day, MONTH, tableOf } from './spend-table-calls.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
})

const send = (content: Buffer, options: ImportOptions) => sendImport(server, { person: admin, ...options }, content)

const bookOf = async (...sheets: WriteSheet[]): Promise<Buffer> => Buffer.from(await writeXlsx({ sheets }))

const monthAfter = (months: number): string =>
  new Date(Date.UTC(Number(MONTH.slice(0, 4)), Number(MONTH.slice(5)) - 1 + months)).toISOString().slice(0, 7)

test('the tab of the month is read and the others are named; tabs of other months, or several that fit, are refused [SPD-02] [SPD-04]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  const names = [String(own.net.stream.title), String(own.net.country.code)]
  const heading = ['Stream', 'Country', '1', '2']
  const [before, after] = [monthAfter(-1), monthAfter(1)]
  const tab = (name: string, sum: number): WriteSheet => ({ name, rows: [heading, [...names, sum, null]] })
  const book = await bookOf(
    { name: 'Read me', rows: [['How to fill this in']] },
    tab(formatMonth(before, 'en'), 11),
    tab(`${MONTH.slice(5)}.${MONTH.slice(0, 4)}`, 22),
    tab('Notes', 33),
  )
  const chosen = (month: string) => send(book, { name: 'months.xlsx', query: `dry_run=1&month=${month}` })
  const read = (await chosen(MONTH)).body
  const own22 = `${MONTH.slice(5)}.${MONTH.slice(0, 4)}`
  expect(read).toMatchObject({ new: 1, tab: own22, other_tabs: ['Read me', formatMonth(before, 'en'), 'Notes'] })
  const taken = await done(admin, 'POST', `partner_spend/import/${read.import}?month=${MONTH}`)
  expect(taken).toMatchObject({ new: 1, tab: own22 })
  expect(cellOf(await tableOf(admin, own), own, day(1)).base).toBe('22.0000')
  const absent = await chosen(after)
  expect(absent.status).toBe(422)
  expect(JSON.stringify(absent.body.formErrors)).toContain(`Tabs of other months: ${formatMonth(before, 'en')}`)
  const copy = await bookOf(tab(`${formatMonth(before, 'en')} (copy)`, 44))
  const copied = await send(copy, { name: 'copy.xlsx', query: `dry_run=1&month=${MONTH}` })
  expect(JSON.stringify(copied.body.formErrors)).toContain('(copy)')
  const blind = await send(book, { name: 'months.xlsx' })
  expect(JSON.stringify(blind.body.formErrors)).toContain('tabs of several months')
  const twice = await bookOf(tab(MONTH, 1), tab(formatMonth(MONTH, 'ru'), 2))
  const repeated = await send(twice, { name: 'twice.xlsx', query: `dry_run=1&month=${MONTH}` })
  const told = `Several tabs are for ${formatMonth(MONTH, 'en')}: ${MONTH}, ${formatMonth(MONTH, 'ru')}. Keep one tab`
  expect(JSON.stringify(repeated.body.formErrors)).toContain(told)
  // Without a chosen month, too: choosing one would not help.
  expect(JSON.stringify((await send(twice, { name: 'twice.xlsx' })).body.formErrors)).toContain(told)
})

test('the title of the only tab gives the month of its days; days of another month are refused with their cells; a tab without a month is found by its headings [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  const names = [String(own.net.stream.title), String(own.net.country.code)]
  const rows = [
    ['Stream', 'Country', '1', `01.${monthAfter(-1).split('-').reverse().join('.')}`],
    [...names, 5, 6],
  ]
  const plainDays = [['Stream', 'Country', '1', '2'], rows[1] ?? []]
  const only = await send(await bookOf({ name: MONTH, rows: plainDays }), { name: 'only.xlsx' })
  expect(only.body).toMatchObject({ new: 2, tab: MONTH, other_tabs: [] })
  const dated = [['Stream', 'Country', day(1), `${monthAfter(-1)}-01`], rows[1] ?? []]
  const foreign = await send(await bookOf({ name: MONTH, rows: dated }), { name: 'foreign.xlsx' })
  expect(foreign.body).toMatchObject({ new: 1, refused: [{ cell: 'D2', code: 'spend_outside_month' }] })
  const readMe = { name: 'Read me', rows: [['How to fill this in']] }
  const found = await send(await bookOf(readMe, { name: 'Spends', rows: plainDays }), {
    name: 'found.xlsx',
    query: `dry_run=1&month=${MONTH}`,
  })
  expect(found.body).toMatchObject({ new: 2, tab: 'Spends', other_tabs: ['Read me'] })
})

test('only merged cells give their name to the rows beneath; other rows without a name are refused with its cell [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2), day(3)])
  const [stream, country] = [String(own.net.stream.title), String(own.net.country.code)]
  const rows = [
    ['Stream', 'Country', 'Date', 'Sum'],
    [stream, country, day(1), 1],
    [null, null, day(2), 2],
    [null, null, day(3), 3],
    [stream, null, day(3), 4],
    ['TOTAL EUR', null, null, 10],
  ]
  const merges = [0, 1].map((column) => ({ startRow: 1, endRow: 2, startCol: column, endCol: column }))
  const { body } = await send(await bookOf({ name: 'Spends', rows, merges }), { name: 'merged.xlsx' })
  expect(body.refused.map(({ cell, code }) => `${cell} ${code}`)).toEqual([
    'A4 spend_stream_absent',
    'B5 spend_country_absent',
  ])
  expect(body).toMatchObject({ new: 2, tab: 'Spends', other_tabs: [] })
})

test('a second column of a field, and other columns of amounts, are named in a warning, but not those of an export [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  const [stream, country] = [String(own.net.stream.title), String(own.net.country.code)]
  const rows = [
    ['Date', 'Stream', 'Country', 'Sum', 'Amount', 'Clicks', 'Comment', 'ID', 'Когда заявлено'],
    [day(1), stream, country, 1, 2, 300, 'none', 7, 46_000],
  ]
  const { body } = await send(await bookOf({ name: 'Spends', rows }), { name: 'columns.xlsx' })
  expect(body.new).toBe(1)
  expect(body.warnings.map(({ cell, message }) => `${cell} ${message}`)).toEqual([
    'E1 “Amount” is a second column of the same field: D1 is read, this one is not',
    'F1 The column “Clicks” is not read',
  ])
})

test('a formula whose result the file does not hold is refused with its cell [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  const text = (cell: string, value: unknown) => `<c r="${cell}" t="inlineStr"><is><t>${String(value)}</t></is></c>`
  const sheet =
    sheetOf(`<row r="1">${['Stream', 'Country', day(1), day(2), day(3)].map((value, column) => text(`${'ABCDE'[column]}1`, value)).join('')}</row>
    <row r="2">${text('A2', own.net.stream.title)}${text('B2', own.net.country.code)}<c r="C2"><f>1+1</f><v>2</v></c><c r="D2"><f>C2*2</f></c>
      <c r="E2" t="str"><f>""</f><v></v></c></row>
    <row r="3">${text('A3', own.net.stream.title)}<c r="B3"><f>B2</f><v/></c><c r="C3"><v>5</v></c></row>`)
  const { body } = await send(makeBook({ sheet }), { name: 'formula.xlsx' })
  expect(body).toMatchObject({ new: 1, tab: 'Figures' })
  expect(body.refused.map(({ cell, code }) => `${cell} ${code}`)).toEqual([
    'D2 spend_formula_empty',
    'B3 spend_formula_empty',
  ])
})
