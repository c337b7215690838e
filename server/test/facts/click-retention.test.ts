// Clicks older than the settings keep go by whole months, and what was counted by day of partner offer, site and landing stays exact: at every step of a
// deletion, if it is killed anywhere, if clicks come late, after a rebuild and as known earlier.

import { EMPTY_QUERY } from '@tributary/contract/list-query'
import { addDays } from '@tributary/contract/period'
import { type GeneralReportAnswer, generalReportRequest } from '@tributary/contract/reports/general'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { listFactTables } from '../../src/backup/dump-facts.ts'
import { exportEntity } from '../../src/entities/engine/list/export.ts'
import { entityNamed } from '../../src/entities/engine/model/model.ts'
import type { RequestContext } from '../../src/entities/engine/model/request-context.ts'
import { readActivity } from '../../src/entities/spends/spend-activity.ts'
import { lowestId } from '../../src/facts/clicks/click-lines.ts'
import { finishDeletions } from '../../src/facts/clicks/deleted-clicks.ts'
import type { InboxClick } from '../../src/facts/columns.ts'
import { shortenKnownLogs } from '../../src/facts/known-log.ts'
import { createMonthSummer } from '../../src/facts/months/month-sums.ts'
import { createOutboxProjector } from '../../src/facts/outbox-projector.ts'
import { createProjection } from '../../src/facts/projection.ts'
import { rebuild } from '../../src/facts/rebuild.ts'
import { applyClickRetention } from '../../src/facts/retention.ts'
import { readSetting, storeAppliedSetting } from '../../src/facts/setting.ts'
import { readLogStart } from '../../src/facts/watermark.ts'
import { WORDS } from '../../src/lib/words.ts'
import { answerGeneralReportRows } from '../../src/reports/kinds/drill-down.ts'
import { answerGeneralReport } from '../../src/reports/kinds/general.ts'
import { addEvent, addPlayer, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'
import { inboxClick } from '../support/inbox-click.ts'
import { loadClicks } from '../support/load-clicks.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')
const ZONE = 'Europe/Kyiv'
const VIEWER = { role: 'ADMIN', partners: null, language: 'en' } as const

let services: TestServices
let record: FactsRecord
let sql: ReturnType<typeof sqlOf>

beforeAll(async () => {
  services = await startTestServices()
  sql = sqlOf(services.postgres)
  record = await writeFactsRecord(services.postgres)
  await sql(`update setting set click_months = 3, business_time_zone = '${ZONE}'`)
})

beforeEach(async () => {
  for (const table of ['click', 'click_day', 'link_month', 'month_run'])
    await services.clickhouse.exec(`truncate table ${table}`)
  await sql('truncate deleted_clicks, fact_month, fact_write')
})

let count = 0

function makeClick(day: string, hour: number, link: number, more: Partial<InboxClick> = {}): InboxClick {
  count++
  const time = Date.parse(`${day}T${String(hour).padStart(2, '0')}:30:00Z`)
  const tail = count.toString(16).padStart(12, '0')
  return inboxClick({
    id: `${lowestId(time).slice(0, 14)}7${(count & 0xfff).toString(16).padStart(3, '0')}-8000-${tail}`,
    created_at: time,
    offer_partner_id: record.links[link % 4] ?? 0,
    offer_id: record.offers[link % 4] ?? 0,
    partner_id: record.partners[link % 2] ?? 0,
    advertiser_id: record.advertiser,
    stream_id: record.streams[link % 2] ?? 0,
    traffic_source_id: 1,
    country_id: record.countries[0],
    site_id: `site${link % 3}`,
    sub_id: `sub${count % 5}`,
    ip_country: 'UA',
    ...more,
  })
}

const load = (clicks: readonly InboxClick[]) => loadClicks(services, clicks, ZONE)

const ask = (filter: object): Promise<GeneralReportAnswer> =>
  answerGeneralReport(
    generalReportRequest.parse({ filter: { dateFrom: '2026-01-01', dateTo: '2026-06-15', ...filter } }),
    VIEWER,
    { postgres: services.postgres, clickhouse: { ...services.clickhouse } },
  )

