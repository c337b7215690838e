// Faults at random moments on an installation that goes on living: nothing that was answered is lost or doubled, and reports, statements and
// partners agree with a recount. The suite runs two rounds; `npm run test:long` runs many (FAULT_MINUTES, FAULT_ENGINES; FAULT_SEED repeats a run).

import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startCrmServer } from '../../../demo/crm-server.ts'
import { startGoogleSheetsServer } from '../../../demo/google-sheets-server.ts'
import { makeRandom, type Random } from '../../../demo/random.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { startTraffic, type Traffic } from '../support/traffic.ts'
import { makeAdmin } from './admin.ts'
import { FAULTS, faultsFor, type Struck } from './fault-list.ts'
import { type Engines, makeInstallation } from './installation.ts'
import { findDifferences, findLostClicks, hurryJobs } from './laws.ts'
import { fillNetwork, type Model } from './model.ts'
import { startPartnerHost } from './partners.ts'
import { prepareWorks, WORKS, type World } from './works.ts'

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)
const MINUTES = Number(process.env.FAULT_MINUTES ?? 0)
const ENGINES = (process.env.FAULT_ENGINES ?? (MINUTES === 0 ? 'external' : 'own,external')).split(',') as Engines[]
/** The ordinary suite has time for no more than these; other tests kill the other processes once. */
const SHORT = ['kill ClickHouse', 'kill the supervisor, and its directory lock is torn']
const ONLY = process.env.FAULT_ONLY?.split(';')
const FOLDER = join(import.meta.dirname, '../../../.cache/faults')
const LIMIT_MS = 600_000 + MINUTES * 90_000

const counts: Record<string, number> = {}
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
  mkdirSync(FOLDER, { recursive: true })
  appendFileSync(join(FOLDER, `${SEED}.log`), `${new Date().toISOString()} ${line}\n`)
}

async function makeWorld(engines: Engines): Promise<{ world: World; traffic: Traffic; setRound(subId: string): void }> {
  const installation = await makeInstallation(engines)
  const [partner, crm] = [
    await startPartnerHost(),
    await startCrmServer((_, attempt) => (attempt === 1 ? 'lost' : 'ok')),
  ]
  const google = await startGoogleSheetsServer(() => model.served)
  atEndOfFile(() => Promise.all([crm.stop(), google.stop()]))
  const model: Model = {
    ...{ files: [], spends: new Map(), months: [], sheet: undefined, served: undefined },
    ...{ partner, crm, google, backups: 0, confirmed: () => [], confirmedBeforeBackup: [] },
  }
  const record = await installation.openRecord()
  await fillNetwork(record, partner)
  await record.end()
  const world: World = { installation, admin: makeAdmin(installation), model }
  await prepareWorks(world)
  let subId = 'start'
  const traffic = startTraffic(installation.server.url, {
    ...{ visitors: 6, pauseMs: 40, advertisers: 2, advertiserPauseMs: 250 },
    subId: () => subId,
  })
  model.confirmed = () => traffic.confirmed
  await traffic.confirmMore(50)
  await traffic.pause()
  const setRound = (name: string): void => {
    subId = name
  }
  return { world, traffic, setRound }
}

/** A number of faults, one after another or one in the recovery of the last, while a work goes on. */
async function strike(world: World, traffic: Traffic, names: readonly string[], random: Random): Promise<void> {
  const { installation } = world
  for (const name of names) {
    await sleep(random.next() * 900)
    say(`  ${name}`)
    const began = Date.now()
    const struck: Struck = (await FAULTS[name]?.strike(world, random)) ?? {}
    if (Object.values(struck).every((count) => count === 0))
      say('  … struck nothing: it is not possible here, or nothing fitted')
    for (const [kind, count] of Object.entries(struck)) counts[kind] = (counts[kind] ?? 0) + count
    // The next fault may come before all is well again, but not before there is a server.
    if (random.chance(0.3) && installation.isAlive()) continue
    await installation.revive()
    traffic.target = installation.server.url
    await traffic.confirmMore(15)
    await hurryJobs(world)
    const seconds = (Date.now() - began) / 1000
    if (seconds > 20) say(`  … took ${seconds.toFixed(1)} s`)
  }
  await installation.revive()
  traffic.target = installation.server.url
}

async function runRound(
  at: Awaited<ReturnType<typeof makeWorld>>,
  round: number,
  names: readonly string[],
  work: string,
  random: Random,
) {
  const { world, traffic } = at
  const subId = `round-${round}`
  at.setRound(subId)
  const first = traffic.confirmed.length
  say(`round ${round} on ${world.installation.engines} engines, with ${work} (seed ${SEED})`)
  traffic.resume()
  const working = WORKS[work]?.(world) ?? Promise.resolve()
  let failure: unknown
  const watched = working.catch((error: unknown) => {
    failure = error
  })
  await strike(world, traffic, names, random).catch((error: unknown) => {
    throw new Error(`${world.installation.server.output().slice(-3000)}`, { cause: error })
  })
  const hurry = setInterval(() => void hurryJobs(world), 2000)
  await watched
  clearInterval(hurry)
  if (failure !== undefined) throw failure
  await traffic.pause()
  const statuses = [...traffic.statuses.keys()].filter((status) => status !== 302 && status !== 503)
  expect(statuses, 'other answers to clicks').toEqual([])
  const confirmed = traffic.confirmed.slice(first)
  const differences = await findDifferences(world, traffic, { subId, confirmed })
  if (differences.length > 0) say(`  DIFFERENCES: ${differences.join('; ')}`)
  expect(differences, world.installation.server.output().slice(-3000)).toEqual([])
}

async function run(engines: Engines, until: number, random: Random): Promise<void> {
  const at = await makeWorld(engines)
  const faults = ONLY ?? faultsFor(engines)
  let works: string[] = []
  for (let round = 0; Date.now() < until || round === 0; round++) {
    const isShort = MINUTES === 0
    const names = isShort ? SHORT : Array.from({ length: random.between(4, 8) }, () => random.pick(faults))
    // Each work goes on once before any repeats.
    if (works.length === 0) works = Object.keys(WORKS)
    const work = isShort ? 'traffic alone' : works.splice(random.below(works.length), 1).join()
    await runRound(at, round, names, work, random)
  }
  at.traffic.resume()
  await at.traffic.stop()
  expect(await findLostClicks(at.world, at.traffic)).toEqual([])
  const { confirmed, registrations, deposits } = at.traffic
  const { model, installation } = at.world
  say(
    `${engines}: ${confirmed.length} clicks, ${registrations.size} players, ${deposits.size} deposits, ${model.files.length} files, ${model.months.length} months, ${model.spends.size} spends, ${model.partner.told.size} events`,
  )
  expect(await installation.server.stop()).toBe(0)
}

const shares = ENGINES.length
for (const [index, engines] of ENGINES.entries())
  test(
    `whatever fails when, nothing answered is lost or doubled and reports equal the recount, with ${engines} engines: seed ${SEED} [TRK-03] [TRK-06] [TRK-07] [REP-15] [MON-01] [SYS-04] [SYS-05]`,
    async () => {
      try {
        await run(engines, Date.now() + (MINUTES * 60_000) / shares, makeRandom(SEED + index))
      } finally {
        say(`struck so far: ${JSON.stringify(counts)}`)
      }
    },
    LIMIT_MS,
  )
