// Spends from files: what is read, what is refused with its address, precedence of sources, repeated and hostile files.

import type { SpendImport } from '@tributary/contract/calls/spend-import'
import { formatMonth } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { ask, done, ENTITY_MODULES, makeSpendGround, type SpendGround } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeBook, makeTable } from '../support/xlsx-file.ts'
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

const take = async ({ import: id }: SpendImport, person = admin): Promise<SpendImport> =>
  (await done(person, 'POST', `partner_spend/import/${id}`)) as unknown as SpendImport

const HEAD = 'Date;Stream;Country;Site ID;Sum;Currency'
const lineOf = ({ net }: SpendGround, date: string, sum: string, { site = '', currency = '' } = {}): string =>
  [date, net.stream.title, net.country.title, site, sum, currency].join(';')

test('a dry run lists changes and writes nothing; the same file is then imported, and a second import changes nothing [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2), day(3), day(4)])
  await done(admin, 'POST', 'partner_spend', { ...own.spend, date: day(2), sum: '20' })
  await save(admin, own, [{ date: day(3), base: '30' }])
  await server.services.postgres.pool.query(
    `update partner_spend set source = 'import' where stream_id = $1 and date = $2`,
    [own.net.stream.id, day(3)],
  )
  const file = [
    HEAD,
    lineOf(own, day(1), '1 234,50'),
    lineOf(own, day(2), '20.00'),
    lineOf(own, day(3), '31'),
    lineOf(own, day(4).split('-').toReversed().join('.'), '1,234.50'),
    lineOf(own, day(9), '5'),
    lineOf(own, day(1), ''),
    'Total;;;;9999;',
  ].join('\n')
  const dry = await send(file)
  expect(dry.status, JSON.stringify(dry.body)).toBe(200)
  expect(dry.body).toMatchObject({ new: 2, changed: 1, equal: 1, done: false, refused_total: 1 })
  expect(dry.body.refused).toEqual([{ cell: 'E6', code: 'spend_without_activity', message: expect.any(String) }])
  expect(cellOf(await tableOf(admin, own), own, day(1)).base).toBeNull()
  expect(await take(dry.body)).toMatchObject({ new: 2, changed: 1, equal: 1, done: true, refused_total: 1 })
  const table = await tableOf(admin, own)
  expect([1, 2, 3, 4].map((number) => cellOf(table, own, day(number)).base)).toEqual([
    '1234.5000',
    '20.0000',
    '31.0000',
    '1234.5000',
  ])
  expect([1, 2, 3].map((number) => cellOf(table, own, day(number)).source)).toEqual(['import', 'manual', 'import'])
  expect(await take(dry.body)).toMatchObject({ new: 0, changed: 0, equal: 4, refused_total: 1 })
})

test('every rejected cell has its address and reason; the rest is imported [SPD-02] [SPD-03]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  const { title } = own.net.country
  const stream = String(own.net.stream.title)
  const lines = [
    lineOf(own, day(1), '5'),
    lineOf(own, day(1), '6'),
    lineOf(own, day(2), '-3'),
    lineOf(own, day(2), 'twelve'),
    lineOf(own, day(2), '1,234'),
    lineOf(own, day(2), '1.234'),
    lineOf(own, day(2), '1000000000000'),
    lineOf(own, 'someday', '1'),
    lineOf(own, '', '1'),
    `${day(2)};Nobody’s;${String(title)};;1;`,
    `${day(2)};${stream};Atlantis;;1;`,
    lineOf(own, day(2), '1', { currency: 'XXX' }),
    lineOf(own, day(2), '1', { site: 'nowhere' }),
    `${day(2)};;;;1;`,
    '#REF!;#REF!;#REF!;;#REF!;',
  ]
  const { body } = await send([HEAD, ...lines].join('\n'))
  expect(body).toMatchObject({ new: 1, changed: 0, equal: 0 })
  expect(body.refused.map(({ cell, code }) => `${cell} ${code}`)).toEqual(
    [
      'E4 spend_sum_negative',
      'E5 import_figure_invalid',
      'E6 spend_two_ways',
      'E7 spend_two_ways',
      'E8 spend_sum_large',
      'A9 spend_date_unread',
      'A10 spend_date_absent',
      'E3 spend_repeated_cell',
      'B11 spend_stream_unknown',
      'C12 import_country_unknown',
      'F13 import_currency_unknown',
      'E14 spend_site_missing',
      'B15 spend_stream_absent',
      'B16 spend_formula_error',
    ].toSorted(byLine),
  )
  expect(body.refused.find(({ cell }) => cell === 'A9')?.message).toBe(
    '“someday” in A9 cannot be read as a date: write the day as 2026-11-20 or 20.11.2026, or as a date of the spreadsheet program',
  )
})

