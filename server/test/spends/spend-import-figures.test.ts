// What an import does with equal sums, with amounts of many digits, and with errors of formulas.

import type { SpendImport } from '@tributary/contract/calls/spend-import'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { ENTITY_MODULES, makeSpendGround, type SpendGround } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeTable } from '../support/xlsx-file.ts'
import { type ImportOptions, sendImport } from './spend-import-calls.ts'
import { cellOf, day, MONTH, save, tableOf } from './spend-table-calls.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
})

const send = (content: string | Buffer, options: ImportOptions = {}) =>
  sendImport(server, { person: admin, ...options }, content)

const notesOf = (notes: SpendImport['refused']): string[] =>
  notes.map(({ cell, code, message }) => `${cell} ${code}: ${message}`)

async function setSources(ground: SpendGround, sources: Readonly<Record<number, string>>): Promise<void> {
  for (const [number, source] of Object.entries(sources))
    await server.services.postgres.pool.query(
      'update partner_spend set source = $3 where stream_id = $1 and date = $2',
      [ground.net.stream.id, day(Number(number)), source],
    )
}

/** All that a change of the spends would leave behind. */
async function traceOf({ net }: SpendGround): Promise<unknown> {
  const { rows } = await server.services.postgres.pool.query(
    `select s.date, s.sum, s.source, s.version, (select count(*)::int from audit_log a where a.entity = 'partner_spend' and a.entity_id = s.id) as logged
      from partner_spend s where s.stream_id = $1 order by s.date`,
    [net.stream.id],
  )
  return rows
}

test('an exported table that nobody has edited changes nothing when it is imported: no version, no entry of the log, no warning; only sums of a sheet become the import’s [SPD-02] [MON-06]', async () => {
  const own = await makeSpendGround(admin, [1, 2, 3].map(day))
  const bases = ['10', '20.5', '0.1234']
  await save(
    admin,
    own,
    bases.map((base, at) => ({ date: day(at + 1), base })),
  )
  await setSources(own, { 1: 'manual', 2: 'import', 3: 'import' })
  const before = await traceOf(own)
  for (const format of ['xlsx', 'csv']) {
    const query = `partner=${own.net.partner.id}&month=${MONTH}&format=${format}`
    const exported = await admin.call('GET', `partner_spend/table/export?${query}`)
    const { body } = await send(Buffer.from(await exported.arrayBuffer()), {
      name: `table.${format}`,
      query: 'dry_run=0',
    })
    const nothing = { new: 0, changed: 0, equal: 3, refused_total: 0, warnings_total: 0, done: true }
    expect(body, JSON.stringify(body)).toMatchObject(nothing)
    expect(await traceOf(own)).toEqual(before)
  }
  const { stream, country } = own.net
  const fileOf = (sum: string) =>
    ['Stream;Country;Date;Sum', [stream.title, country.title, day(3), sum].join(';')].join('\n')
  await setSources(own, { 3: 'sheet' })
  for (const [sum, changed] of [
    ['0.1234', 1],
    ['0.2', 1],
    ['0.2', 0],
  ] as const)
    expect((await send(fileOf(sum), { query: 'dry_run=0' })).body).toMatchObject({ changed })
  expect(cellOf(await tableOf(admin, own), own, day(3)).source).toBe('import')
})

test('names that look like formulas are found in the exported table, which guards them by an apostrophe [SPD-02] [SPD-01]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  await save(admin, own, [{ date: day(1), base: '10' }])
  const { pool } = server.services.postgres
  const { stream, partner, country } = own.net
  await pool.query(`update partner_stream set title = '=SUM(A1)' where id = $1`, [stream.id])
  await pool.query(`update partner set title = '@home' where id = $1`, [partner.id])
  await pool.query(`update country set title = '-Land' where id = $1`, [country.id])
  for (const format of ['xlsx', 'csv']) {
    const query = `partner=${partner.id}&month=${MONTH}&format=${format}`
    const exported = await admin.call('GET', `partner_spend/table/export?${query}`)
    const { body } = await send(Buffer.from(await exported.arrayBuffer()), { name: `table.${format}` })
    expect(body, JSON.stringify(body)).toMatchObject({ new: 0, changed: 0, equal: 1, refused_total: 0 })
  }
})

test('an import counts equal sums of a sheet apart; with only_changes they keep their source [SPD-02] [MON-06]', async () => {
  const own = await makeSpendGround(admin, [1, 2, 3, 4].map(day))
  await save(
    admin,
    own,
    ['10', '20', '30'].map((base, at) => ({ date: day(at + 1), base })),
  )
  await setSources(own, { 1: 'sheet', 2: 'sheet', 3: 'sheet' })
  const { stream, country } = own.net
  const lines = ['10', '20', '31', '40'].map((sum, at) => [stream.title, country.title, day(at + 1), sum].join(';'))
  const file = ['Stream;Country;Date;Sum', ...lines].join('\n')
  const shown = (await send(file)).body
  expect(shown).toMatchObject({ new: 1, changed: 3, taken_over: 2, equal: 0, done: false })
  expect(shown.warnings.map(({ code }) => code).sort()).toEqual([
    ...['spend_kept_from_sheet', 'spend_kept_from_sheet'],
    'spend_replaces_sheet',
  ])
  const changes = { new: 1, changed: 1, taken_over: 0, equal: 2, warnings_total: 1 }
  expect((await send(file, { query: 'dry_run=1&only_changes=1' })).body).toMatchObject(changes)
  const taken = await admin.call('POST', `partner_spend/import/${shown.import}?only_changes=1`)
  expect(await taken.json()).toMatchObject({ ...changes, done: true })
  const sources = async () => {
    const table = await tableOf(admin, own)
    return [1, 2, 3, 4].map((number) => cellOf(table, own, day(number)).source)
  }
  expect(await sources()).toEqual(['sheet', 'sheet', 'import', 'import'])
  const again = { new: 0, changed: 2, taken_over: 2, equal: 2 }
  expect((await send(file, { query: 'dry_run=0' })).body).toMatchObject(again)
  expect(await sources()).toEqual(['import', 'import', 'import', 'import'])
})

