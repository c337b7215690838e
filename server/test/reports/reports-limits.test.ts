// What keeps reports bounded: more groups than one answer holds, and a person who does not wait for the answer.
import { once } from 'node:events'
import { GENERAL_REPORTS } from '@tributary/contract/reports/choices'
import { cohortRequest } from '@tributary/contract/reports/cohort'
import { COHORT_REPORTS } from '@tributary/contract/reports/cohort-choices'
import { type GeneralReportAnswer, generalReportRequest, type ReportRow } from '@tributary/contract/reports/general'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disconnectSignal } from '../../src/api/connections.ts'
import type { Clickhouse, QueryOptions } from '../../src/clickhouse/client.ts'
import { shareTable } from '../../src/clickhouse/shared-table.ts'
import type { Params } from '../../src/clickhouse/statement.ts'
import type { Viewer } from '../../src/reports/engine/query.ts'
import { exportGeneralReport } from '../../src/reports/export/general-export.ts'
import { exportCohort } from '../../src/reports/export/plain-exports.ts'
import { answerCohort } from '../../src/reports/kinds/cohort.ts'
import { answerGeneralReport } from '../../src/reports/kinds/general.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'

let services: TestServices
const ADMIN: Viewer = { role: 'ADMIN', partners: null, language: 'en' }
const REQUEST = generalReportRequest.parse({
  filter: { dateFrom: '2026-06-01', dateTo: '2026-06-30', secondGroupBy: 'off' },
})

beforeAll(async () => {
  services = await startTestServices()
})

const MB = 1024 * 1024