test('a file named .xlsx that is no workbook is rejected by name; a csv of that name is read [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  for (const content of ['a letter about spends', '%PDF-1.7\0\0'])
    expect((await send(content, { name: 'spends.xlsx' })).body.formErrors).toEqual({
      file: [expect.stringMatching(/^“spends\.xlsx” is not an Excel workbook/)],
    })
  const damaged = await send('PK\x03\x04 and no more', { name: 'spends.xlsx' })
  expect(damaged.body.formErrors).toEqual({ file: [expect.stringMatching(/^Wrong format/)] })
  const { body } = await send([HEAD, lineOf(own, day(1), '5')].join('\n'), { name: 'spends.xlsx' })
  expect(body).toMatchObject({ new: 1, refused_total: 0 })
})

test('a second column of sums in another currency is a warning, not a column of totals [SPD-02] [MON-08]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  const line = [day(1), own.net.stream.title, own.net.country.title, '5', '6'].join(';')
  const { body } = await send(['date;stream;country;sum;sum USD', line].join('\n'))
  expect(body).toMatchObject({ new: 1, warnings_total: 1 })
})

const lineNumber = (text: string): number => Number(/\d+/.exec(text)?.[0])
const byLine = (a: string, b: string): number => lineNumber(a) - lineNumber(b)

test('a sum by hand is kept, and the rejection names both; a sheet’s is replaced with a warning; an equal claim is accepted [MON-06] [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2), day(3)])
  await save(
    admin,
    own,
    [1, 2].map((number) => ({ date: day(number), base: '5' })),
  )
  const { pool } = server.services.postgres
  await pool.query(`update partner_spend set source = 'sheet' where stream_id = $1 and date = $2`, [
    own.net.stream.id,
    day(2),
  ])
  await pool.query(
    `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_currency_id, claim_at, currency_id, offer_partner_id)
      values ($1, $2, $3, 7, $4, now(), $4, $5)`,
    [own.net.stream.id, own.net.country.id, day(3), own.net.currency.id, own.link.id],
  )
  const currency = String(own.net.currency.value)
  await pool.query('update partner_spend set currency_id = $2 where stream_id = $1', [
    own.net.stream.id,
    own.net.currency.id,
  ])
  const { body } = await send(
    [HEAD, ...[1, 2, 3].map((number) => lineOf(own, day(number), '7', { currency }))].join('\n'),
    { query: 'dry_run=0' },
  )
  expect(body).toMatchObject({ new: 0, changed: 2, equal: 0, done: true })
  expect(body.refused).toEqual([
    {
      cell: 'E2',
      code: 'spend_kept_manual',
      message: `5.00 ${currency} was entered by hand and takes precedence over 7.00 ${currency} from the import`,
    },
  ])
  expect(body.warnings).toEqual([
    { cell: 'E3', code: 'spend_replaces_sheet', message: `7.00 ${currency} replaces 5.00 ${currency} from a sheet` },
  ])
  const { rows } = await pool.query(
    'select sum, claim_sum, source from partner_spend where stream_id = $1 order by date',
    [own.net.stream.id],
  )
  expect(rows).toEqual([
    { sum: '5.0000', claim_sum: null, source: 'manual' },
    { sum: '7.0000', claim_sum: null, source: 'import' },
    { sum: '7.0000', claim_sum: null, source: 'import' },
  ])
})

