// The projector reads changed keys from the outbox and rewrites their facts. Keys of single players, spends and partners go first, even during
// a wide change (a payment model, a rate). A key leaves the outbox only when its facts are in ClickHouse.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'
import { type Cause, type Causes, causedBy, NO_CAUSE } from './cause.ts'
import {
  type Change,
  deleteChanges,
  readDirectChanges,
  readHorizon,
  readLastChangeId,
  readOldestChangeTime,
  readWideChanges,
} from './outbox.ts'
import type { Projection, ProjectOptions } from './projection.ts'
import { projectWideChanges } from './wide-change.ts'

/** Steps of a projection, which tests interrupt. */
export type ProjectStep = 'projected' | 'deleted'

/** How a run of the projector ends early, and where tests interrupt it. */
export interface OutboxProjectorOptions {
  /** Called between pieces of a wide change. True ends it early, and its keys stay in the outbox. */
  readonly isStopping?: () => boolean
  readonly onStep?: (step: ProjectStep) => void | Promise<void>
}

/** The outcome of one run of the projector. */
export interface ProjectResult {
  /** Changes that were projected and deleted from the outbox. */
  readonly count: number
  readonly hasMore: boolean
  /** Milliseconds since 1970: ClickHouse has every change made until then. */
  readonly dataTo: number
}

/** Projects the changes that wait in the outbox. */
export interface OutboxProjector {
  projectOnce(): Promise<ProjectResult>
  /** Projects waiting direct changes with ids above `after` and returns their count. Long work calls it between its pieces. */
  projectDirect(after?: number): Promise<number>
}

const DIRECT_AT_ONCE = 5000
/** Players or spends per write: some tens of milliseconds of work. */
const PIECE_SIZE = 1000
const WIDE_AT_ONCE = 1000

/** Turns changes of the outbox into facts, oldest first, and deletes them once ClickHouse has the facts. */
export function createOutboxProjector(
  postgres: Postgres,
  clickhouse: Clickhouse,
  projection: Projection,
  options: OutboxProjectorOptions = {},
): OutboxProjector {
  const isStopping = options.isStopping ?? (() => false)
  /** Facts of changes up to this id may already be written in part. Undefined: it is read before the next write. */
  let uncertainUntil: number | undefined

  async function write(changes: readonly Change[]): Promise<void> {
    uncertainUntil ??= await readLastChangeId(postgres)
    const until = uncertainUntil
    // If this write fails, nobody knows which rows ClickHouse has.
    uncertainUntil = undefined
    const [uncertain, certain] = [changes.filter(({ id }) => id <= until), changes.filter(({ id }) => id > until)]
    if (uncertain.length > 0) await writeDirect(projection, uncertain, { isUncertain: true })
    if (certain.length > 0) await writeDirect(projection, certain, {})
    uncertainUntil = until
    await options.onStep?.('projected')
    await deleteChanges(postgres, changes)
    await options.onStep?.('deleted')
  }

  async function projectDirect(after = 0): Promise<number> {
    const changes = await readDirectChanges(postgres, DIRECT_AT_ONCE, after)
    if (changes.length > 0) await write(changes)
    return changes.length
  }

  async function projectWide(): Promise<number> {
    const changes = await readWideChanges(postgres, WIDE_AT_ONCE)
    if (changes.length === 0) return 0
    uncertainUntil ??= await readLastChangeId(postgres)
    const until = uncertainUntil
    const isUncertain = changes.some(({ id }) => id <= until)
    const isWhole = await projectWideChanges(postgres, clickhouse, projection, changes, {
      isUncertain,
      async between() {
        await projectDirect()
        return isStopping()
      },
    }).catch((error: unknown) => {
      uncertainUntil = undefined
      throw error
    })
    if (!isWhole) return 0
    await deleteChanges(postgres, changes)
    return changes.length
  }

  return {
    projectDirect,
    async projectOnce() {
      const horizon = await readHorizon(postgres)
      const direct = await projectDirect()
      const wide = direct < DIRECT_AT_ONCE ? await projectWide() : 0
      const oldest = await readOldestChangeTime(postgres)
      const dataTo = oldest === undefined ? horizon : Math.min(horizon, oldest)
      return { count: direct + wide, hasMore: direct >= DIRECT_AT_ONCE || wide > 0, dataTo }
    },
  }
}

async function writeDirect(projection: Projection, changes: readonly Change[], options: ProjectOptions): Promise<void> {
  const keysOfKind = (kind: string): { keys: number[]; causes: Causes } => {
    const latest = new Map<number, Cause>()
    for (const change of changes) if (change.kind === kind) latest.set(change.key, change)
    return { keys: [...latest.keys()], causes: causedBy(NO_CAUSE, latest) }
  }
  const partners = keysOfKind('partner')
  await projection.map('partner', partners.keys)
  const players = keysOfKind('player')
  for (let at = 0; at < players.keys.length; at += PIECE_SIZE) {
    await projection.players(players.keys.slice(at, at + PIECE_SIZE), players.causes, options)
  }
  const spends = keysOfKind('spend')
  for (let at = 0; at < spends.keys.length; at += PIECE_SIZE) {
    await projection.spends(spends.keys.slice(at, at + PIECE_SIZE), spends.causes, options)
  }
}