describe('more groups than one answer holds', () => {
  /** Groups that an answer may have: the product's number, and a smaller one, which fewer rows exceed. */
  const [MOST_GROUPS, FEW_GROUPS] = [200_000, 25_000]
  const [MASSES, CROWD] = [210_000, 30_000]
  /** Apart from the crowd, because months of one insert alone need no merging. */
  const EARLIER = { dateFrom: '2023-08-01', dateTo: '2024-07-31' }
  const AUGUST = { dateFrom: '2025-08-01', dateTo: '2026-07-31' }
  /** The engine with other bounds of a statement than those that it has. */
  const bounded = (more: QueryOptions, inPlaceOf: (params: Params) => Params = (params) => params): TestServices => ({
    ...services,
    clickhouse: {
      ...services.clickhouse,
      table: (sql, params = {}, options = {}) =>
        services.clickhouse.table(sql, inPlaceOf(params), {
          ...options,
          ...more,
          settings: { ...options.settings, ...more.settings },
        }),
    },
  })
  let narrow: TestServices
  const ask = (filter: object, more: object = {}) =>
    answerGeneralReport(generalReportRequest.parse({ filter: { ...AUGUST, ...filter }, ...more }), ADMIN, narrow)

  const insert = (name: string, count: number, offer: number, from: string) =>
    services.clickhouse.exec(
      `insert into activity_fact (day, player_id, version, offer_id, partner_id, registrations, deposits_count, deposits, previous_day,
        previous_bet_day, registered_day, outer_id, site_id, sub_id)
      select toDate('${from}') + number % 300, ${offer} * 1000000 + number, 1, ${offer} + number % 3, 1, 1, 1, 2, toDate(0), toDate(0),
        toDate('${from}') + number % 300,
        concat('${name}', toString(number)), 'site', toString(number) from numbers(${count})`,
    )

  beforeAll(async () => {
    await insert('crowd', CROWD, 50, AUGUST.dateFrom)
    await insert('mass', MASSES, 60, EARLIER.dateFrom)
    narrow = bounded({}, (params) => {
      if (params.most_groups === undefined) return params
      expect(params.most_groups).toBe(MOST_GROUPS)
      return { ...params, most_groups: FEW_GROUPS }
    })
  })

  test('the page is complete; levels beyond one answer are cut, and the answer reports it [REP-01] [REP-12]', async () => {
    const levels = ['offer', 'player_outer_id', 'site_id_sub_id', 'day'] as const
    const [groupBy, secondGroupBy, thirdGroupBy, fourthGroupBy] = levels
    const answer = await ask({ groupBy, secondGroupBy, thirdGroupBy, fourthGroupBy, offers: [50, 51, 52] })
    const alone = await ask({ groupBy, secondGroupBy: 'off', offers: [50, 51, 52] })
    expect(answer.warnings).toEqual(['levels_cut'])
    expect(alone.warnings).toEqual([])
    expect(answer.rows).toEqual(alone.rows)
    expect([answer.total, answer.player_count, answer.items]).toEqual([alone.total, CROWD, 3])
    // Of fewer offers all four levels fit, and nothing is said.
    const one = await ask({ groupBy, secondGroupBy, thirdGroupBy, fourthGroupBy, offers: [50] })
    expect(one.warnings).toEqual([])
    expect(one.rows[0]?.children).toHaveLength(CROWD / 3)
    expect(one.rows[0]?.children?.[0]?.children?.[0]?.children).toHaveLength(1)
  })

  test('four levels of ids over a year are paged, in any order, and all of them are ten thousand at once [REP-12]', async () => {
    const filter = {
      groupBy: 'player_outer_id',
      secondGroupBy: 'site_id_sub_id',
      thirdGroupBy: 'sub_id',
      fourthGroupBy: 'day',
      offers: [50, 51, 52],
    }
    const last = await ask(filter, { pagination: { page: CROWD / 100, limit: 100 }, sort: { by: 'group' } })
    expect(last.pagination).toEqual({ page: CROWD / 100, limit: 100, total: CROWD, maxPageNumber: CROWD / 100 })
    expect(last.rows).toHaveLength(100)
    expect(last.rows.at(-1)).toMatchObject({ g: { id: 'crowd9999' }, m: { cr: 1, deposits_amount: 2 } })
    expect(last.rows.at(-1)?.children?.[0]?.children?.[0]?.children).toMatchObject([{ m: { cr: 1 } }])
    expect(last.total).toMatchObject({ cr: CROWD, deposits_amount: 2 * CROWD })
    const all = await ask(
      { ...filter, secondGroupBy: 'off', thirdGroupBy: 'off', fourthGroupBy: 'off' },
      { pagination: { limit: -1 } },
    )
    expect(all.rows).toHaveLength(10_000)
    expect(all.pagination).toEqual({ page: 1, limit: 10_000, total: CROWD, maxPageNumber: CROWD / 10_000 })
  })

  const IDS = {
    groupBy: 'player_outer_id',
    secondGroupBy: 'site_id_sub_id',
    thirdGroupBy: 'sub_id',
    fourthGroupBy: 'day',
    offers: [50, 51, 52],
  } as const

  test('flat rows beyond what one statement gathers are paged, and nothing of them is left out [REP-04] [REP-12]', async () => {
    const askFlat = (pagination: object, more: object = {}) => {
      const request = generalReportRequest.parse({ filter: { ...AUGUST, ...IDS }, pagination, ...more })
      return answerGeneralReport(request, ADMIN, narrow, undefined, GENERAL_REPORTS.general_report_old)
    }
    const all = await askFlat({ limit: -1 })
    expect(all.rows).toHaveLength(10_000)
    expect(all.pagination).toEqual({ page: 1, limit: 10_000, total: CROWD, maxPageNumber: CROWD / 10_000 })
    expect([all.items, all.player_count, all.warnings]).toEqual([CROWD, CROWD, []])
    expect(all.total).toMatchObject({ cr: CROWD, deposits_amount: 2 * CROWD })
    expect(all.rows[0]).toMatchObject({ g: { id: 'crowd0' }, fg: { id: '2025-08-01' }, m: { cr: 1 } })
    const last = await askFlat({ page: CROWD / 100, limit: 100 }, { cfFilter: { cr: { gte: 1 } } })
    expect(last.rows).toHaveLength(100)
    expect(last.rows.at(-1)).toMatchObject({ g: { id: 'crowd9999' }, m: { cr: 1, deposits_amount: 2 } })
    expect([last.items, last.total.cr]).toEqual([CROWD, CROWD])
    const none = await askFlat({ limit: 10 }, { cfFilter: { cr: { gt: 1 } } })
    expect([none.rows, none.items, none.total.cr]).toEqual([[], 0, 0])
  })

  test('cohorts of as many groups are paged, and their total and file are whole [REP-06] [REP-12] [REP-14]', async () => {
    const filter = { ...AUGUST, period: 'day', periods: 2, groupBy: 'player_outer_id' } as const
    const askCohorts = (pagination: object, periods = 2) =>
      answerCohort(
        cohortRequest.parse({ filter: { ...filter, periods, offers: [50, 51, 52] }, pagination }),
        ADMIN,
        services,
        COHORT_REPORTS.cohort_analysis,
      )
    const all = await askCohorts({ limit: -1 })
    expect(all.rows).toHaveLength(10_000)
    expect(all.pagination).toEqual({ page: 1, limit: 10_000, total: CROWD, maxPageNumber: CROWD / 10_000 })
    expect([all.items, all.total.size, all.total.m.deposits_amount]).toEqual([CROWD, CROWD, 2 * CROWD])
    // Rows with many cells: fewer of them, and so it is told.
    const wide = await askCohorts({ page: 3, limit: 10_000 }, 400)
    expect(wide.rows).toHaveLength(500)
    expect(wide.pagination).toEqual({ page: 3, limit: 500, total: CROWD, maxPageNumber: CROWD / 500 })
    const few = Array.from({ length: 600 }, (_, index) => `crowd${index}`)
    const request = {
      ...cohortRequest.parse({ filter: { ...filter, periods: 400, playerOuterId: { in: few } } }),
      columns: [],
    }
    const asked = { request: { ...request, format: 'csv' as const }, viewer: ADMIN, title: 'Cohorts' }
    const sheet = await exportCohort(asked, services, 'cohort_analysis')
    const rows = (await Array.fromAsync(sheet.batches)).flat()
    expect(sheet.total).toBe(602)
    expect(rows).toHaveLength(602)
    expect(new Set(rows.slice(1, -1).map((row) => row[1])).size).toBe(600)
    expect(rows.at(-1)?.[1 + 1]).toBe(600)
  })

  const MASSES_REQUEST = generalReportRequest.parse({
    filter: { ...EARLIER, ...IDS, offers: [60, 61, 62] },
    pagination: { limit: 20 },
  })
  let whole: GeneralReportAnswer

  test('with little memory a report of ids is complete or reports that it is cut; its numbers are complete [REP-12]', async () => {
    whole = await answerGeneralReport(MASSES_REQUEST, ADMIN, services)
    // A tenth of what the product lets a statement have, and the same share of it on disk.
    const settings = {
      max_memory_usage: 100 * MB,
      max_bytes_before_external_group_by: 40 * MB,
      max_bytes_before_external_sort: 40 * MB,
    }
    const cramped = await answerGeneralReport(MASSES_REQUEST, ADMIN, bounded({ settings }))
    expect([cramped.total, cramped.items, cramped.player_count]).toEqual([whole.total, MASSES, MASSES])
    const isCut = cramped.warnings.includes('levels_cut')
    const shown = (row: ReportRow) => (isCut ? { g: row.g, m: row.m } : row)
    expect(cramped.rows.map(shown)).toEqual(whole.rows.map(shown))
  })

  test('a report past its time is a time-out, and the next one is clean [REP-12]', async () => {
    const late = answerGeneralReport(MASSES_REQUEST, ADMIN, bounded({ maxSeconds: 0.01 }))
    await expect(late).rejects.toMatchObject({ code: 'timeout' })
    const after = await answerGeneralReport(MASSES_REQUEST, ADMIN, services)
    expect([after.rows, after.total, after.warnings]).toEqual([whole.rows, whole.total, []])
  })
})

