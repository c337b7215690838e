// The declared faults: what each does, on which engines it can happen, and how often it is drawn. What must hold afterwards is the same for
// all of them (laws.ts); a fault that promises more checks it itself.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Random } from '../../../demo/random.ts'
import { killAll } from '../support/crash-engine.ts'
import { spawnTestServer } from '../support/server-process.ts'
import { damagePart } from './damage.ts'
import type { Engines, Installation, ProcessKind } from './installation.ts'
import type { PartnerMood } from './partners.ts'
import { killRestore, killStart } from './second-installation.ts'
import type { World } from './works.ts'

/** How many processes of a kind were killed or stopped. */
export type Struck = Readonly<Record<string, number>>

export interface Fault {
  readonly engines: readonly Engines[]
  /** Drawn so many times as often as one of weight 1. */
  readonly weight: number
  strike(world: World, random: Random): Promise<Struck>
}

/** How long a stopped process sleeps; half a minute in the long test. */
const PAUSE_MS = Number(process.env.FAULT_PAUSE_SECONDS ?? 3) * 1000
const BOTH: readonly Engines[] = ['own', 'external']
const HOUR_MS = 3_600_000

/** Kills these kinds of processes: all of a kind, or one of it. */
function kill(kinds: readonly (ProcessKind | 'one tracker')[], weight: number, engines = BOTH): Fault {
  return {
    engines,
    weight,
    async strike({ installation }, random) {
      const struck: Record<string, number> = {}
      for (const kind of kinds) {
        const name = kind === 'one tracker' ? 'tracker' : kind
        const found = installation.pids(name)
        const chosen =
          kind === 'one tracker' || kind === 'back-end'
            ? found.slice(random.below(found.length || 1)).slice(0, 1)
            : found
        killAll(chosen)
        struck[name] = (struck[name] ?? 0) + chosen.length
      }
      // Otherwise the next step could take a dying process for a living one.
      if (kinds.includes('supervisor')) await installation.server.exited
      return struck
    },
  }
}

/** Stops processes of a kind for a while, with the processes that they serve going on. */
function pause(kind: ProcessKind | 'all of PostgreSQL'): Fault {
  return {
    engines: BOTH,
    weight: 1,
    async strike({ installation }, random) {
      const found =
        kind === 'all of PostgreSQL'
          ? [...installation.pids('postmaster'), ...installation.pids('back-end')]
          : installation.pids(kind)
      const chosen = kind === 'back-end' ? found.slice(random.below(found.length || 1)).slice(0, 1) : found
      signal(chosen, 'SIGSTOP')
      await sleep(PAUSE_MS)
      signal(chosen, 'SIGCONT')
      return { [`${kind} (pause)`]: chosen.length === 0 ? 0 : 1 }
    },
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended.
    }
  }
}

function clock(shift: number): Fault {
  return {
    engines: BOTH,
    weight: 1,
    async strike({ installation }) {
      installation.setClock(shift)
      await sleep(3000)
      installation.setClock(0)
      await sleep(300)
      return { [`clock ${shift > 0 ? 'forward' : 'back'}`]: 1 }
    },
  }
}

/** A partner's answers must not fill the memory. */
function partner(mood: PartnerMood): Fault {
  return {
    engines: BOTH,
    weight: 1,
    async strike({ installation, model }) {
      const before = memoryOf(installation)
      model.partner.mood = mood
      let most = 0
      for (let left = 40; left > 0; left--) {
        await sleep(200)
        most = Math.max(most, memoryOf(installation))
      }
      model.partner.mood = 'mostly well'
      if (before > 0) expect(most - before, `megabytes that a partner took that ${mood}`).toBeLessThan(400)
      return { [`partner: ${mood}`]: 1 }
    },
  }
}

