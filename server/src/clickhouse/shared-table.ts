// Runs a statement once for all callers that request it at the same time. A request joins a run that still waits, but not one that has begun,
// so that no result is older than its request.

import { ignore, untilAborted } from '../lib/promises.ts'
import type { Clickhouse, QueryOptions, Table } from './client.ts'
import type { Params } from './statement.ts'

/** One run of a statement, and the number of its waiting callers. Without callers it is aborted. */
interface Run {
  readonly table: Promise<Table>
  readonly control: AbortController
  hasBegun: boolean
  callers: number
}

/** Unfinished runs by engine and statement. */
const unfinishedRuns = new WeakMap<Clickhouse, Map<string, Run[]>>()

/** Like `clickhouse.table`. Callers share the rows and must not change them. */
export async function shareTable(
  clickhouse: Clickhouse,
  sql: string,
  params: Params,
  { signal, ...options }: QueryOptions,
): Promise<Table> {
  signal?.throwIfAborted()
  const statements = unfinishedRuns.get(clickhouse) ?? new Map<string, Run[]>()
  unfinishedRuns.set(clickhouse, statements)
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
  run.callers++
  try {
    return await untilAborted(run.table, signal)
  } finally {
    run.callers--
    if (run.callers === 0) run.control.abort()
  }
}

/** The run begins after the previous one ends, because two equal runs at once would only slow each other down. */
function begin(before: Run | undefined, query: (signal: AbortSignal) => Promise<Table>): Run {
  const control = new AbortController()
  const { signal } = control
  const state = { hasBegun: false, callers: 0 }
  async function run(): Promise<Table> {
    await before?.table.catch(ignore)
    signal.throwIfAborted()
    state.hasBegun = true
    return query(signal)
  }
  return Object.assign(state, { control, table: run() })
}