/** Questions that sums by day answer. */
const EXACT = [
  { groupBy: 'month', secondGroupBy: 'partner' },
  { groupBy: 'day', secondGroupBy: 'off' },
  { groupBy: 'week', secondGroupBy: 'site_id' },
  { groupBy: 'offer', secondGroupBy: 'landing', dateFrom: '2026-01-20', dateTo: '2026-04-03' },
  { groupBy: 'partner', secondDateFrom: '2026-01-01', secondDateTo: '2026-02-10', dateFrom: '2026-03-01' },
  { groupBy: 'site_id', siteId: { in: ['site1'] }, offers: [1, 2] },
  { groupBy: 'month', knownAt: '2026-06-01T00:00:00Z' },
] as const

async function numbers(): Promise<unknown[]> {
  const answers = await Promise.all(EXACT.map(ask))
  return answers.map(({ rows, total, items, warnings, deleted_months }) => ({
    rows,
    total,
    items,
    warnings,
    deleted_months,
  }))
}

const retain = (onStep?: (step: 'summed' | 'dropped') => Promise<void>, graceMs = 0) =>
  applyClickRetention(services, NOW, { graceMs, ...(onStep && { onStep }) })
const clicksOf = async (month: number) =>
  (await services.clickhouse.query<{ n: number }>(`select count() as n from click where toYYYYMM(day) = ${month}`))[0]
    ?.n ?? 0
const stateOf = () =>
  sql<{ month: string; gone: boolean }>(
    'select month, dropped_at is not null as gone from deleted_clicks order by month',
  )

const someClicks = fc.array(
  fc.record({
    day: fc.integer({ min: 0, max: 150 }),
    hour: fc.integer({ min: 0, max: 23 }),
    link: fc.integer({ min: 0, max: 3 }),
    kind: fc.constantFrom('unique', 'unique', 'again', 'bot'),
  }),
  { minLength: 5, maxLength: 60 },
)
const toClicks = (clicks: readonly { day: number; hour: number; link: number; kind: string }[]) =>
  clicks.map(({ day, hour, link, kind }) =>
    makeClick(addDays('2026-01-02', day), hour, link, {
      bot: kind === 'bot',
      ...(kind === 'again' && { canonical_id: '019d4b5c-3000-7000-8000-00000000000a' }),
    }),
  )