/** Megabytes of the process that calls partners. */
function memoryOf(installation: Installation): number {
  try {
    const pages = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${installation.pids('app')[0]}/status`, 'utf8'))
    return Number(pages?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

const SLOW_BYTES = 300_000
const SLOW_MS = 6000

export const FAULTS: Readonly<Record<string, Fault>> = {
  'kill a tracker': kill(['one tracker'], 6),
  'kill all trackers': kill(['tracker'], 3),
  'kill api and worker': kill(['app'], 8),
  'kill the supervisor': kill(['supervisor'], 6),
  'kill the supervisor and all its processes': kill(['tracker', 'app', 'supervisor'], 3),
  'kill PostgreSQL': kill(['postmaster'], 6),
  'kill a back-end of PostgreSQL': kill(['back-end'], 6),
  'kill PostgreSQL, api and worker': kill(['postmaster', 'app'], 3),
  'kill everything': kill(['tracker', 'app', 'supervisor', 'postmaster'], 3),
  'kill the supervisor, and its directory lock is torn': {
    engines: BOTH,
    weight: 1,
    async strike({ installation: { server } }) {
      await server.kill()
      writeFileSync(join(server.dataDir, 'server.lock'), '{"pid":')
      return { supervisor: 1 }
    },
  },
  'kill the supervisor, and the next one while it starts': {
    engines: BOTH,
    weight: 2,
    async strike({ installation: { server, env } }, random) {
      await server.kill()
      const next = spawnTestServer({ env, dataDir: server.dataDir })
      await sleep(random.next() * 4000)
      await next.kill()
      return { supervisor: 2 }
    },
  },
  'kill ClickHouse': {
    engines: ['external'],
    weight: 5,
    async strike({ installation }) {
      await installation.clickhouse?.killAndRestart()
      return { ClickHouse: 1 }
    },
  },
  'kill a restore': { engines: BOTH, weight: 1, strike: killRestore },
  'kill a first start within its migrations': { engines: BOTH, weight: 1, strike: killStart },
  'pause the supervisor': pause('supervisor'),
  'pause the trackers': pause('tracker'),
  'pause api and worker': pause('app'),
  'pause a back-end of PostgreSQL': pause('back-end'),
  'pause PostgreSQL': pause('all of PostgreSQL'),
  'fill the disk': {
    engines: BOTH,
    weight: 1,
    async strike({ installation }, random) {
      const release = await installation.disk.fill?.()
      if (release === undefined) return {}
      await sleep(2000 + random.next() * 4000)
      await release()
      return { 'full disk': 1 }
    },
  },
  'slow the disk down': {
    engines: BOTH,
    weight: 1,
    async strike({ installation }) {
      const pids = [...installation.pids('postmaster'), ...installation.pids('back-end'), ...installation.pids('app')]
      const release = installation.disk.slow?.(pids, SLOW_BYTES)
      if (release === undefined) return {}
      await sleep(SLOW_MS)
      release()
      return { 'slow disk': 1 }
    },
  },
  'the clock jumps an hour ahead': clock(HOUR_MS),
  'the clock jumps an hour back': clock(-HOUR_MS),
  'flip bytes in a part of the facts': { engines: BOTH, weight: 2, strike: damagePart },
  'cut every connection to PostgreSQL': {
    engines: ['external'],
    weight: 2,
    async strike({ installation }) {
      return { 'cut connection': installation.proxy?.cutAll() ?? 0 }
    },
  },
  'cut connections in the middle of COPY': {
    engines: ['external'],
    weight: 4,
    async strike({ installation }, random) {
      const { proxy } = installation
      if (proxy === undefined) return {}
      const before = proxy.cut.copies
      // A batch of clicks is some hundred bytes, a piece of an import many thousands.
      proxy.cutCopies(1 + random.below(4), random.pick([1, 150, 1500, 40_000]))
      await sleep(1500)
      proxy.cutCopies(0, 0)
      return { 'cut COPY': proxy.cut.copies - before }
    },
  },
  'a partner hangs': partner('hangs'),
  'a partner answers a gigabyte': partner('a gigabyte'),
  'a partner answers 100,000 headers': partner('100,000 headers'),
}

/** The faults that can happen to these engines, each as often as its weight says. */
export const faultsFor = (engines: Engines): readonly string[] =>
  Object.entries(FAULTS)
    .filter(([, fault]) => fault.engines.includes(engines))
    .flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name))
