// Tests that this version starts on data of an earlier one and gives the same reports. Each version needs a file of its own, because a process
// opens one ClickHouse folder.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { type FrozenData, readFrozenData, restoreFrozenData } from './frozen-data.ts'

const GOLDEN = join(import.meta.dirname, 'golden')
interface Started {
  readonly data: FrozenData
  readonly server: Server
  readonly admin: SignedIn
}

const SPRING = { dateFrom: '2026-03-01', dateTo: '2026-04-30' }
const ALL = { limit: -1 }

/** Calls as other programs send them, with names from saved reports. */
const callsOf = ({ data }: Started): Record<string, readonly [path: string, body: object]> => ({
  'whole months, offers by partner': [
    'general_report',
    { filter: { ...SPRING, groupBy: 'offer', secondGroupBy: 'partner' }, pagination: ALL },
  ],
  'four levels': [
    'general_report',
    {
      filter: {
        ...SPRING,
        groupBy: 'month',
        secondGroupBy: 'traffic_source',
        thirdGroupBy: 'site_id',
        fourthGroupBy: 'player_outer_id',
      },
      pagination: ALL,
    },
  ],
  'two periods, narrowed, in an order, own columns': [
    'general_report',
    {
      filter: {
        dateFrom: '2026-04-01',
        dateTo: '2026-04-05',
        secondDateFrom: '2026-03-25',
        secondDateTo: '2026-03-31',
        groupBy: 'country',
        secondGroupBy: 'manager',
        partners: { nin: [4] },
      },
      cfFilter: { cc: { gte: 1 } },
      sort: { by: 'nd', desc: true },
      formulas: [1, 2],
      pagination: ALL,
    },
  ],
  'first deposits of qualified players': [
    'general_report',
    { filter: { ...SPRING, groupBy: 'affiliate_id', secondGroupBy: 'week', activity: 'ftd', baseLine: 'qualified' } },
  ],
  'as it was known before the corrections': [
    'general_report',
    { filter: { ...SPRING, groupBy: 'offer', secondGroupBy: 'partner', knownAt: data.knownAt }, pagination: ALL },
  ],
  'flat, by day': ['general_report_old', { filter: { ...SPRING, groupBy: 'day', secondGroupBy: 'landing' } }],
  'by click': ['general_report_click', { filter: { ...SPRING, groupBy: 'product', secondGroupBy: 'stream' } }],
  cohorts: [
    'cohort_analysis',
    { filter: { dateFrom: '2026-03-16', dateTo: '2026-04-12', period: 'week', groupBy: 'partner', periods: 4 } },
  ],
  'cohorts, cumulative, by first deposit': [
    'cohort_analysis_cumulative',
    { filter: { ...SPRING, period: 'month', cohortBy: 'first_deposit', periods: 3 } },
  ],
  costs: ['cost_report', { filter: SPRING, sort: { by: 'cfd', desc: true } }],
  'new deposits by partner': ['partner_report/new_deposit', { filter: { ...SPRING, period: 'week' } }],
  'new streams': ['new_streams', { filter: SPRING }],
  dashboard: ['dashboard', { filter: SPRING }],
})

async function ask(admin: SignedIn, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await admin.call(method, path, body)
  const answer = (await response.json()) as Record<string, unknown>
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer
}

/** Waits until rows that were left in the inbox and the outbox are in the facts. */
async function awaitFacts({ server }: Started): Promise<void> {
  const { pool } = server.services.postgres
  const waiting = async () => {
    const { rows } = await pool.query<{ changes: number; clicks: number; rebuilds: number }>(
      `select (select count(*)::int from outbox) as changes,
        (select count(*)::int from facts_rebuild where state in ('waiting', 'running')) as rebuilds,
        (select count(*)::int from click_inbox c left join click_writer w on w.id = c.writer
          where w.loaded_id is null or c.id > w.loaded_id) as clicks`,
    )
    return rows[0]
  }
  await expect.poll(waiting, { timeout: 60_000, interval: 200 }).toEqual({ changes: 0, rebuilds: 0, clicks: 0 })
}

/** Removes the build time and the freshness of each answer. */
async function askAll(on: Started): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const [title, [path, body]] of Object.entries(callsOf(on))) {
    const {
      built_at: _built,
      watermark: _watermark,
      sources: _sources,
      ...answer
    } = await ask(on.admin, 'POST', path, body)
    answers[title] = answer
  }
  return answers
}

const write = (answers: object): string =>
  `${JSON.stringify(answers, null, 1)
    .replaceAll(/\n {4,}/g, ' ')
    .replaceAll(/ \n/g, '\n')}\n`

/** Registers the tests. `version`: the numbers of the last migrations. `throughBackup`: on a restored back-up of the data. */
export function testFrozenData(version: string, how: { throughBackup?: boolean } = {}): void {
  let on: Started
  beforeAll(async () => {
    const data = readFrozenData(join(GOLDEN, `data-of-${version}.json.gz`))
    const server = await startTestApp({ modules: MODULES, env: await restoreFrozenData(data, how) })
    on = { data, server, admin: await signIn(server, 'ADMIN') }
  })

  test('reports on data of an earlier version are unchanged, also after a rebuild [SYS-03] [SYS-05] [SYS-06] [REP-15] [MON-04]', async () => {
    await awaitFacts(on)
    const answers = await askAll(on)
    await expect(write(answers)).toMatchFileSnapshot(join(GOLDEN, `reports-of-${version}.json`))
    await on.server.services.postgres.pool.query(`insert into facts_rebuild (reason) values ('test')`)
    await awaitFacts(on)
    expect(await askAll(on)).toEqual(answers)
  })

  test('saved reports and views of an earlier version are read as they were stored [SYS-03] [REP-16] [LIST-02]', async () => {
    const { items } = (await ask(on.admin, 'GET', 'saved_report?report=general_report')) as {
      items: { state: { request: object } }[]
    }
    expect(items).toMatchObject([{ report: 'general_report', title: 'Spring', shared: true, is_own: false }])
    expect(items[0]?.state).toMatchObject({
      search: { by: 'month.partner', from: '2026-03-01', to: '2026-04-30', columns: 'nd.s.formula:1', sort: '-nd' },
      columns: ['nd', 's', 'formula:1'],
    })
    const { rows } = (await ask(on.admin, 'POST', 'general_report', items[0]?.state.request)) as { rows: unknown[] }
    expect(rows.length).toBeGreaterThan(1)
  })
}
