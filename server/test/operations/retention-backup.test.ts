// A back-up that is made after retention has deleted clicks and months of logs: what is left comes back, and reports stay as they were.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { addDays } from '@tributary/contract/period'
import { generalReportRequest } from '@tributary/contract/reports/general'
import { beforeAll, expect, test } from 'vitest'
import { openFolderStore } from '../../src/backup/folder-store.ts'
import { makeBackup } from '../../src/backup/make-backup.ts'
import { lowestId } from '../../src/facts/clicks/click-lines.ts'
import { applyClickRetention } from '../../src/facts/retention.ts'
import { addMonthPartitions, dropMonthPartitions, monthFrom } from '../../src/postgres/month-partitions.ts'
import { answerGeneralReport } from '../../src/reports/kinds/general.ts'
import { openRecord } from '../support/crash-engine.ts'
import { ADMIN_ENV, signInAdmin } from '../support/crash-report.ts'
import { type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { makeDirectory, startTestServices, type TestServices } from '../support/harness.ts'
import { inboxClick } from '../support/inbox-click.ts'
import { loadClicks } from '../support/load-clicks.ts'
import { spawnTestServer, startTestServer } from '../support/server-process.ts'
import { send } from '../support/sign-in.ts'

const ZONE = 'Europe/Kyiv'
const NOW = Date.now()
const VIEWER = { role: 'ADMIN', partners: null, language: 'en' } as const
const ENV = { ...ADMIN_ENV, BACKUP_PASSPHRASE: 'a passphrase of some length', LOG_LEVEL: 'error' }
const GONE = monthFrom(NOW, -8)
const KEPT = monthFrom(NOW, -1)

let services: TestServices
let record: FactsRecord
let sql: ReturnType<typeof sqlOf>

beforeAll(async () => {
  services = await startTestServices()
  sql = sqlOf(services.postgres)
  record = await writeFactsRecord(services.postgres)
  await sql(`update setting set click_months = 3, audit_months = 12, business_time_zone = '${ZONE}'`)
})

const makeClick = (day: string, index: number) => {
  const time = Date.parse(`${day}T10:00:00Z`)
  return inboxClick({
    id: `${lowestId(time).slice(0, 14)}7${index.toString(16).padStart(3, '0')}-8000-000000000001`,
    created_at: time,
    offer_partner_id: record.links[0] ?? 0,
    offer_id: record.offers[0] ?? 0,
    partner_id: record.partners[0] ?? 0,
    advertiser_id: record.advertiser,
    stream_id: record.streams[0] ?? 0,
    traffic_source_id: 1,
    country_id: record.countries[0],
    site_id: `site${index % 2}`,
    sub_id: `sub${index}`,
    ip_country: 'UA',
  })
}

const period = { dateFrom: `${GONE}-01`, dateTo: addDays(`${KEPT}-01`, 27) }
/** The first by sums of days, the second by clicks alone. */
const REPORTS = [
  { filter: { ...period, groupBy: 'month', secondGroupBy: 'site_id' } },
  { filter: { ...period, groupBy: 'sub_id', secondGroupBy: 'off' } },
]
const shown = ({ rows, total, warnings, deleted_months }: Record<string, unknown>) => ({
  rows,
  total,
  warnings,
  deleted_months,
})

test('a back-up that is made after a deletion is restored with its sums by day, its missing months and its logs [SYS-05] [SYS-06] [REP-15]', async () => {
  const { postgres, clickhouse, config } = services
  await loadClicks(
    services,
    [1, 2, 3, 4].map((index) => makeClick(`${index < 3 ? GONE : KEPT}-1${index}`, index)),
    ZONE,
  )
  for (let call = 0; call < 2; call++) await applyClickRetention(services, NOW, { graceMs: 0 })
  // The partition of the past goes with the months that it holds; an entry of a later month stays.
  await addMonthPartitions(postgres, NOW)
  const later = monthFrom(NOW, 2)
  const [kept] = await sql<{ id: number }>(
    `insert into audit_log (at, action, entity) values ('${later}-15T12:00:00Z', 'update', 'offer') returning id`,
  )
  expect(await dropMonthPartitions(postgres, 'audit_log', later)).toContain('audit_log_past')
  const before: object[] = []
  for (const request of REPORTS)
    before.push(shown({ ...(await answerGeneralReport(generalReportRequest.parse(request), VIEWER, services)) }))
  expect(before).toMatchObject([
    { total: { cc: 4 }, warnings: [] },
    { total: { cc: 2 }, warnings: ['clicks_deleted'], deleted_months: [GONE] },
  ])

  const target = makeDirectory()
  await makeBackup(await openFolderStore(target, 'write'), target, {
    postgresUrl: config.databaseUrl ?? '',
    clickhouse,
    dataDir: config.dataDir,
    installation: '7b0a4a55-5f6c-4a3e-9d4b-0c1d2e3f4a5b',
    secret: config.secret,
    passphrase: ENV.BACKUP_PASSPHRASE,
    pause: (work) => work(),
    signal: new AbortController().signal,
  })
  const dataDir = join(makeDirectory(), 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  const restore = spawnTestServer({ dataDir, args: ['restore', target], env: ENV })
  expect(await restore.exited, restore.output()).toBe(0)

  const server = await startTestServer({ dataDir, env: ENV })
  const token = await signInAdmin(server.url)
  const headers = { authorization: `Bearer ${token}` }
  const after: object[] = []
  for (const request of REPORTS)
    after.push(
      shown(
        (await (await send(server.url, 'POST', 'general_report', request, headers)).json()) as Record<string, unknown>,
      ),
    )
  expect(after).toEqual(JSON.parse(JSON.stringify(before)))
  const profile = await (await send(server.url, 'GET', 'profile', undefined, headers)).json()
  expect(profile).toMatchObject({ clicks_kept_from: `${monthFrom(Date.parse(`${GONE}-01`), 1)}-01` })
  const restored = await openRecord(dataDir)
  const logged = await restored.query('select from audit_log where id = $1', [kept?.id])
  expect(logged.rowCount).toBe(1)
  // The months ahead have partitions again, and what is written now has its place.
  const now = await restored.query(
    `select count(*)::int as entries from audit_log where at > now() - interval '1 hour'`,
  )
  expect(now.rows[0]?.entries).toBeGreaterThan(0)
  await restored.end()
  expect(await server.stop()).toBe(0)
}, 240_000)