test('a file is read as it is written, spend that has no place too; under conditions its total is of those that meet them [REP-14] [REP-02]', async () => {
  await services.clickhouse.exec(
    `insert into spend_fact (spend_id, version, is_deleted, day, offer_id, partner_id, stream_id, country_id, base, sum)
    select 900000 + number, 1, 0, toDate('2026-02-01') + number % 100, 90, 1, 1 + intDiv(number, 100), 1, 2, 1 + number % 2 from numbers(5000)`,
  )
  let most = 0
  const clickhouse: Clickhouse = {
    ...services.clickhouse,
    async table(sql, params, options) {
      const answer = await services.clickhouse.table(sql, params, options)
      most = Math.max(most, answer.rows.length)
      return answer
    },
  }
  const filter = {
    groupBy: 'player_outer_id',
    secondGroupBy: 'off',
    dateFrom: '2026-02-01',
    dateTo: '2026-06-30',
    offers: [90],
  }
  for (const [cfFilter, lost, spend] of [
    [{}, 5000, 7500],
    [{ s: { gte: 2 } }, 2500, 5000],
  ] as const) {
    const request = { ...generalReportRequest.parse({ filter, cfFilter }), columns: ['s'], format: 'csv' as const }
    const asked = { request, viewer: ADMIN, title: 'Spend' }
    const sheet = await exportGeneralReport(asked, { ...services, clickhouse }, GENERAL_REPORTS.general_report)
    const rows = (await Array.fromAsync(sheet.batches)).flat()
    expect([sheet.total, rows.length]).toEqual([lost + 1, lost + 1])
    expect([rows.at(0)?.[0], rows.at(-1)]).toEqual([expect.stringMatching(/^NUS: /), ['Total', spend]])
  }
  expect(most).toBeLessThan(10)
})

