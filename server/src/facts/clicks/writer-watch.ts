// Detects click writers that ran at the same time. While such a tracker runs, its memory of first clicks is not reliable.
// A tracker that starts after the others have ended restores their recorded clicks and is exact.

import type { Pool } from 'pg'
import { timeOfId } from './click-lines.ts'

/** The first and the last click of one writer in a batch. */
export interface ClickSpan {
  readonly writer: number
  readonly first: string
  readonly last: string
}

/** Knows which trackers ran at the same time, because then the order of their clicks is uncertain. */
export interface WriterWatch {
  /** Records the spans; returns true if clicks since `since` (milliseconds) may come from trackers that ran at the same time. */
  mayOverlap(spans: readonly ClickSpan[], since: number): Promise<boolean>
}

/** Milliseconds: the start of a writer (0 if unknown) and its last click (0 without one). */
interface Times {
  first: number
  last: number
}

const PROGRESS_NAME = 'several trackers'
/** The stored last click of a writer is updated at most this often. */
const STORE_EVERY_MS = 3_600_000

/** Follows which trackers write clicks, and how far the clicks of each are known to be complete. */
export function createWriterWatch(pool: Pool): WriterWatch {
  const writers = new Map<number, Times>()
  /** Writers that did not run alone, with the stored time of their last click. */
  const overlapping = new Map<number, number>()
  let isLoaded = false

  async function load(): Promise<void> {
    const { rows } = await pool.query<{ writers: Record<string, number> | null }>(
      `select detail -> 'writers' as writers from facts_progress where name = $1`,
      [PROGRESS_NAME],
    )
    for (const [id, last] of Object.entries(rows[0]?.writers ?? {})) overlapping.set(Number(id), last)
    isLoaded = true
  }

  async function addNewWriters(spans: readonly ClickSpan[]): Promise<void> {
    if (spans.every(({ writer }) => writers.has(writer))) return
    const { rows } = await pool.query<{ id: number; started: Date; loaded_id: string | null }>(
      'select id, started_at as started, loaded_id from click_writer',
    )
    for (const { id, started, loaded_id: last } of rows) {
      if (!writers.has(id)) writers.set(id, { first: started.getTime(), last: last === null ? 0 : timeOfId(last) })
    }
  }

  function recordLastClicks(spans: readonly ClickSpan[]): void {
    for (const { writer, last } of spans) {
      const times = writers.get(writer)
      // A writer without a row was silent for long, and its start is unknown.
      writers.set(writer, { first: times?.first ?? 0, last: Math.max(times?.last ?? 0, timeOfId(last)) })
    }
  }

  /** Adds writers whose times overlap; returns true if there are new ones. */
  function findOverlaps(): boolean {
    const before = overlapping.size
    for (const [id, one] of writers) {
      for (const [other, { first, last }] of writers) {
        if (id === other || one.last === 0 || last === 0 || Math.max(one.first, first) > Math.min(one.last, last))
          continue
        for (const found of [id, other]) if (!overlapping.has(found)) overlapping.set(found, 0)
      }
    }
    return overlapping.size > before
  }

  /** Forgets writers without clicks since `since`; returns true if the stored times are out of date. */
  function forgetOlder(since: number): boolean {
    for (const [id, { last }] of writers) if (last !== 0 && last < since) writers.delete(id)
    let isStale = false
    for (const [id, stored] of overlapping) {
      const last = Math.max(stored, writers.get(id)?.last ?? 0)
      if (last < since) isStale = overlapping.delete(id)
      else if (last - stored > STORE_EVERY_MS) isStale = true
    }
    return isStale
  }

  async function store(): Promise<void> {
    for (const [id, stored] of overlapping) overlapping.set(id, Math.max(stored, writers.get(id)?.last ?? 0))
    await pool.query(
      `insert into facts_progress (name, at, detail) values ($1, now(), $2)
        on conflict (name) do update set at = now(), detail = excluded.detail`,
      [PROGRESS_NAME, JSON.stringify({ writers: Object.fromEntries(overlapping) })],
    )
  }

  return {
    async mayOverlap(spans, since) {
      if (!isLoaded) await load()
      await addNewWriters(spans)
      recordLastClicks(spans)
      const hasNew = findOverlaps()
      const isStale = forgetOlder(since)
      if (hasNew || isStale) await store()
      return overlapping.size > 0
    },
  }
}