test('an emptied cell of a file says that its sum stays; a cell that cannot be read says what is wrong with it, and no more [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [1, 2, 3].map(day))
  await save(
    admin,
    own,
    ['10', '20.5', '30'].map((base, at) => ({ date: day(at + 1), base })),
  )
  await setSources(own, { 1: 'import', 2: 'import', 3: 'import' })
  const [stream, country] = [String(own.net.stream.title), String(own.net.country.code)]
  const files = {
    days: [
      ['Stream', 'Country', ...[1, 2, 3, 4].map(day)],
      [stream, country, '10', '', 'thirty', ''],
    ],
    dates: [
      ['Stream', 'Country', 'Date', 'Sum'],
      [stream, country, day(1), '10'],
      [stream, country, day(2), ''],
      [stream, country, day(3), 'thirty'],
      [stream, country, day(4), ''],
    ],
  }
  const before = await traceOf(own)
  const { currency } = cellOf(await tableOf(admin, own), own, day(2))
  for (const [lines, cell] of [
    [files.days, 'D2'],
    [files.dates, 'D3'],
  ] as const) {
    const { body } = await send(lines.map((cells) => cells.join(';')).join('\n'), { query: 'dry_run=0' })
    expect(body).toMatchObject({ equal: 1, refused_total: 1, warnings_total: 1 })
    expect(notesOf(body.warnings)).toEqual([
      `${cell} spend_cell_kept: The cell is empty, but 20.50 ${currency} stays: an import deletes nothing. Clear it in the table`,
    ])
    expect(await traceOf(own)).toEqual(before)
  }
})

test('a calculated number of a workbook is rounded half-up to four digits with a warning; the same file is then equal, and an amount of which nothing remains is refused [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [1, 2, 3, 4].map(day))
  const file = makeTable([
    ['Stream', 'Country', ...[1, 2, 3, 4].map(day)],
    [String(own.net.stream.title), String(own.net.country.code), 100 / 3, 1.123456, 0.1 + 0.2, 0.00004],
  ])
  const { body } = await send(file, { name: 'rates.xlsx', query: 'dry_run=0' })
  expect(body).toMatchObject({ new: 3, done: true })
  expect(notesOf(body.refused)).toEqual(['F2 too_precise: No more than 4 digits after the point'])
  const rounded = 'rounded to 4 decimals'
  expect(notesOf(body.warnings)).toEqual([
    `C2 spend_sum_rounded: The file has ${100 / 3}: 33.3333 is imported, ${rounded}`,
    `D2 spend_sum_rounded: The file has 1.123456: 1.1235 is imported, ${rounded}`,
  ])
  const table = await tableOf(admin, own)
  const shown = [1, 2, 3, 4].map((number) => cellOf(table, own, day(number)).base)
  expect(shown).toEqual(['33.3333', '1.1235', '0.3000', null])
  const again = await send(file, { name: 'rates.xlsx' })
  expect(again.body).toMatchObject({ changed: 0, equal: 3, refused_total: 1, warnings_total: 0 })
})

test('an error of a formula is named with its cell, in a sum, a name or a date; a heading that fails loses no amount in silence [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [1, 2, 3].map(day))
  const [stream, country] = [String(own.net.stream.title), String(own.net.country.code)]
  const lines = [
    ['Stream', 'Country', day(1), day(2), '#REF!'],
    [stream, country, '#DIV/0!', '5', '6'],
    ['#N/A', country, '7', '', '#VALUE!'],
    [stream, '#Н/Д', '8', '', ''],
    [stream, country, '', '', '#NAME?'],
  ]
  const { body } = await send(lines.map((cells) => cells.join(';')).join('\n'))
  const shows = (cell: string, error: string) =>
    `${cell} spend_formula_error: The formula in ${cell} shows ${error}: correct it, save the file, and choose it again`
  expect(body.new).toBe(1)
  expect(notesOf(body.refused)).toEqual([
    expect.stringMatching(/^E2 spend_heading_unknown: .*#REF!.* in E1/),
    shows('C2', '#DIV/0!'),
    shows('A3', '#N/A'),
    shows('B4', '#Н/Д'),
  ])
  const dated = ['Stream;Country;Date;Sum', `${stream};${country};#ССЫЛКА!;5`].join('\n')
  expect(notesOf((await send(dated)).body.refused)).toEqual([shows('C2', '#ССЫЛКА!')])
})
