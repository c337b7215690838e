// Measures what ten times the facts cost: each report with a tenth of the facts and with all. BENCH_SIZE (or --size 100M) as in reports.ts.

import { rmSync } from 'node:fs'
import { loadConfig } from '../server/src/config.ts'
import { createLog } from '../server/src/lib/log.ts'
import { stopAll, type Undo } from '../server/src/lib/undo.ts'
import { startServices } from '../server/src/server.ts'
import type { Services } from '../server/src/services.ts'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median } from './figure.ts'
import { casesOf } from './report-cases.ts'
import { DIRECTORY, sumMonths } from './report-ground.ts'
import { part, SIZE, seedFacts } from './seed-facts.ts'

const TIMES = 10
const ROUNDS = 7

export async function run(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('bench')
  const log = createLog('error')
  const undo: Undo[] = []
  try {
    const services = await startServices(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }), log, [], undo)
    await services.postgres.pool.query(DIRECTORY)
    const small = await measureAll(services, SIZE / TIMES)
    const large = await measureAll(services, SIZE)
    return [...large].flatMap(([name, after]) => {
      const before = small.get(name) ?? Number.NaN
      return [
        { name: `growth.${name}_ms`, value: after, unit: 'ms' },
        { name: `growth.${name}_times`, value: after / before, unit: '×' },
      ]
    })
  } finally {
    await stopAll(undo, log)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureAll(services: Services, size: number): Promise<Map<string, number>> {
  const { clicks, registrations, deposits } = part(size)
  console.log(`  ${clicks} clicks, ${registrations} registrations, ${deposits} deposits`)
  await seedFacts(services.clickhouse, part(size))
  await sumMonths(services)
  const medians = new Map<string, number>()
  for (const { name, ask } of await casesOf(services.clickhouse)) {
    const runs: number[] = []
    for (let round = -1; round < ROUNDS; round++) {
      const began = performance.now()
      await ask(services)
      // The first round warms up.
      if (round >= 0) runs.push(performance.now() - began)
    }
    medians.set(name, median(runs))
  }
  return medians
}
