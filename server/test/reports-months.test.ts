// Long periods are read from sums of whole months: the same numbers, never older than the facts.

import { type GeneralReportAnswer, generalReportRequest } from '@tributary/contract/reports/general'
import { beforeAll, expect, test } from 'vitest'
import { createMonthSummer, type MonthSummer, readMonthRuns, type SummedSource } from '../src/facts/month-sums.ts'
import { createOutboxProjector } from '../src/facts/outbox-projector.ts'
import { createProjection } from '../src/facts/projection.ts'
import { coversAll, NO_SUMS, wholeMonths } from '../src/reports/engine/month-sums.ts'
import { answerGeneralReport } from '../src/reports/kinds/general.ts'
import { addEvent, addPlayer, type FactsRecord, sqlOf, writeFactsRecord } from './facts-record.ts'
import { startTestServices, type TestServices } from './harness.ts'

let services: TestServices
let record: FactsRecord
let months: MonthSummer
const NOW = Date.parse('2026-06-02T12:00:00Z')
const SPRING = { dateFrom: '2026-03-01', dateTo: '2026-05-31', groupBy: 'month', secondGroupBy: 'partner' } as const

beforeAll(async () => {
  services = await startTestServices()
  record = await writeFactsRecord(services.postgres)
  months = createMonthSummer(services.clickhouse, 0)
  for (let index = 0; index < 24; index++) {
    const day = `2026-0${3 + (index % 3)}-${String(3 + index).padStart(2, '0')}`
    const player = await addPlayer(services.postgres, record.links[index % 4] ?? 0, `${day}T10:00:00Z`)
    for (const hour of ['11', '12'])
      await addEvent(services.postgres, player, 'bet', `${day}T${hour}:00:00Z`, 10 + index, record.eur)
    await addEvent(services.postgres, player, 'dep', '2026-05-30T10:00:00Z', 7, record.eur)
  }
  for (const [stream, day, sum] of [
    [0, '2026-03-05', 100],
    [1, '2026-04-06', 200],
    [0, '2026-05-07', 300],
    [1, '2026-05-08', 400],
  ] as const)
    await sqlOf(services.postgres)(
      'insert into partner_spend (stream_id, country_id, date, sum, currency_id) values ($1, $2, $3, $4, $5)',
      [record.streams[stream], record.countries[0], day, sum, record.eur],
    )
  await settle()
})

async function settle(): Promise<void> {
  const { postgres, clickhouse } = services
  const projector = createOutboxProjector(postgres, clickhouse, createProjection(postgres, clickhouse, {}))
  while ((await projector.projectOnce()).hasMore);
}

/** Another process, which remembers nothing. */
const ask = (filter: object): Promise<GeneralReportAnswer> =>
  answerGeneralReport(
    generalReportRequest.parse({ filter: { ...SPRING, ...filter } }),
    { role: 'ADMIN', partners: null, language: 'en' },
    { postgres: services.postgres, clickhouse: { ...services.clickhouse } },
  )

const numbers = async (filter: object = {}) => {
  const { rows, total, player_count } = await ask(filter)
  return { rows, total, player_count }
}

const valid = async (of: SummedSource = 'activity') => {
  const runs = await readMonthRuns({ ...services.clickhouse }, new Set(['202603', '202604', '202605']))
  return runs.filter(({ source }) => source === of)
}

const QUESTIONS = [
  {},
  { dateFrom: '2026-03-15', dateTo: '2026-06-20' },
  { secondDateFrom: '2026-03-01', secondDateTo: '2026-04-30', dateFrom: '2026-05-01' },
  { groupBy: 'offer', secondGroupBy: 'off', partners: [1] },
  { groupBy: 'day' },
  { groupBy: 'landing', secondGroupBy: 'country' },
  { landings: [0], groupBy: 'offer' },
  { activity: 'deposits' },
]

test('sums of months tell what their facts tell, and are what is read [REP-01] [REP-15]', async () => {
  const before = await Promise.all(QUESTIONS.map(numbers))
  while (await months.sumOnce(NOW));
  expect((await valid()).map(({ month }) => month).toSorted()).toEqual(['202603', '202604', '202605'])
  expect(await Promise.all(QUESTIONS.map(numbers))).toEqual(before)
  const { cr } = (await numbers()).total
  const [may] = (await valid()).filter(({ month }) => month === '202605')
  await services.clickhouse.exec(
    `insert into link_month (source, run, day, rows, registrations) values ('activity', ${may?.run}, '2026-05-01', 1, 1000)`,
  )
  expect((await numbers()).total.cr).toBe((cr ?? 0) + 1000)
  expect((await numbers({ dateTo: '2026-05-30' })).total.cr).toBe(cr)
})

test('a fact that comes later is in the next answer, though its month was summed up [REP-15] [SYS-06]', async () => {
  const { cr = 0 } = (await numbers()).total
  const player = await addPlayer(services.postgres, record.links[0] ?? 0, '2026-05-05T10:00:00Z')
  await addEvent(services.postgres, player, 'dep', '2026-05-05T10:00:00Z', 7, record.eur)
  await settle()
  // The thousand that was written into the sums is gone with them.
  expect((await numbers()).total.cr).toBe((cr ?? 0) - 1000 + 1)
  expect((await valid()).map(({ month }) => month).toSorted()).toEqual(['202603', '202604'])
  const asFacts = await numbers()
  while (await months.sumOnce(NOW + 1));
  expect(await valid()).toHaveLength(3)
  expect(await numbers()).toEqual(asFacts)
})

