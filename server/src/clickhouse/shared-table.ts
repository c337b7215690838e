// The same statement asked by several people at once runs once for all of them. Whoever asks is told by a run that begins after they asked, so no
// answer is older than its question: they join one that still waits, never one that has begun.

import { ignore } from '../lib/ignore.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import type { Clickhouse, QueryOptions, Table } from './client.ts'
import type { Params } from './statement.ts'

/** One run of a statement, for everybody who waits for it; left by all of them it is ended. */
interface Run {
  readonly table: Promise<Table>
  readonly control: AbortController
  hasBegun: boolean
  people: number
}

/** Of each engine: the runs of a statement that are not over. */
const known = new WeakMap<Clickhouse, Map<string, Run[]>>()

/** As `clickhouse.table`. The rows belong to all who asked: nobody changes them. */
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

/** Behind the run before it, if there is one: two at once would only take from each other. */
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
