// Long periods are read from sums of whole months: the same numbers, never older than the facts.

import { type GeneralReportAnswer, generalReportRequest } from '@tributary/contract/reports/general'
import { COMPONENT_NAMES, COMPONENTS } from '@tributary/contract/reports/traffic'
import { beforeAll, expect, test } from 'vitest'
import { createClickLoader } from '../../src/facts/clicks/click-loader.ts'
import { createMonthChanges, type FactMonth, readSettledMonths } from '../../src/facts/months/month-changes.ts'
import { createMonthSummer, type MonthSummer, readMonthRuns } from '../../src/facts/months/month-sums.ts'
import { SUMMED_COLUMNS, SUMMED_SOURCES, SUMS_TABLE } from '../../src/facts/months/summed-columns.ts'
import { createOutboxProjector } from '../../src/facts/outbox-projector.ts'
import { createProjection } from '../../src/facts/projection.ts'
import { rebuild } from '../../src/facts/rebuild.ts'
import { readSetting, storeAppliedSetting } from '../../src/facts/setting.ts'
import { coversAll, NO_SUMS, wholeMonths } from '../../src/reports/engine/month-sums.ts'
import { readFactsVersion } from '../../src/reports/freshness.ts'
import { answerGeneralReport } from '../../src/reports/kinds/general.ts'
import { componentSql, firstSummedSql, isSummed } from '../../src/reports/model/component.ts'
import { addEvent, addPlayer, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'
import { INSERT_INBOX } from '../support/inbox-rows.ts'

let services: TestServices
let record: FactsRecord
let months: MonthSummer
const NOW = Date.parse('2026-06-02T12:00:00Z')
const SPRING = { dateFrom: '2026-03-01', dateTo: '2026-05-31', groupBy: 'month', secondGroupBy: 'partner' } as const

beforeAll(async () => {
  services = await startTestServices()
  record = await writeFactsRecord(services.postgres)
  months = createMonthSummer(services, 0)
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

const ask = (filter: object): Promise<GeneralReportAnswer> =>
  answerGeneralReport(
    generalReportRequest.parse({ filter: { ...SPRING, ...filter } }),
    { role: 'ADMIN', partners: null, language: 'en' },
    anew(),
  )

const numbers = async (filter: object = {}) => {
  const { rows, total, player_count } = await ask(filter)
  return { rows, total, player_count }
}

/** Another process, which remembers nothing. */
const anew = () => ({ postgres: services.postgres, clickhouse: { ...services.clickhouse } })

const valid = async (of: FactMonth['source'] = 'activity') => {
  const runs = await readMonthRuns(anew(), new Set(['202603', '202604', '202605']))
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

test('month sums equal their facts, and reports read them [REP-01] [REP-15]', async () => {
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
  const patient = createMonthSummer(services, 60_000)
  await patient.sumOnce(NOW)
  await patient.sumOnce(NOW + 59_000)
  await createMonthSummer(services, 0).sumOnce(Date.parse('2026-06-01T12:00:00Z'))
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
  await createMonthChanges(services.postgres).during('activity', ['202604'], () =>
    clickhouse.exec(
      'alter table activity_fact update bets = bets + 1 where toYYYYMM(day) = 202604 settings mutations_sync = 2',
    ),
  )
  expect((await valid()).map(({ month }) => month).toSorted()).toEqual(['202603', '202605'])
})

/** A write that goes on until it is told how it ends. */
function openWrite(source: FactMonth['source'], month: string) {
  const ending = Promise.withResolvers<void>()
  const changes = createMonthChanges(services.postgres)
  const begun = Promise.withResolvers<void>()
  const ended = changes.during(source, [month], () => {
    begun.resolve()
    return ending.promise
  })
  return { begun: begun.promise, ended, changes, end: ending.resolve, fail: ending.reject }
}

const isValid = async (month: string) => (await valid()).some((one) => one.month === month)
const sumAll = async () => {
  while (await months.sumOnce(NOW + 5));
}

test('while facts of a month are written its sums do not count, and none are made [REP-15]', async () => {
  await sumAll()
  expect(await isValid('202604')).toBe(true)
  const [first, second] = [openWrite('activity', '202604'), openWrite('activity', '202604')]
  await Promise.all([first.begun, second.begun])
  expect(await isValid('202604')).toBe(false)
  await sumAll()
  first.end()
  await first.ended
  // The other one is still in flight.
  await sumAll()
  expect(await isValid('202604')).toBe(false)
  expect((await valid('spend')).map(({ month }) => month)).toContain('202604')
  second.end()
  await second.ended
  expect(await isValid('202604')).toBe(false)
  await sumAll()
  expect(await isValid('202604')).toBe(true)
})

test('sums that were begun before a write and ended after it do not count [REP-15]', async () => {
  await sumAll()
  await createMonthChanges(services.postgres).during('activity', ['202604'], () => Promise.resolve())
  let write: Promise<void> | undefined
  const late = createMonthSummer(
    {
      postgres: services.postgres,
      clickhouse: {
        ...services.clickhouse,
        async exec(sql, params, options) {
          await services.clickhouse.exec(sql, params, options)
          // Behind the facts that were just read.
          write ??= createMonthChanges(services.postgres).during('activity', ['202604'], () => Promise.resolve())
          await write
        },
      },
    },
    0,
  )
  await late.sumOnce(NOW + 6)
  expect(write).toBeDefined()
  expect(await isValid('202604')).toBe(false)
  await sumAll()
  expect(await isValid('202604')).toBe(true)
})

test('a write that fails or is killed holds its month back until no engine can be working on it [REP-15] [SYS-06]', async () => {
  await sumAll()
  const failing = openWrite('activity', '202604')
  await failing.begun
  failing.fail(new Error('the engine has gone'))
  await expect(failing.ended).rejects.toThrow('the engine has gone')
  await sumAll()
  expect(await isValid('202604')).toBe(false)
  // What a killed process leaves is the same row.
  const sql = sqlOf(services.postgres)
  await sql(`update fact_write set begun_at = now() - interval '9 minutes'`)
  await sumAll()
  expect(await isValid('202604')).toBe(false)
  await sql(`update fact_write set begun_at = now() - interval '11 minutes'`)
  await sumAll()
  expect(await isValid('202604')).toBe(true)
  expect(await sql('select from fact_write')).toEqual([])
})

test('a write that was taken for dead and was not makes the sums of its month invalid when it ends [REP-15] [SYS-06]', async () => {
  const slow = openWrite('activity', '202604')
  await slow.begun
  await sqlOf(services.postgres)(`update fact_write set begun_at = now() - interval '1 hour'`)
  await slow.changes.dropAbandonedWrites()
  expect(await isValid('202604')).toBe(false)
  // Another process knows nothing of it.
  await sumAll()
  expect(await isValid('202604')).toBe(true)
  slow.end()
  await slow.ended
  expect(await isValid('202604')).toBe(false)
})

test('clicks that are handed over, and a rebuild, change the numbers of their months [REP-15] [SYS-06]', async () => {
  const numbersOf = async (source: FactMonth['source']) => {
    const settled = (await readSettledMonths(services.postgres)).filter((one) => one.source === source)
    return new Map(settled.map(({ month, number }) => [month, number]))
  }
  const { postgres, clickhouse } = services
  const sql = sqlOf(postgres)
  const [writer] = await sql('insert into click_writer default values returning id')
  const click = { id: '019d4b5c-3000-7000-8000-00000000000a', writer: writer?.id, created_at: '2026-04-02T00:00:00Z' }
  const ids = [
    'offer_partner_id',
    'offer_id',
    'partner_id',
    'advertiser_id',
    'stream_id',
    'traffic_source_id',
    'country_id',
  ]
  const fields = {
    ...Object.fromEntries(ids.map((id) => [id, 1])),
    bot: false,
    site_id: '',
    ip: '',
    url: '/',
    target: '/',
  }
  await sql(INSERT_INBOX, [JSON.stringify([{ ...click, ...fields }])])
  expect((await createClickLoader(postgres, clickhouse).loadOnce()).count).toBe(1)
  expect([...(await numbersOf('click'))]).toEqual([['202604', 1]])
  const before = { activity: await numbersOf('activity'), spend: await numbersOf('spend') }
  const projection = createProjection(postgres, clickhouse, {})
  const between = () => Promise.resolve(false)
  const withoutClicks = (work: () => Promise<void>) => work()
  await sql(`update setting set business_time_zone = 'Asia/Kathmandu'`)
  await storeAppliedSetting(postgres.pool, { ...(await readSetting(postgres.pool)), zone: 'Europe/Kyiv' })
  await rebuild({ postgres, clickhouse, projection, requests: [], between, withoutClicks })
  expect([...(await numbersOf('click'))]).toEqual([['202604', 2]])
  for (const source of ['activity', 'spend'] as const)
    for (const [month, number] of before[source]) expect((await numbersOf(source)).get(month)).toBeGreaterThan(number)
})

test('the version of facts changes with every write from the first day on, and is empty while one goes on [REP-11] [REP-10]', async () => {
  const changes = createMonthChanges(services.postgres)
  await services.postgres.pool.query('delete from fact_write')
  const version = (from: string) => readFactsVersion(services.postgres, [{ from, to: '2026-06-30' }])
  const first = await version('2026-06-10')
  expect(first).toMatch(/^\d+$/)
  await changes.during('spend', ['202605'], async () => undefined)
  expect(await version('2026-06-10')).toBe(first)
  await changes.during('spend', ['202605', '202606'], async () => {
    expect(await version('2026-06-10')).toBe('')
    expect(await version('2026-07-01')).toMatch(/^\d+$/)
  })
  const second = await version('2026-06-10')
  await changes.during('activity', ['202611'], async () => undefined)
  expect(new Set([first, second, await version('2026-06-10')]).size).toBe(3)
  expect(await readFactsVersion(services.postgres, [])).toMatch(/^\d+$/)
})

test('every component adds up from the columns that its month sums declare [REP-15]', async () => {
  for (const part of COMPONENT_NAMES) {
    const columns: readonly string[] | null = SUMMED_COLUMNS[part]
    expect(isSummed(part), part).toBe(columns !== null)
    if (columns === null) continue
    expect(Object.keys(SUMMED_SOURCES[COMPONENTS[part].source].sums)).toEqual(expect.arrayContaining([...columns]))
    const sql = part === 'bettors' ? firstSummedSql(part, `toDate('2026-03-01')`) : componentSql(part)
    for (const column of columns) expect(sql).toMatch(new RegExp(`\\b${column}\\b`))
    await services.clickhouse.query(`select ${sql} as value from ${SUMS_TABLE}`)
  }
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