test('the total of a file is that of its rows, also of what is written while it is made [REP-14]', async () => {
  const write = (player: number) =>
    services.clickhouse.exec(
      `insert into activity_fact (day, player_id, version, offer_id, partner_id, registrations, income, outer_id)
      values ('2024-03-01', ${player}, 1, 95, 1, 1, 0, 'p${player}'), ('2024-03-02', ${player}, 1, 95, 1, 0, 1000000000000.0001, 'p${player}')`,
    )
  await write(950_001)
  const clickhouse: Clickhouse = {
    ...services.clickhouse,
    async *queryStream<T extends object>(...asked: Parameters<Clickhouse['queryStream']>) {
      await write(950_002)
      yield* services.clickhouse.queryStream<T>(...asked)
    },
  }
  const filter = {
    groupBy: 'player_outer_id',
    secondGroupBy: 'day',
    dateFrom: '2024-03-01',
    dateTo: '2024-03-31',
    offers: [95],
  }
  const request = {
    ...generalReportRequest.parse({ filter, sort: { by: 'cr', desc: true } }),
    columns: ['cr', 'income'],
    format: 'csv' as const,
  }
  const asked = { request, viewer: ADMIN, title: 'Rows' }
  const sheet = await exportGeneralReport(asked, { ...services, clickhouse }, GENERAL_REPORTS.general_report)
  const ofPlayer = (id: string) => [
    [id, null, 1, 1e12],
    [id, '2024-03-01', 1, 0],
    [id, '2024-03-02', 0, 1e12],
  ]
  expect((await Array.fromAsync(sheet.batches)).flat()).toEqual([
    ...ofPlayer('p950001'),
    ...ofPlayer('p950002'),
    ['Total', null, 2, 2e12],
  ])
})

