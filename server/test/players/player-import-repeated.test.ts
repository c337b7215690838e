// Several lines for one player and day in a player report: merged field by field, with a warning for each discarded value.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { say } from '@tributary/contract/words/messages'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { importReport } from '../../src/integrations/player-report/import-report.ts'
import { logPath, sourcePath } from '../../src/integrations/player-report/report-files.ts'
import { type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'

let services: TestServices
let record: FactsRecord

beforeAll(async () => {
  services = await startTestServices()
  record = await writeFactsRecord(services.postgres)
})

/** Imports the lines; resolves with the log without its header. */
const importLines = (...lines: string[]): Promise<string[]> => importInto('warnings', lines)

/** Resolves with the errors. */
const rejectLines = (...lines: string[]): Promise<string[]> => importInto('failed', lines)

async function importInto(logged: 'warnings' | 'failed', lines: readonly string[]): Promise<string[]> {
  const sql = sqlOf(services.postgres)
  const [report] = await sql<{ id: number }>(
    "insert into report (type, file_name, advertiser_id) values ('file', 'report.csv', $1) returning id",
    [record.advertiser],
  )
  const id = report?.id ?? 0
  const path = sourcePath(services.config, id)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.join('\n'))
  await importReport(services, id, new AbortController().signal)
  const [state] = await sql<{ status: string; warnings: number }>('select status, warnings from report where id = $1', [
    id,
  ])
  const log = state?.status === 'success' ? [] : readFileSync(logPath(services.config, id), 'utf8').trim().split('\r\n')
  expect(state).toEqual({ status: log.length > 0 ? logged : 'success', warnings: Math.max(0, log.length - 1) })
  return log.slice(1)
}

const LATER = 'A later line for the same player and day contradicts this value, so it is ignored'
const MERGED = 'This player and day is repeated: the lines are merged field by field'

test('a registration and figures on two lines of one player and day both count [PLY-06]', async () => {
  const log = await importLines(
    'player_id,date,registration,country,deposits,deposits_count',
    'm-1,2026-03-10,2026-03-10 12:00:00,UA,,',
    'm-1,2026-03-10,,,50,1',
  )
  expect(log).toEqual([`"2","outer_id","${MERGED}","m-1"`])
  const rows = await sqlOf(services.postgres)(
    `select p.registered_at, p.actual_country_id, r.deposits, r.deposits_count from player p join player_report r on r.player_id = p.id
      where p.outer_id = 'm-1'`,
  )
  expect(rows).toEqual([
    {
      registered_at: new Date('2026-03-10T06:00:00Z'),
      actual_country_id: record.countries[0],
      deposits: '50.0000',
      deposits_count: 1,
    },
  ])
})

test('a figure without a column stays as it was stored; an empty cell of a column is 0 [PLY-06]', async () => {
  const figures = async () =>
    sqlOf(services.postgres)(
      `select r.deposits_count, r.deposits, r.bets, r.income from player p join player_report r on r.player_id = p.id where p.outer_id = 'k-1'`,
    )
  await importLines('player_id,date,currency,deposits_count,deposits,bets,income', 'k-1,2026-03-10,EUR,3,50,7,11')
  await importLines('player_id,date,currency,deposits,bets', 'k-1,2026-03-10,EUR,60,')
  expect(await figures()).toEqual([{ deposits_count: 3, deposits: '60.0000', bets: '0.0000', income: '11.0000' }])
})

test('a report that would put stored amounts without a column into another currency is rejected by its line; one without amounts keeps the currency [PLY-06]', async () => {
  const stored = async () =>
    sqlOf(services.postgres)(
      `select r.deposits_count, r.deposits, r.income, r.currency_id from player p join player_report r on r.player_id = p.id where p.outer_id = 'k-2'`,
    )
  await importLines('player_id,date,currency,deposits_count,deposits,income', 'k-2,2026-03-10,USD,3,50,11')
  const before = await stored()
  expect(before).toMatchObject([{ deposits_count: 3, income: '11.0000', currency_id: record.usd }])
  const mixed = say('en', 'import_currency_mixed')
  for (const report of [
    'player_id,date,deposits\nk-2,2026-03-10,60',
    'player_id,date,currency,income\nk-2,2026-03-10,EUR,8',
  ]) {
    const [heading = '', line = ''] = report.split('\n')
    expect(await rejectLines(heading, line)).toEqual([`"2","currency","${mixed}","USD"`])
    expect(await stored()).toEqual(before)
  }
  await importLines('player_id,date,deposits_count', 'k-2,2026-03-10,4')
  expect(await stored()).toMatchObject([
    { deposits_count: 4, deposits: '50.0000', income: '11.0000', currency_id: record.usd },
  ])
})

