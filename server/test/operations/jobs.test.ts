// Jobs: enqueued exactly if the transaction commits, retried as declared, singletons one at a time, finished at shutdown.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { queueClock } from '../../src/jobs/queue-clock.ts'
import { defineJob, type JobContext } from '../../src/jobs/registry.ts'
import type { ServerModule } from '../../src/server-module.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'

const done: { name: string; n: number; attempt: number; isLastAttempt: boolean; at: number }[] = []
const DATA = z.object({ n: z.int() })

function record(name: string) {
  return async ({ n }: { n: number }, { attempt, isLastAttempt }: JobContext): Promise<void> => {
    done.push({ name, n, attempt, isLastAttempt, at: performance.now() })
    if (name === 'failing') throw new Error('not yet')
    if (name === 'second-try' && attempt === 1) throw new Error('not yet')
    if (name === 'slow' || name === 'single') await sleep(600)
    if (name === 'slow') done.push({ name: 'slow-end', n, attempt, isLastAttempt, at: performance.now() })
  }
}

const plain = defineJob({ name: 'plain', schema: DATA, handle: record('plain') })
const failing = defineJob({
  name: 'failing',
  schema: DATA,
  retry: { limit: 2, delaySeconds: 0 },
  handle: record('failing'),
})
const secondTry = defineJob({
  name: 'second-try',
  schema: DATA,
  retry: { limit: 3, delaySeconds: 0 },
  handle: record('second-try'),
})
const single = defineJob({ name: 'single', schema: DATA, isSingle: true, handle: record('single') })
const slow = defineJob({ name: 'slow', schema: DATA, handle: record('slow') })
const scheduled = defineJob({
  name: 'scheduled',
  schema: z.object({}),
  schedule: '*/5 * * * *',
  handle: () => Promise.resolve(),
})

const module: ServerModule = {
  name: 'jobs',
  roles: ['worker'],
  jobs: [plain, failing, secondTry, single, slow, scheduled],
}
let services: TestServices

beforeAll(async () => {
  services = await startTestServices({ modules: [module] })
  await services.jobs.work(services)
})
afterAll(() => services.stop())

const of = (name: string) => done.filter((entry) => entry.name === name)

async function until(condition: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not happen')
    await sleep(10)
  }
}

test.concurrent('a job runs soon after it is enqueued, not at the next poll [SYS-04]', async () => {
  const started = performance.now()
  await services.jobs.enqueue(plain, { n: 1 })
  await until(() => of('plain').length === 1)
  expect((of('plain')[0]?.at ?? Number.NaN) - started).toBeLessThan(1500)
  await services.jobs.enqueueAll(plain, [{ n: 2 }, { n: 3 }])
  await until(() => of('plain').length === 3, 15_000)
})

test('a job of a transaction exists exactly if it commits [SYS-04]', async () => {
  const rolledBack = services.postgres.withTransaction(async (trx) => {
    await services.jobs.enqueue(plain, { n: 100 }, { trx })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await services.postgres.withTransaction((trx) => services.jobs.enqueue(plain, { n: 101 }, { trx }))
  await services.postgres.withTransaction((trx) => services.jobs.enqueueAll(plain, [{ n: 102 }], { trx }))
  await until(() => of('plain').filter(({ n }) => n > 100).length === 2, 15_000)
  expect(of('plain').some(({ n }) => n === 100)).toBe(false)
})

// Concurrent, because both mostly wait for the queue's next poll.
test.concurrent('a job that fails is retried as declared, and knows its last attempt', async () => {
  await services.jobs.enqueue(failing, { n: 1 })
  await services.jobs.enqueue(secondTry, { n: 1 })
  await until(() => of('failing').length === 3 && of('second-try').length === 2, 30_000)
  expect(of('failing').map(({ attempt, isLastAttempt }) => [attempt, isLastAttempt])).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ])
  expect(of('second-try').map(({ attempt }) => attempt)).toEqual([1, 2])
})

test('data of a wrong shape is rejected when it is enqueued', async () => {
  await expect(services.jobs.enqueue(plain, { n: 1.5 })).rejects.toThrow()
})

test('a singleton job: one runs, one waits, more are not added', async () => {
  await services.jobs.enqueue(single, { n: 1 })
  await until(() => of('single').length === 1)
  const waiting = await services.jobs.enqueueSingle(single, { n: 2 })
  expect(await services.jobs.enqueue(single, { n: 3 })).toBeUndefined()
  expect(await services.jobs.enqueueSingle(single, { n: 4 })).toBe(waiting)
  await until(() => of('single').length === 2)
  const [first, second] = of('single')
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(500)
})

test('a single job starts when the one before has ended, also if the queue was supervised meanwhile [PLY-09]', async () => {
  const { pool } = services.postgres
  await until(
    async () => (await pool.query(`select from jobs.job where name = 'single' and state < 'completed'`)).rowCount === 0,
  )
  const before = of('single').length
  // What supervision stores of a queue whose job is running.
  await pool.query(`update jobs.queue set singletons_active = array[null::text] where name = 'single'`)
  // The queue's cache of two seconds has it then.
  await sleep(2500)
  const asked = performance.now()
  await services.jobs.enqueue(single, { n: 9 })
  await until(() => of('single').length > before, 20_000)
  expect((of('single').at(-1)?.at ?? Number.NaN) - asked).toBeLessThan(4000)
})

test('schedules are stored as declared', async () => {
  const { rows } = await services.postgres.pool.query('select name, cron from jobs.schedule')
  expect(rows).toEqual([{ name: 'scheduled', cron: '*/5 * * * *' }])
})

test('shutdown lets a running job finish [SYS-04]', async () => {
  await services.jobs.enqueue(slow, { n: 1 })
  await until(() => of('slow').length === 1)
  await services.jobs.stop()
  expect(of('slow-end')).toHaveLength(1)
})

test('a timer that is longer than Node can hold does not fire at once [SYS-04]', async () => {
  const fired: string[] = []
  const long = queueClock.setTimeout(() => void fired.push('months'), 50 * 86_400_000)
  queueClock.setTimeout(() => void fired.push('now'), 1)
  await expect.poll(() => fired).toEqual(['now'])
  await sleep(20)
  queueClock.clearTimeout(long)
  expect(fired).toEqual(['now'])
})
