// Finds out which writers of clicks ran side by side. Such a tracker remembers first clicks that were not the first for as long as it runs; one
// that starts after the others have ended restores what they recorded, and is exact.

import type { Pool } from 'pg'
import { timeOfId } from './click-lines.ts'

/** The first and the last click of one writer in a batch. */
export interface ClickSpan {
  readonly writer: number
  readonly first: string
  readonly last: string
}

export interface WriterWatch {
  /** Whether clicks since the moment (milliseconds) may be of a tracker that did not run alone. Takes note of the spans. */
  areSeveral(spans: readonly ClickSpan[], since: number): Promise<boolean>
}

/** Milliseconds: since when it runs, and its last click; 0 before it has one. */
interface Times {
  first: number
  last: number
}

const PROGRESS = 'several trackers'
/** The last click of a writer is kept this often. */
const KEEP_EVERY_MS = 3_600_000

export function createWriterWatch(pool: Pool): WriterWatch {
  const writers = new Map<number, Times>()
  /** Those that did not run alone, with the last click that is kept of each. */
  const together = new Map<number, number>()
  let isBegun = false

  async function begin(): Promise<void> {
    const { rows } = await pool.query<{ writers: Record<string, number> | null }>(
      `select detail -> 'writers' as writers from facts_progress where name = $1`,
      [PROGRESS],
    )
    for (const [id, last] of Object.entries(rows[0]?.writers ?? {})) together.set(Number(id), last)
    isBegun = true
  }

  async function meet(spans: readonly ClickSpan[]): Promise<void> {
    if (spans.every(({ writer }) => writers.has(writer))) return
    const { rows } = await pool.query<{ id: number; started: Date; loaded_id: string | null }>(
      'select id, started_at as started, loaded_id from click_writer',
    )
    for (const { id, started, loaded_id: last } of rows) {
      if (!writers.has(id)) writers.set(id, { first: started.getTime(), last: last === null ? 0 : timeOfId(last) })
    }
  }

  function note(spans: readonly ClickSpan[]): void {
    for (const { writer, last } of spans) {
      const known = writers.get(writer)
      // A writer without a row was silent for long; when it began is unknown.
      writers.set(writer, { first: known?.first ?? 0, last: Math.max(known?.last ?? 0, timeOfId(last)) })
    }
  }

  function join(): boolean {
    const before = together.size
    for (const [id, one] of writers) {
      for (const [other, { first, last }] of writers) {
        if (id === other || one.last === 0 || last === 0 || Math.max(one.first, first) > Math.min(one.last, last))
          continue
        for (const joined of [id, other]) if (!together.has(joined)) together.set(joined, 0)
      }
    }
    return together.size > before
  }

  /** True when what is kept of them has to be written anew. */
  function forget(since: number): boolean {
    for (const [id, { last }] of writers) if (last !== 0 && last < since) writers.delete(id)
    let isStale = false
    for (const [id, kept] of together) {
      const last = Math.max(kept, writers.get(id)?.last ?? 0)
      if (last < since) isStale = together.delete(id)
      else if (last - kept > KEEP_EVERY_MS) isStale = true
    }
    return isStale
  }

  async function keep(): Promise<void> {
    for (const [id, kept] of together) together.set(id, Math.max(kept, writers.get(id)?.last ?? 0))
    await pool.query(
      `insert into facts_progress (name, at, detail) values ($1, now(), $2)
        on conflict (name) do update set at = now(), detail = excluded.detail`,
      [PROGRESS, JSON.stringify({ writers: Object.fromEntries(together) })],
    )
  }

  return {
    async areSeveral(spans, since) {
      if (!isBegun) await begin()
      await meet(spans)
      note(spans)
      const isJoined = join()
      const isStale = forget(since)
      if (isJoined || isStale) await keep()
      return together.size > 0
    },
  }
}
