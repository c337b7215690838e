// Plans scans of the inbox. Clicks of all writers lie in one order of ids, so a writer that fell silent long ago would make every scan begin at its
// last click. Such writers are scanned less often, and only from the moment up to which they had nothing.

import { NO_CLICK } from '../columns.ts'
import { lowestId, timeOfId } from './click-lines.ts'

export interface Writer {
  readonly id: number
  readonly loaded_id: string | null
}

export interface Scan {
  /** All waiting clicks of the chosen writers have higher ids. */
  readonly after: string
  /** Undefined: all, including writers without a row. */
  readonly writers: readonly number[] | undefined
  /** Every known writer is among the chosen ones. */
  readonly isWhole: boolean
}

export interface ScanPlan {
  next(writers: readonly Writer[], now: number): Scan
  /** Notes that a scan has handed over everything visible at `readAt`; reading took `took` milliseconds. */
  finished(look: Scan, readAt: number, took: number): void
  /** Everything answered until then was visible to a finished scan of its writer. */
  dataTo(): number | undefined
}

const ACTIVE_MS = 60_000
/** A click that is answered commits long before this age: the tracker gives up on a batch after seconds. */
const COMMIT_MS = 60_000
/** Scans of all writers may take one twentieth of the time. */
const SHARE = 20
/** How often the inbox is read from its beginning. */
const FULL_MS = 600_000

export function createScanPlan(): ScanPlan {
  const coveredTo = new Map<number, number>()
  let known: readonly Writer[] = []
  let nextWhole = 0
  let nextFull = 0

  function startOf(writer: Writer): string {
    const loaded = writer.loaded_id ?? NO_CLICK
    const covered = coveredTo.get(writer.id)
    const start = covered === undefined ? NO_CLICK : lowestId(covered - COMMIT_MS)
    return highest([start, loaded])
  }

  return {
    next(writers, now) {
      known = writers
      if (now >= nextFull) return { after: NO_CLICK, writers: undefined, isWhole: true }
      // One that has not handed anything over may be about to: a tracker that has just begun.
      const active = writers.filter(({ loaded_id: id }) => id === null || timeOfId(id) > now - ACTIVE_MS)
      const isWhole = now >= nextWhole || active.length === 0
      const chosen = isWhole ? writers : active
      const after = chosen.length === 0 ? lowestId(now) : lowest(chosen.map(startOf))
      return { after, writers: chosen.map((writer) => writer.id), isWhole }
    },
    finished(look, readAt, took) {
      const ids = look.writers ?? known.map((writer) => writer.id)
      for (const id of ids) coveredTo.set(id, readAt)
      if (look.isWhole) nextWhole = performance.timeOrigin + performance.now() + took * SHARE
      if (look.writers === undefined) nextFull = performance.timeOrigin + performance.now() + FULL_MS
    },
    dataTo() {
      if (nextFull === 0) return undefined
      const least = known.reduce<number | undefined>((earliest, { id }) => {
        // Never looked at: what it has answered is not known.
        const covered = coveredTo.get(id) ?? Number.NEGATIVE_INFINITY
        return earliest === undefined || covered < earliest ? covered : earliest
      }, undefined)
      return least === Number.NEGATIVE_INFINITY ? undefined : least
    },
  }
}

const lowest = (ids: readonly string[]): string => ids.toSorted()[0] ?? NO_CLICK
const highest = (ids: readonly string[]): string => ids.toSorted().at(-1) ?? NO_CLICK