test('reports of months stay equal after their clicks are deleted, also after a kill at any step and with late data [SYS-06] [REP-15]', async () => {
  const killed = fc.record({ at: fc.constantFrom('summed', 'dropped', 'never'), late: someClicks, sums: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(someClicks, fc.array(killed, { minLength: 1, maxLength: 4 }), async (first, rounds) => {
      for (const table of ['click', 'click_day', 'link_month', 'month_run'])
        await services.clickhouse.exec(`truncate table ${table}`)
      await sql('truncate deleted_clicks, fact_month, fact_write')
      await load(toClicks(first))
      let expected = await numbers()
      let counted = first.filter(({ kind }) => kind !== 'bot').length
      const months = createMonthSummer(services, 0)
      for (const { at, late, sums } of rounds) {
        const kill = (step: string) => (step === at ? Promise.reject(new Error('killed')) : Promise.resolve())
        await retain(kill).catch((error: Error) => expect(error.message).toBe('killed'))
        // What is unfinished is finished before anything is handed over.
        await retain()
        if (sums) while (await months.sumOnce(NOW));
        expect(await numbers()).toEqual(expected)
        const more = late.slice(0, 6)
        await load(toClicks(more))
        counted += more.filter(({ kind }) => kind !== 'bot').length
        // A click that comes while its month is being deleted counts from the next pass on.
        await retain()
        expected = await numbers()
        expect((await ask({})).total.cc).toBe(counted)
        for (let pass = 0; pass < 3; pass++) await retain()
        expect(await numbers()).toEqual(expected)
        expect([await clicksOf(202601), await clicksOf(202602)]).toEqual([0, 0])
      }
    }),
    { numRuns: fuzzRuns(2), endOnFailure: true },
  )
})

test('a month that had only bots when it was deleted counts late clicks once [SYS-06] [REP-15]', async () => {
  const bot = makeClick('2026-01-10', 10, 0, { bot: true })
  await load([bot])
  for (let pass = 0; pass < 3; pass++) await retain()
  await load([makeClick('2026-01-11', 10, 0), makeClick('2026-01-12', 10, 1)])
  for (let pass = 0; pass < 3; pass++) await retain()
  expect(await clicksOf(202601)).toBe(0)
  expect((await ask({})).total.cc).toBe(2)
})

test('clicks go only when no report can need them, and stay if the setting is withdrawn before [SYS-06]', async () => {
  await load([makeClick('2026-01-10', 10, 0), makeClick('2026-03-01', 10, 1), makeClick('2026-03-20', 10, 1)])
  await retain(undefined, 600_000)
  await retain(undefined, 600_000)
  expect(await stateOf()).toEqual([{ month: '202601', gone: false }])
  expect(await clicksOf(202601)).toBe(1)
  await sql('update setting set click_months = null')
  await retain()
  expect(await stateOf()).toEqual([])
  expect((await ask({})).total.cc).toBe(3)
  await sql('update setting set click_months = 3')
  await retain()
  await retain()
  expect(await stateOf()).toEqual([{ month: '202601', gone: true }])
  // A month of three is kept from its first day on.
  expect([await clicksOf(202601), await clicksOf(202603)]).toEqual([0, 2])
  // Back-ups contain the sums, like any other table.
  expect(await listFactTables(services.clickhouse)).toContain('click_day')
  // Sums that count no longer are dropped.
  expect(await services.clickhouse.query('select uniqExact(run) as runs from click_day')).toEqual([{ runs: 1 }])
})

test('where sums by day cannot answer, the report, its export and the drill-down say which months are missing [SYS-06] [REP-15]', async () => {
  await load([makeClick('2026-01-10', 10, 0), makeClick('2026-05-10', 10, 1)])
  await retain()
  await retain()
  const bySub = await ask({ groupBy: 'sub_id', secondGroupBy: 'off' })
  expect(bySub).toMatchObject({ warnings: ['clicks_deleted'], deleted_months: ['2026-01'], total: { cc: 1 } })
  expect(await ask({ groupBy: 'sub_id', secondGroupBy: 'off', dateFrom: '2026-02-01' })).toMatchObject({
    warnings: [],
    deleted_months: [],
  })
  expect(await ask({ knownAt: '2026-01-20T00:00:00Z' })).toMatchObject({
    deleted_months: ['2026-01'],
    total: { cc: 1 },
  })
  expect(await ask({ knownAt: '2026-01-05T00:00:00Z' })).toMatchObject({ total: { cc: 0 } })
  const rows = await answerGeneralReportRows(
    {
      filter: generalReportRequest.parse({ filter: { dateFrom: '2026-01-01', dateTo: '2026-06-15' } }).filter,
      cfFilter: {},
      cell: { path: [], metric: 'cc' },
      pagination: { page: 1, limit: 10 },
    },
    VIEWER,
    services,
  )
  expect(rows).toMatchObject({ kind: 'clicks', total: 1, deleted_months: ['2026-01'] })
  const activity = await readActivity(services.postgres.db, services, record.streams, {
    from: '2026-01-01',
    to: '2026-01-31',
  })
  expect(
    activity.get({ day: '2026-01-10', stream: record.streams[0], country: record.countries[0], site: null }),
  ).toMatchObject({ clicks: 1 })
})

test('a file of the click list says that clicks of its period were deleted, in the language asked for [SYS-06] [LIST-12]', async () => {
  await load([makeClick('2026-01-10', 10, 0), makeClick('2026-05-10', 10, 1)])
  await retain()
  await retain()
  const signal = new AbortController().signal
  const notesOf = async (language: 'en' | 'ru', from?: string) => {
    const context = {
      holder: { role: 'ADMIN', permissions: [] },
      partners: null,
      scopeOf: () => undefined,
      engines: services,
      language,
    }
    const conditions =
      from === undefined ? [] : [{ path: 'created_at', operator: 'bwn' as const, values: [from, '2026-06-15'] }]
    const options = { columns: ['id'], words: WORDS[language], signal }
    // The rest of a context plays no part in an export.
    const of = context as unknown as RequestContext
    const sheet = await exportEntity(of, entityNamed('click'), { ...EMPTY_QUERY, conditions }, options)
    return [sheet.total, sheet.notes ?? []]
  }
  expect(await notesOf('en')).toEqual([1, [expect.stringMatching(/^Clicks before 01\.02\.2026 were deleted/)]])
  expect(await notesOf('ru', '2026-01-05')).toEqual([1, [expect.stringMatching(/^Клики до 01\.02\.2026 удалены/)]])
  expect(await notesOf('en', '2026-02-01')).toEqual([1, []])
})

test('a rebuild, also for another zone, loses no month whose clicks are gone [SYS-06]', async () => {
  const { postgres, clickhouse } = services
  await load([
    makeClick('2026-01-10', 10, 0),
    makeClick('2026-02-10', 10, 2),
    // In February in Kyiv, in January further west.
    makeClick('2026-01-31', 22, 1),
    makeClick('2026-03-10', 10, 1),
    makeClick('2026-04-10', 10, 3),
  ])
  await retain()
  await retain()
  await load([makeClick('2026-02-28', 23, 0)])
  await retain()
  expect(await stateOf()).toMatchObject([{ gone: true }, { gone: true }])
  const before = (await ask({ groupBy: 'partner' })).rows
  await storeAppliedSetting(postgres.pool, { ...(await readSetting(postgres.pool)), zone: ZONE })
  await sql(`update setting set business_time_zone = 'America/New_York'`)
  const projection = createProjection(postgres, clickhouse, {})
  const withoutClicks = (work: () => Promise<void>) => work()
  await rebuild({
    postgres,
    clickhouse,
    projection,
    requests: [],
    between: () => Promise.resolve(false),
    withoutClicks,
  })
  expect((await ask({ groupBy: 'partner' })).rows).toEqual(before)
  await sql(`update setting set business_time_zone = '${ZONE}'`)
  await storeAppliedSetting(postgres.pool, await readSetting(postgres.pool))
  expect(await finishDeletions(services, '202603', { graceMs: 0 })).toEqual([])
})

test('of the log of what was known, the last version of each fact stays: reports as known after the cut are exact [SYS-06] [REP-16]', async () => {
  const { postgres, clickhouse } = services
  const projector = createOutboxProjector(postgres, clickhouse, createProjection(postgres, clickhouse, {}))
  const settle = async () => {
    while ((await projector.projectOnce()).hasMore);
  }
  const players = [0, 1, 2].map((link) => addPlayer(postgres, record.links[link] ?? 0, '2026-01-05T10:00:00Z'))
  const ids = await Promise.all(players)
  await settle()
  for (const id of ids) await addEvent(postgres, id, 'dep', '2026-01-06T10:00:00Z', 7, record.eur)
  await settle()
  // As if known half a year earlier: the first version in January, the second in February.
  const tables = ['player_fact_log', 'activity_fact_log', 'spend_fact_log']
  for (const table of tables) {
    const columns = (
      await clickhouse.query<{ name: string }>(
        `select name from system.columns where database = currentDatabase() and table = '${table}' order by position`,
      )
    ).map(({ name }) => name)
    await clickhouse.exec(`create table ${table}_old as ${table}`)
    await clickhouse.exec(
      `insert into ${table}_old select ${columns
        .map((name) =>
          name === 'known_at'
            ? `toDateTime64(if(version = max(version) over (), '2026-02-10 00:00:00.000', '2026-01-10 00:00:00.000'), 3, 'UTC')`
            : name,
        )
        .join(', ')} from ${table}`,
    )
    await clickhouse.exec(`exchange tables ${table} and ${table}_old`)
    await clickhouse.exec(`drop table ${table}_old`)
  }
  // Known today.
  await addEvent(postgres, ids[0] ?? 0, 'dep', '2026-01-07T10:00:00Z', 5, record.eur)
  await settle()
  const known = async (knownAt: string) => {
    const { rows, total, warnings } = await ask({ groupBy: 'day', knownAt })
    return { rows, total, warnings }
  }
  const [march, early] = [await known('2026-03-01T00:00:00Z'), await known('2026-01-20T00:00:00Z')]
  expect(march.warnings).toEqual([])
  expect(early).not.toEqual(march)
  expect(await shortenKnownLogs(clickhouse, '202603')).toEqual(['player_fact_log', 'activity_fact_log'])
  expect(await known('2026-03-01T00:00:00Z')).toEqual(march)
  expect((await known('2026-01-20T00:00:00Z')).warnings).toEqual(['known_late'])
  expect(await readLogStart(clickhouse)).toEqual(new Date('2026-02-28T23:59:59.999Z'))
  expect(await shortenKnownLogs(clickhouse, '202603')).toEqual([])
  expect(await shortenKnownLogs(clickhouse, '202605')).toEqual(['player_fact_log', 'activity_fact_log'])
  expect(await known('2026-05-01T00:00:00Z')).toEqual(march)
})