test('equal requests share one run; a caller who leaves does not end it for the others [REP-12]', async () => {
  const sql = 'select count() from activity_fact where offer_id = {offer:UInt32}'
  const gate = Promise.withResolvers<void>()
  const signals: (AbortSignal | undefined)[] = []
  let isFirstAnswered = false
  const clickhouse: Clickhouse = {
    ...services.clickhouse,
    async table(statement, params, options) {
      const isFirst = signals.push(options?.signal) === 1
      const answer = await services.clickhouse.table(statement, params, options)
      if (isFirst) {
        isFirstAnswered = true
        await gate.promise
      }
      return answer
    },
  }
  const ask = async (signal?: AbortSignal) =>
    (await shareTable(clickhouse, sql, { offer: 777 }, signal ? { signal } : {})).rows
  const first = ask()
  await expect.poll(() => isFirstAnswered).toBe(true)
  await services.clickhouse.insert('activity_fact', ['day', 'player_id', 'offer_id'], [['2024-01-01', 1, 777]])
  const leaving = new AbortController()
  const [left, ...others] = [ask(leaving.signal), ...Array.from({ length: 8 }, () => ask())]
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  gate.resolve()
  expect(await first).toEqual([[0]])
  expect(await Promise.all(others)).toEqual(others.map(() => [[1]]))
  expect(signals).toHaveLength(2)
})

test('what everybody has left ends, and is begun anew for the next one [REP-12]', async () => {
  let runs = 0
  const clickhouse: Clickhouse = {
    ...services.clickhouse,
    table(statement, params, options) {
      runs++
      if (runs > 1) return services.clickhouse.table(statement, params, options)
      // As the engine does: it goes on for as long as somebody waits.
      return new Promise((_, reject) => options?.signal?.addEventListener('abort', () => reject(new Error('ended'))))
    },
  }
  const people = [new AbortController(), new AbortController()]
  const left = people.map(({ signal }) => shareTable(clickhouse, 'select 1', {}, { signal }))
  await expect.poll(() => runs).toBe(1)
  for (const person of people) person.abort(new Error('gone'))
  for (const one of left) await expect(one).rejects.toThrow('gone')
  expect((await shareTable(clickhouse, 'select 1', {}, {})).rows).toEqual([[1]])
})

test('a report that nobody waits for any more ends at once [REP-12]', async () => {
  const over = new AbortController()
  let ended = 0
  // In the options, because a statement with settings of its own has no mark by which it could be ended.
  const options = { signal: over.signal, settings: { max_block_size: 1 } }
  const slow = Array.from({ length: 4 }, () =>
    services.clickhouse.query('select sleepEachRow(1) from numbers(60)', undefined, options).finally(() => ended++),
  )
  const leaving = new AbortController()
  const asked = answerGeneralReport(REQUEST, ADMIN, services, leaving.signal)
  setTimeout(() => leaving.abort(), 100)
  await expect(asked).rejects.toThrow(/abort/i)
  // They kept all sessions busy: it did not wait for one.
  expect(ended).toBe(0)
  over.abort()
  await Promise.allSettled(slow)
})

test('the signal of a request fires when the connection closes, not when the body was read [REP-12]', async () => {
  const app = fastify()
  afterAll(() => app.close())
  const seen: AbortSignal[] = []
  app.post('/stays', async (_, reply) => {
    const signal = disconnectSignal(reply)
    await new Promise((resolve) => setTimeout(resolve, 100))
    return { isAborted: signal.aborted }
  })
  app.post('/leaves', async (_, reply) => {
    const signal = disconnectSignal(reply)
    seen.push(signal)
    await once(signal, 'abort')
    return {}
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const post = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
      ...init,
    })
  expect(await (await post('/stays')).json()).toEqual({ isAborted: false })
  await expect(post('/leaves', { signal: AbortSignal.timeout(200) })).rejects.toThrow()
  await expect.poll(() => seen[0]?.aborted, { timeout: 5000 }).toBe(true)
})
