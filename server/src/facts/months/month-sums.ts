// Maintains the sums of past months, for reports over long periods. A month is summed when its facts have not changed for a while.
// A later change invalidates its sums at once, and they are computed again.
import { addDays } from '@tributary/contract/period'
import { SOURCES } from '@tributary/contract/reports/traffic'
import type { Clickhouse } from '../../clickhouse/client.ts'
import type { Postgres } from '../../postgres/client.ts'
import { deletedConditions, readDeletedMonths } from '../clicks/deleted-clicks.ts'
import {
  createMonthChanges,
  type FactMonth,
  type MonthChanges,
  type NumberedMonth,
  readSettledMonths,
} from './month-changes.ts'
import { SUMMED_SOURCES, SUMS_TABLE } from './summed-columns.ts'

interface Engines {
  readonly postgres: Pick<Postgres, 'pool'>
  readonly clickhouse: Clickhouse
}

/** One computation of a month's sums. */
export interface MonthRun extends FactMonth {
  /** The value of column `run` in the rows of these sums. */
  readonly run: number
}

/** `state` is the month's number when the run was made, as text. */
interface StoredRun extends MonthRun {
  readonly state: string
}

const monthKey = ({ source, month, number }: NumberedMonth): string => `${source} ${month} ${number}`
const runKey = ({ source, month, state }: Omit<StoredRun, 'run'>): string => `${source} ${month} ${state}`

/** Runs of each engine by source, month and number. Numbers are never reused, so entries stay valid. */
const runCache = new WeakMap<Clickhouse, { runs: ReadonlyMap<string, number>; readAt: number }>()
const REREAD_MS = 2000

