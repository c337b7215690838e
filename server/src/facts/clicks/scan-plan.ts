// Plans scans of the inbox. Clicks of all writers share one order of ids, so a writer that has been silent for long would make every scan
// start at its last click. Such writers are scanned less often, and only from the time up to which they have been scanned.

import { NO_CLICK } from '../columns.ts'
import { lowestId, timeOfId } from './click-lines.ts'

/** A tracker that writes clicks, and the last click that was handed over from it. */
export interface Writer {
  readonly id: number
  readonly loaded_id: string | null
}

/** What one scan of the inbox reads. */
export interface Scan {
  /** All waiting clicks of these writers have higher ids. */
  readonly after: string
  /** Ids of writers. Undefined: all writers, including those without a row in click_writer. */
  readonly writers: readonly number[] | undefined
  /** The scan includes every writer of click_writer. */
  readonly isWhole: boolean
}

/** Chooses scans; it learns from each finished one. */
export interface ScanPlan {
  next(writers: readonly Writer[], now: number): Scan
  /** Records that a scan has handed over every click visible at `readAt` (milliseconds); the query took `took` milliseconds. */
  finished(scan: Scan, readAt: number, took: number): void
  /** Milliseconds: finished scans have covered every click answered until then. Undefined while that is unknown. */
  dataTo(): number | undefined
}

const ACTIVE_MS = 60_000
/** An answered click is committed long before this age, because the tracker gives up on a batch after seconds. */
const COMMIT_MS = 60_000
/** After a scan of all writers, the next one waits this many times its duration. */
const WHOLE_SCAN_PAUSE = 20
/** How often the inbox is scanned from its beginning. */
const FULL_SCAN_EVERY_MS = 600_000

/** Decides from which click on the next scan of the inbox reads, and of which writers. */
export function createScanPlan(): ScanPlan {
  const coveredTo = new Map<number, number>()
  let allWriters: readonly Writer[] = []
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
      allWriters = writers
      if (now >= nextFull) return { after: NO_CLICK, writers: undefined, isWhole: true }
      // A writer without handed-over clicks is active, because its tracker may just have started.
      const active = writers.filter(({ loaded_id: id }) => id === null || timeOfId(id) > now - ACTIVE_MS)
      const isWhole = now >= nextWhole || active.length === 0
      const chosen = isWhole ? writers : active
      const after = chosen.length === 0 ? lowestId(now) : lowest(chosen.map(startOf))
      return { after, writers: chosen.map((writer) => writer.id), isWhole }
    },
    finished(scan, readAt, took) {
      const ids = scan.writers ?? allWriters.map((writer) => writer.id)
      for (const id of ids) coveredTo.set(id, readAt)
      if (scan.isWhole) nextWhole = performance.timeOrigin + performance.now() + took * WHOLE_SCAN_PAUSE
      if (scan.writers === undefined) nextFull = performance.timeOrigin + performance.now() + FULL_SCAN_EVERY_MS
    },
    dataTo() {
      if (nextFull === 0) return undefined
      const least = allWriters.reduce<number | undefined>((earliest, { id }) => {
        // A writer that no scan has covered may have answered clicks at any time.
        const covered = coveredTo.get(id) ?? Number.NEGATIVE_INFINITY
        return earliest === undefined || covered < earliest ? covered : earliest
      }, undefined)
      return least === Number.NEGATIVE_INFINITY ? undefined : least
    },
  }
}

const lowest = (ids: readonly string[]): string => ids.toSorted()[0] ?? NO_CLICK
const highest = (ids: readonly string[]): string => ids.toSorted().at(-1) ?? NO_CLICK
