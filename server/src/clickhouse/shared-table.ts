// Runs a statement once for all who request it at the same time. A request joins a run that still waits, never one that has begun, so that no
// answer is older than its request.

import { ignore, untilAborted } from '../lib/promises.ts'
import type { Clickhouse, QueryOptions, Table } from './client.ts'
import type { Params } from './statement.ts'

/** One run of a statement and the number of callers who wait for it. Without callers it is aborted. */
interface Run {
  readonly table: Promise<Table>
  readonly control: AbortController
  hasBegun: boolean
  people: number
}

/** Unfinished runs by engine and statement. */
const known = new WeakMap<Clickhouse, Map<string, Run[]>>()

/** As `clickhouse.table`. Callers share the rows and must not change them. */
export async function shareTable(
  clickhouse: Clickhouse,
  sql: string,
  params: Params,
  { signal, ...options }: QueryOptions,
): Promise<Table> {
  signal?.throwIfAborted()
  const statements = known.get(clickhouse) ?? new Map<string, Run[]>()
  known.set(clickhouse, statements)
  const key = JSON.stringify([sql, params, options], (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  const runs = statements.get(key) ?? []
  statements.set(key, runs)
  let run = runs.find(({ hasBegun, control }) => !hasBegun && !control.signal.aborted)
  if (run === undefined) {
    const begun = begin(runs.at(-1), (control) => clickhouse.table(sql, params, { ...options, signal: control }))
    runs.push(begun)
    const remove = (): void => {
      runs.splice(runs.indexOf(begun), 1)
      if (runs.length === 0) statements.delete(key)
    }
    begun.table.then(remove, remove)
    run = begun
  }
  run.people++
  try {
    return await untilAborted(run.table, signal)
  } finally {
    run.people--
    if (run.people === 0) run.control.abort()
  }
}

/** Begins after the run before it: two at once would only slow each other down. */
function begin(before: Run | undefined, ask: (signal: AbortSignal) => Promise<Table>): Run {
  const control = new AbortController()
  const { signal } = control
  const state = { hasBegun: false, people: 0 }
  async function run(): Promise<Table> {
    await before?.table.catch(ignore)
    signal.throwIfAborted()
    state.hasBegun = true
    return ask(signal)
  }
  return Object.assign(state, { control, table: run() })
}