test('a file with a column for each day, merged names and totals is read; the exported table is such a file [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  const stream = String(own.net.stream.title)
  const grid = [
    ['Spends of the month', '', '', ''],
    ['Поток', 'Страна', day(1), day(2)],
    [stream, String(own.net.country.code), '10', ''],
    ['Итого', '', '10', '0'],
  ]
  const { body } = await send(makeTable(grid), { name: 'grid.xlsx', query: 'dry_run=0' })
  expect(body).toMatchObject({ new: 1, refused_total: 0, done: true })
  for (const format of ['xlsx', 'csv']) {
    const exported = await admin.call(
      'GET',
      `partner_spend/table/export?partner=${own.net.partner.id}&month=${day(1).slice(0, 7)}&format=${format}`,
    )
    const again = await send(Buffer.from(await exported.arrayBuffer()), { name: `table.${format}` })
    expect(again.body, JSON.stringify(again.body)).toMatchObject({ new: 0, changed: 0, equal: 1, refused_total: 0 })
  }
})

test('columns whose heading names no day lose no amount in silence; a second table has its own days [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [1, 2, 3, 4, 5].map(day))
  const [stream, country] = [String(own.net.stream.title), String(own.net.country.code)]
  const [year, month] = MONTH.split('-')
  const name = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format(new Date(day(1)))
  const heading = [
    'Stream',
    'Country',
    day(1),
    `2 ${name}`,
    `99.${month}.${year}`,
    '3',
    '',
    `01.${month}.${year?.slice(2)}`,
  ]
  const rows = [
    [...heading, 'Clicks', 'Total'],
    [stream, country, 1, 2, 3, 4, 5, 6, 700, 8, 9],
    [],
    ['Geo', 'Stream', day(4), day(5)].map((text, place) => (place < 2 ? ['Stream', 'Geo'][place] : text)),
    [stream, country, 10, '1e2'],
    [stream, country, '', 12.34567],
  ]
  const { body } = await send(rows.map((cells) => cells.join(',')).join('\n'))
  expect(body).toMatchObject({ new: 3, warnings: [{ cell: 'I1', code: 'spend_column_left' }] })
  expect(body.refused.map(({ cell, code }) => `${cell} ${code}`)).toEqual([
    ...['E2 spend_heading_unknown', 'F2 spend_heading_unknown', 'G2 spend_heading_absent', 'K2 spend_heading_absent'],
    ...['H2 spend_repeated_cell', 'D5 import_figure_invalid', 'D6 too_precise'],
  ])
  expect(body.refused[0]?.message).toContain(`99.${month}.${year}”`)
  const only = await send('Stream,Country,2026-11-02\n')
  expect(only.status).toBe(422)
  expect(JSON.stringify(only.body.formErrors)).toContain('no sums')
})