test('a value that a later line contradicts does not count, and the log names it; an equal value in another format is no contradiction [PLY-06]', async () => {
  const log = await importLines(
    'player_id,date,country,currency,deposits,bets',
    'm-2,2026-03-10,Ukraine,eur,5,7',
    'm-2,2026-03-10,UA,EUR,6,7.00',
    'm-2,2026-03-11,,,1,1',
  )
  expect(log).toEqual([`"2","deposits","${LATER}","5.0000"`, `"2","outer_id","${MERGED}","m-2"`])
})

test('amounts in a discarded currency are not counted in the other currency [PLY-06]', async () => {
  const log = await importLines(
    'player_id,date,currency,deposits,bets,income',
    'm-3,2026-03-10,USD,5,7,',
    'm-3,2026-03-10,,,,3',
    'm-3,2026-03-10,EUR,6,,',
  )
  expect(log.filter((line) => line.includes(LATER))).toEqual([
    `"2","bets","${LATER}","7.0000"`,
    `"2","currency","${LATER}","USD"`,
    `"2","deposits","${LATER}","5.0000"`,
  ])
  const rows = await sqlOf(services.postgres)(
    `select r.currency_id, r.deposits, r.bets, r.income from player p join player_report r on r.player_id = p.id where p.outer_id = 'm-3'`,
  )
  expect(rows).toEqual([{ currency_id: record.eur, deposits: '6.0000', bets: '0.0000', income: '3.0000' }])
})

const FIELDS = ['site_id', 'promocode', 'deposits_count', 'bonus', 'income'] as const
type Line = Partial<Record<(typeof FIELDS)[number], string>>

const VALUE = fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined })
const LINES = fc.array(
  fc.record({ site_id: VALUE, promocode: VALUE, deposits_count: VALUE, bonus: VALUE, income: VALUE }),
  { minLength: 1, maxLength: 4 },
)

test('for any lines of any players, the last filled value of each field counts, and each other value causes a warning [PLY-06]', async () => {
  const players = fc.sample(LINES, { numRuns: 300, seed: 1 })
  const inFile = players.flatMap((lines, player) => lines.map((line) => ({ player, line })))
  // Lines of one player need not be neighbours.
  const order = fc.sample(fc.shuffledSubarray(inFile, { minLength: inFile.length }), { numRuns: 1, seed: 1 })[0] ?? []
  const counted = players.map(() => new Map<string, string>())
  for (const { player, line } of order)
    for (const name of FIELDS) if (line[name] !== undefined) counted[player]?.set(name, line[name])

  const log = await importLines(
    `player_id,date,${FIELDS.join(',')}`,
    ...order.map(({ player, line }) => `any-${player},2026-03-12,${FIELDS.map((name) => line[name] ?? '').join(',')}`),
  )
  const overruled = order.flatMap(({ player, line }, index) =>
    FIELDS.filter((name) => line[name] !== undefined && line[name] !== counted[player]?.get(name)).map(
      (name) => `"${index + 2}","${name}"`,
    ),
  )
  const warned = log.filter((line) => line.includes(LATER)).map((line) => line.split(',').slice(0, 2).join(','))
  expect(warned.sort()).toEqual(overruled.sort())

  const rows = await sqlOf(services.postgres)<Line & { outer_id: string }>(
    `select p.outer_id, p.site_id, p.promocode, r.deposits_count::text, r.bonus::int::text as bonus, r.income::int::text as income
      from player p left join player_report r on r.player_id = p.id where p.outer_id like 'any-%'`,
  )
  const found = new Map(rows.map((row) => [row.outer_id, row]))
  for (const [player, values] of counted.entries()) {
    const hasFigures = ['deposits_count', 'bonus', 'income'].some((name) => values.has(name))
    const figure = (name: string): string | null => (hasFigures ? (values.get(name) ?? '0') : null)
    expect(found.get(`any-${player}`)).toEqual({
      outer_id: `any-${player}`,
      site_id: values.get('site_id') ?? null,
      promocode: values.get('promocode') ?? null,
      deposits_count: figure('deposits_count'),
      bonus: figure('bonus'),
      income: figure('income'),
    })
  }
})