/** The runs of these months whose sums are valid now. */
export async function readMonthRuns(
  { postgres, clickhouse }: Engines,
  months: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<MonthRun[]> {
  const settled = (await readSettledMonths(postgres)).filter(({ month }) => months.has(month))
  let cached = runCache.get(clickhouse)
  const isMissing = settled.some((one) => cached?.runs.has(monthKey(one)) !== true)
  if (isMissing && (cached === undefined || performance.now() - cached.readAt >= REREAD_MS)) {
    const rows = await clickhouse.query<StoredRun>(
      'select source, month, state, run from month_run',
      {},
      signal === undefined ? {} : { signal },
    )
    cached = { runs: new Map(rows.map((row) => [runKey(row), row.run])), readAt: performance.now() }
    runCache.set(clickhouse, cached)
  }
  return settled.flatMap((one) => {
    const run = cached?.runs.get(monthKey(one))
    return run === undefined ? [] : [{ source: one.source, month: one.month, run }]
  })
}

/** Computes month sums in the background. */
export interface MonthSummer {
  /** Sums at most one month; returns true if another one is ready. `now` is in milliseconds. */
  sumOnce(now: number): Promise<boolean>
  /** Deletes replaced sums that no running report can still read. */
  sweep(now: number): Promise<void>
}

/** Replaced sums stay this long, which is longer than any report runs. */
const KEEP_REPLACED_MS = 600_000
const MAX_SECONDS = 600

/** `quietMs`: how long a month must be unchanged before it is summed. */
export function createMonthSummer(
  { postgres, clickhouse }: Engines,
  quietMs = 60_000,
  changes: MonthChanges = createMonthChanges(postgres),
): MonthSummer {
  const seen = new Map<string, { number: number; since: number }>()
  let isEntered = false

  function isQuiet({ source, month, number }: NumberedMonth, now: number): boolean {
    const key = `${source} ${month}`
    const previous = seen.get(key)
    if (previous?.number !== number) seen.set(key, { number, since: now })
    return now - (previous?.number === number ? previous.since : now) >= quietMs
  }

  return {
    async sumOnce(now) {
      if (!isEntered) await addMonthsWithFacts(clickhouse, changes)
      isEntered = true
      await changes.dropAbandonedWrites()
      const ready = (await readStaleMonths({ postgres, clickhouse }, now)).filter((month) => isQuiet(month, now))
      const [first] = ready
      if (first !== undefined) await sumUp({ postgres, clickhouse }, first, now)
      return ready.length > 1
    },
    sweep: (now) => sweep(clickhouse, now),
  }
}

/**
 * The months that a table of facts has rows in. It is partitioned by month, and partition ids are months ('202606'). No row is read, because
 * a damaged table must be replaced, too.
 */
export async function readTableMonths(clickhouse: Clickhouse, table: string): Promise<string[]> {
  const rows = await clickhouse.query<{ month: string }>(
    `select distinct partition_id as month from system.parts
      where database = currentDatabase() and table = {table:String} and active and rows > 0`,
    { table },
  )
  return rows.map(({ month }) => month)
}

async function addMonthsWithFacts(clickhouse: Clickhouse, changes: MonthChanges): Promise<void> {
  for (const source of SOURCES)
    await changes.addMonths(source, await readTableMonths(clickhouse, SUMMED_SOURCES[source].table))
}

/** Past months without valid sums, newest first. A month is past when it is over in every time zone. */
async function readStaleMonths({ postgres, clickhouse }: Engines, now: number): Promise<NumberedMonth[]> {
  const current = addDays(new Date(now).toISOString().slice(0, 10), -1).slice(0, 7).replace('-', '')
  const settled = (await readSettledMonths(postgres)).filter(({ month }) => month < current)
  if (settled.length === 0) return []
  const runs = await clickhouse.query<StoredRun>('select source, month, state, run from month_run final')
  const held = new Set(runs.map(runKey))
  return settled
    .filter((one) => !held.has(monthKey(one)))
    .toSorted((a, b) => compare(b.month, a.month) || compare(a.source, b.source))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sums one month of one source as a new run. The run is inserted into month_run last, so that reports never read part of it. */
async function sumUp(
  { postgres, clickhouse }: Engines,
  { source, month, number }: NumberedMonth,
  now: number,
): Promise<void> {
  const { from, where, keys, sums } = SUMMED_SOURCES[source]
  const [highest] = await clickhouse.query<{ run: number }>(
    `select greatest((select max(run) from month_run), (select max(run) from ${SUMS_TABLE})) as run`,
  )
  const run = Math.max(now, (highest?.run ?? 0) + 1)
  const columns = ['source', 'run', 'day', ...keys, ...Object.keys(sums)].join(', ')
  const values = [
    `'${source}'`,
    `${run} as run`,
    'toStartOfMonth(f.day) as month',
    ...keys.map((key) => `f.${key}`),
    ...Object.values(sums),
  ]
  const insert = (facts: string, conditions: string): Promise<void> =>
    clickhouse.exec(
      `insert into ${SUMS_TABLE} (${columns}) select ${values.join(', ')} from ${facts}
      where ${conditions} and toYYYYMM(f.day) = {month:UInt32} group by month, ${keys.map((key) => `f.${key}`).join(', ')}`,
      { month: Number(month) },
      { lane: 'long', maxSeconds: MAX_SECONDS },
    )
  const deleted = source === 'click' ? (await readDeletedMonths(postgres)).filter((one) => one.month === month) : []
  const { days } = deletedConditions(deleted)
  if (deleted.every(({ isDropped }) => isDropped)) await insert(from, where)
  // Selected inside, because outside `run` is the run of these sums.
  if (days !== null) await insert(`(select * from click_day where ${days}) as f`, '1')
  await clickhouse.insert('month_run', ['source', 'month', 'run', 'state'], [[source, month, run, String(number)]])
}

async function sweep(clickhouse: Clickhouse, now: number): Promise<void> {
  const runs = await clickhouse.query<{ run: number }>(
    `select distinct k.run as run from (select distinct source, run, formatDateTime(day, '%Y%m') as month from ${SUMS_TABLE}) as k
    left join (select source, month, run from month_run final) as r on r.source = k.source and r.month = k.month
    where k.run != r.run and greatest(k.run, r.run) < {before:UInt64}`,
    { before: now - KEEP_REPLACED_MS },
  )
  if (runs.length === 0) return
  await clickhouse.exec(
    `alter table ${SUMS_TABLE}${clickhouse.macros.on_cluster} delete where run in (${runs.map(({ run }) => run).join(', ')})`,
    {},
    { settings: { mutations_sync: 2 }, maxSeconds: MAX_SECONDS },
  )
}