test('columns headed 1 to 31 are days of the chosen month; without one the file is refused and says what is missing [SPD-02] [API-05]', async () => {
  const own = await makeSpendGround(admin, [1, 2, 3].map(day))
  const names = [String(own.net.stream.title), String(own.net.country.code)]
  const heads = ['1', '02', `3.${MONTH.slice(5)}`, '32', 'Total']
  const rows = [
    ['Stream', 'Country', ...heads],
    [...names, '10', '20', '30', '40', '100'],
  ]
  const csv = rows.map((cells) => cells.join(';')).join('\n')
  const blind = await send(rows.map((cells) => cells.filter((_, place) => place !== 4).join(';')).join('\n'))
  expect(blind.status).toBe(422)
  expect(JSON.stringify(blind.body.formErrors)).toContain('choose the month of the file')
  const query = `dry_run=1&month=${MONTH}`
  const { body } = await send(csv, { query })
  expect(body).toMatchObject({ new: 3, refused: [{ cell: 'F2', code: 'spend_heading_unknown' }], refused_total: 1 })
  // Of another month: a day that the file dates whole contradicts the choice, so that plain numbers stay unknown.
  const dated = [
    ['Stream', 'Country', day(1), '2'],
    [...names, '10', '20'],
  ]
  const other = await send(dated.map((cells) => cells.join(';')).join('\n'), { query: 'dry_run=1&month=2024-02' })
  expect(other.body).toMatchObject({ new: 1, refused: [{ cell: 'D2', code: 'spend_heading_unknown' }] })
  expect((await send(csv, { query: 'dry_run=1&month=2024-13' })).status).toBe(422)
  const mixed = await send(`Spends\r\n${csv}`, { query })
  expect(mixed.body, 'lines with two kinds of ends').toMatchObject({ new: 3, refused: [{ cell: 'F3' }] })
  const taken = await done(admin, 'POST', `partner_spend/import/${body.import}?month=${MONTH}`)
  expect(taken).toMatchObject({ new: 3, done: true })
  const table = await tableOf(admin, own)
  expect([1, 2, 3].map((number) => cellOf(table, own, day(number)).base)).toEqual(['10.0000', '20.0000', '30.0000'])
  const book = await send(
    makeTable(
      [
        ['Stream', 'Country', 1, 2],
        [...names, 10, 20],
      ].map((cells) => cells.map(String)),
    ),
    {
      name: 'spends.xlsx',
      query,
    },
  )
  expect(book.body).toMatchObject({ new: 0, equal: 2, refused_total: 0 })
})

test('only visible streams are found, of the chosen partner; an import belongs to who sent it [PERM-07] [SPD-02]', async () => {
  const [own, foreign] = [await makeSpendGround(admin, [day(1)]), await makeSpendGround(admin, [day(1)])]
  const file = [HEAD, lineOf(own, day(1), '5'), lineOf(foreign, day(1), '5')].join('\n')
  const { body } = await send(file, { query: `dry_run=1&partner=${own.net.partner.id}` })
  expect(body).toMatchObject({ new: 1, refused: [{ cell: 'B3', code: 'spend_stream_unknown' }] })
  const manager = await signIn(server, 'MANAGER')
  expect((await send(file, { person: manager })).body).toMatchObject({ new: 0, refused_total: 2 })
  expect((await ask(manager, 'POST', `partner_spend/import/${body.import}`)).status).toBe(404)
  expect((await send(file, { person: manager, query: `dry_run=1&partner=${own.net.partner.id}` })).status).toBe(404)
  const self = await signIn(server, 'PARTNER', own.net.partner.id)
  await server.services.postgres.pool.query('update "user" set permissions = $2 where id = $1', [
    self.id,
    ['partners_spend_view', 'partners_spend_edit'],
  ])
  expect((await send(file, { person: self })).status).toBe(403)
  expect((await ask(self, 'POST', `partner_spend/import/${body.import}`)).status).toBe(403)
  // What is taken is what was shown.
  const other = await ask(admin, 'POST', `partner_spend/import/${body.import}?partner=${foreign.net.partner.id}`)
  expect(other.status).toBe(422)
  expect(await done(admin, 'POST', `partner_spend/import/${body.import}`)).toMatchObject({ new: 1, refused_total: 1 })
})

