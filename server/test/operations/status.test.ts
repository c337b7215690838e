// The status: what a server and its processes measure, what waits in the record, the last errors, and the jobs.

import type { AnswerOf } from '@tributary/contract/calls/registry'
import { JOBS } from '@tributary/contract/calls/status'
import { Counter, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { quantile, startRecentCounts, subtractCounts, sumBy } from '../../src/calls/recent-counts.ts'
import type { ProcessReport } from '../../src/lib/process-report.ts'
import { MODULES } from '../../src/modules.ts'
import { childrenOf, fillRecord, killAll, openRecord } from '../support/crash-engine.ts'
import { ADMIN_ENV, signInAdmin } from '../support/crash-report.ts'
import { startTestServer, usedFolder } from '../support/server-process.ts'
import { CHROME, LINK, visit } from '../support/tracker-network.ts'

type Status = AnswerOf<'status_read'>

test('the status has the counts of all processes, what waits, the last errors with their process, and when each job runs [SYS-04]', async () => {
  const server = await startTestServer({ env: { ...ADMIN_ENV, TRACKERS: '1' }, dataDir: await usedFolder() })
  await fillRecord(server)
  const token = await signInAdmin(server.url)
  const read = async (): Promise<Status> => {
    const answer = await fetch(`${server.url}/api/status`, { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
    return answer.json() as Promise<Status>
  }
  await visit(server.url, `/c/${LINK}`, { 'user-agent': CHROME })
  await visit(server.url, '/c/00000000-0000-0000-0000-000000000000')
  const outcomes = async () => (await read()).clicks.outcomes.map(({ name }) => name)
  await expect.poll(outcomes, { timeout: 20_000 }).toEqual(expect.arrayContaining(['redirected', 'unknown_link']))

  const status = await read()
  expect(status.missing).toEqual([])
  expect(status.window_seconds).toBeLessThanOrEqual(300)
  expect(status.clicks.p99_seconds).toBeGreaterThan(0)
  expect(Date.parse(status.facts.clicks_to)).toBeGreaterThan(Date.parse(status.started_at) - 60_000)
  expect(status.requests).toMatchObject({ failed: 0, p95_seconds: expect.any(Number) })
  expect(status.clickhouse.map(({ kind }) => kind)).toContain('insert')
  expect(status.machine.memory_bytes).toBeGreaterThan(50_000_000)
  expect(status.machine.disk_free_bytes).toBeLessThanOrEqual(status.machine.disk_bytes)
  expect(status.schedules.map(({ name }) => name)).toContain('backup_time')
  const nextOf = (name: string) => status.jobs.find((job) => job.name === name)?.next_at
  expect(Date.parse(nextOf('find-alerts') ?? '') - Date.parse(status.at)).toBeLessThanOrEqual(600_000)
  expect(nextOf('send-report')).toBeNull()

  const record = await openRecord(server.dataDir)
  await record.query(`insert into jobs.job (name, state, output, completed_on)
    values ('send-report', 'failed', '{"message": "the mail server is away"}', now())`)
  await record.end()
  killAll(childrenOf(server.pid).slice(-1))
  await expect
    .poll(async () => (await read().catch(() => undefined))?.problems ?? [], { timeout: 60_000 })
    .toContainEqual(expect.objectContaining({ level: 'error', message: 'a process died and is started again' }))
  const [dead] = (await read()).jobs.filter(({ name }) => name === 'send-report')
  expect(dead).toMatchObject({ dead: 1, last_error: 'the mail server is away' })
  expect(await server.stop()).toBe(0)
})

test('the contract names every job, so that both languages have words for it [SYS-04]', () => {
  const names = MODULES.flatMap(({ jobs = [] }) => jobs.map(({ name }) => name))
  expect(names.sort()).toEqual([...JOBS].sort())
})

test('counts are those of the last minutes, also of a process that was started again, and quantiles lie within their bucket [SYS-04]', async () => {
  const metrics = new Registry()
  const clicks = new Counter({
    name: 'tributary_clicks_total',
    help: '-',
    labelNames: ['outcome'],
    registers: [metrics],
  })
  const buckets = [0.01, 0.1, 1]
  const times = new Histogram({ name: 'tributary_redirect_seconds', help: '-', buckets, registers: [metrics] })
  const others = new Map<string, ProcessReport>()
  let now = 0
  const counts = startRecentCounts({ metrics, others }, () => now)
  clicks.inc({ outcome: 'redirected' }, 5)
  const report = async (): Promise<ProcessReport> => ({ metrics: await metrics.getMetricsAsJSON(), problems: [] })
  others.set('tracker 1', await report())
  for (const seconds of [0.005, 0.05, 0.05, 5]) times.observe(seconds)
  now = 10_000
  const first = await counts.read()
  expect(first.seconds).toBe(10)
  expect(sumBy(first.counts, 'tributary_clicks_total', 'outcome')).toEqual([{ name: 'redirected', count: 10 }])
  expect(quantile(first.counts, 'tributary_redirect_seconds', 0.25)).toBeCloseTo(0.01)
  expect(quantile(first.counts, 'tributary_redirect_seconds', 0.5)).toBeCloseTo(0.055)
  // Beyond the last bound there is nothing but this bound.
  expect(quantile(first.counts, 'tributary_redirect_seconds', 0.99)).toBe(1)
  expect(quantile(first.counts, 'nothing', 0.5)).toBeNull()
  counts.stop()

  const before = new Map([['a', { name: 'tributary_clicks_total', labels: { outcome: 'redirected' }, value: 7 }]])
  const restarted = new Map([['a', { name: 'tributary_clicks_total', labels: { outcome: 'redirected' }, value: 3 }]])
  expect(subtractCounts(restarted, before).get('a')?.value).toBe(3)
})