test('sums that were replaced go when nobody can be reading them; a month is left alone until it is over and quiet [SYS-06]', async () => {
  const runs = () =>
    services.clickhouse.query<{ run: number }>(
      `select distinct run from link_month where source = 'activity' order by run`,
    )
  const all = await runs()
  await months.sweep(NOW + 60_000)
  expect(await runs()).toEqual(all)
  await months.sweep(NOW + 3_600_000)
  const current = (await valid()).map(({ run }) => run)
  expect(new Set((await runs()).map(({ run }) => run))).toEqual(new Set(current))
  await addPlayer(services.postgres, record.links[0] ?? 0, '2026-05-06T10:00:00Z')
  await settle()
  const patient = createMonthSummer(services.clickhouse, 60_000)
  await patient.sumOnce(NOW)
  await patient.sumOnce(NOW + 59_000)
  await createMonthSummer(services.clickhouse, 0).sumOnce(Date.parse('2026-06-01T12:00:00Z'))
  expect(await valid()).toHaveLength(2)
  await patient.sumOnce(NOW + 60_000)
  expect(await valid()).toHaveLength(3)
})

test('a spend that is changed, moved or taken back late is in the next answer, though its months were summed up [REP-15] [SYS-06]', async () => {
  const sql = sqlOf(services.postgres)
  const spent = async () => (await numbers()).total.s ?? 0
  const monthsOf = async () => (await valid('spend')).map(({ month }) => month).toSorted()
  while (await months.sumOnce(NOW + 2));
  const before = await spent()
  const [may] = (await valid('spend')).filter(({ month }) => month === '202605')
  await services.clickhouse.exec(
    `insert into link_month (source, run, day, sum, spends) values ('spend', ${may?.run}, '2026-05-01', 1000, 1)`,
  )
  expect(await spent()).toBe(before + 1000)
  const changes = [
    { set: 'sum = sum + 5', more: 5, left: ['202603', '202604'] },
    { set: `date = '2026-04-09'`, more: 5, left: ['202603'] },
    { set: `date = '2026-04-20'`, more: 5, left: ['202603', '202605'] },
    { set: 'active = false', more: -300, left: ['202603', '202605'] },
  ]
  // Days of a month are found without the facts of its other days, among them the one to which a spend has moved.
  const halfOfApril = async () => (await numbers({ dateFrom: '2026-04-01', dateTo: '2026-04-15' })).total.s ?? 0
  const halfBefore = await halfOfApril()
  for (const { set, more, left } of changes) {
    await sql(`update partner_spend set ${set} where sum between 300 and 399`)
    await settle()
    expect(await monthsOf()).toEqual(left)
    expect(await spent()).toBe(before + more)
    expect((await halfOfApril()) - halfBefore).toBe(set.includes('04-09') ? 305 : 0)
    const asFacts = await Promise.all(QUESTIONS.map(numbers))
    while (await months.sumOnce(NOW + 3));
    expect(await monthsOf()).toEqual(['202603', '202604', '202605'])
    expect(await Promise.all(QUESTIONS.map(numbers))).toEqual(asFacts)
  }
})

test('sums outlive the merging of facts, not their changing [REP-15]', async () => {
  const { clickhouse } = services
  const parts = () =>
    clickhouse.query(`select name from system.parts where active and table = 'activity_fact' and partition = '202604'`)
  const player = await addPlayer(services.postgres, record.links[0] ?? 0, '2026-04-05T10:00:00Z')
  await addEvent(services.postgres, player, 'dep', '2026-04-05T10:00:00Z', 7, record.eur)
  await settle()
  while (await months.sumOnce(NOW + 4));
  expect((await parts()).length).toBeGreaterThan(1)
  for (const table of ['activity_fact', 'spend_fact']) await clickhouse.exec(`optimize table ${table} final`)
  expect(await parts()).toHaveLength(1)
  expect([await valid(), await valid('spend')]).toMatchObject([{ length: 3 }, { length: 3 }])
  // A change is numbered in every part, whatever it touches.
  await clickhouse.exec('alter table activity_fact update bets = bets + 1 where 1 settings mutations_sync = 2')
  expect(await valid()).toEqual([])
})

test('only months that every period has whole or not at all are taken [REP-03]', () => {
  const period = (from: string, to: string) => ({ from, to })
  expect(wholeMonths({ first: period('2025-11-02', '2026-02-28'), second: null })).toEqual([
    '202512',
    '202601',
    '202602',
  ])
  expect(wholeMonths({ first: period('2026-01-31', '2026-02-27'), second: null })).toEqual([])
  const two = { first: period('2026-01-01', '2026-03-31'), second: period('2026-02-10', '2026-04-30') }
  expect(wholeMonths(two)).toEqual(['202601', '202603', '202604'])
  const run = { source: 'click' as const, month: '202601', run: 1 }
  const january = { first: period('2026-01-01', '2026-01-31'), second: null, sums: { ...NO_SUMS, click: [run] } }
  expect([coversAll(january, 'click'), coversAll(january, 'activity'), coversAll(january, 'spend')]).toEqual([
    true,
    false,
    false,
  ])
  const spent = { ...january, sums: { ...NO_SUMS, spend: [{ ...run, source: 'spend' as const }] } }
  expect([coversAll(spent, 'click'), coversAll(spent, 'spend')]).toEqual([false, true])
})