test('two people who take one file at once write every sum once [MON-07] [SPD-02]', async () => {
  const days = Array.from({ length: 25 }, (_, index) => day(index + 1))
  const own = await makeSpendGround(admin, days)
  const file = [HEAD, ...days.map((date) => lineOf(own, date, '3'))].join('\n')
  const answers = await Promise.all([1, 2, 3].map(() => send(file, { query: '' })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(answers.reduce((sum, { body }) => sum + body.new, 0)).toBe(25)
  const { rows } = await server.services.postgres.pool.query(
    'select count(*)::int as count from partner_spend where stream_id = $1',
    [own.net.stream.id],
  )
  expect(rows).toEqual([{ count: 25 }])
})

test('a closed month says who closed it, when, and the way round [MON-02] [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  await save(admin, own, [{ date: day(1), base: '5' }])
  const { pool } = server.services.postgres
  const { rows } = await pool.query<{ id: number }>(
    'insert into period_close (month, closed_at, closed_by_id, known_at) values ($1, now(), $2, now()) returning id',
    [MONTH, admin.id],
  )
  await pool.query('insert into period_close_partner (period_close_id, month, partner_id) values ($1, $2, $3)', [
    rows[0]?.id,
    MONTH,
    own.net.partner.id,
  ])
  const { body } = await send([HEAD, lineOf(own, day(1), '7')].join('\n'))
  const said = new RegExp(
    `^${formatMonth(MONTH, 'en')} was closed by ADMIN \\d+ on \\d\\d\\.\\d\\d\\.\\d{4}\\. .* enter an adjustment$`,
  )
  expect(body.refused.map(({ cell, code }) => `${cell} ${code}`)).toEqual(['E2 spend_kept_manual'])
  await pool.query(`update partner_spend set source = 'sheet' where stream_id = $1`, [own.net.stream.id])
  const second = await send([HEAD, lineOf(own, day(1), '7')].join('\n'))
  expect(second.body.refused).toEqual([{ cell: 'E2', code: 'period_closed', message: expect.stringMatching(said) }])
  expect(cellOf(await tableOf(admin, own), own, day(1))).toMatchObject({
    reason: 'period_closed',
    values: { month: MONTH, who: expect.any(String), day: expect.any(String) },
  })
  await pool.query('update period_close_partner set reopened_at = now() where period_close_id = $1', [rows[0]?.id])
  await pool.query('update period_close set reopened_at = now() where id = $1', [rows[0]?.id])
})

test('files that are no table, without a heading, too large, or of a false size are rejected and leave nothing [API-05] [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  const whole = makeTable([HEAD.split(';'), lineOf(own, day(1), '5').split(';')])
  const cases: [string, string | Buffer, number][] = [
    ['a.csv', 'just;some;words\n1;2;3', 422],
    ['a.csv', Buffer.from([0, 1, 2, 3, 0, 255]), 422],
    ['a.xlsx', whole.subarray(0, whole.length - 30), 422],
    ['a.xlsx', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(2000)]), 422],
    ['a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 422],
    ['a.csv', '', 422],
    ['a.txt', HEAD, 415],
    [
      'lies.xlsx',
      makeBook({
        sheet: `<worksheet><sheetData>${' '.repeat(3_000_000)}</sheetData></worksheet>`,
        spoil: (parts) => parts.map((part) => ({ ...part, size: 10 })),
      }),
      422,
    ],
    [
      'large.xlsx',
      makeBook({
        sheet: '<worksheet><sheetData></sheetData></worksheet>',
        spoil: (parts) =>
          parts.map((part) => (part.name.includes('worksheets') ? { ...part, size: 257 * 1024 * 1024 } : part)),
      }),
      422,
    ],
    ['many.csv', `${HEAD}\n${`${day(1)};x;y;;1;\n`.repeat(200_001)}`, 422],
  ]
  for (const [name, content, status] of cases) {
    const answer = await send(content, { name })
    expect(answer.status, `${name} ${JSON.stringify(answer.body)}`).toBe(status)
    expect(JSON.stringify(answer.body.formErrors)).toContain(name === 'large.xlsx' ? 'at most 256 MB' : 'file')
  }
  const { rows } = await server.services.postgres.pool.query(
    'select count(*)::int as count from partner_spend where stream_id = $1',
    [own.net.stream.id],
  )
  expect(rows).toEqual([{ count: 0 }])
}, 60_000)
