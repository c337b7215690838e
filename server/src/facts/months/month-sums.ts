// Keeps the sums of months that are over, for reports over long periods. A month is summed up when its facts have not changed for a while; a
// later change makes the sums invalid at once, and they are made again.
import { addDays } from '@tributary/contract/period'
import { SOURCES } from '@tributary/contract/reports/traffic'
import type { Clickhouse } from '../../clickhouse/client.ts'
import type { Postgres } from '../../postgres/client.ts'
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

export interface MonthRun extends FactMonth {
  /** Marks the rows of the sums. */
  readonly run: number
}

/** `state`: the month's number when the run was made, as text. */
interface EnteredRun extends MonthRun {
  readonly state: string
}

const keyOf = ({ source, month, number }: NumberedMonth): string => `${source} ${month} ${number}`
const keyOfRun = ({ source, month, state }: Omit<EnteredRun, 'run'>): string => `${source} ${month} ${state}`

/** Runs by engine and by source, month and number. Numbers are never reused, so entries stay valid. */
const entered = new WeakMap<Clickhouse, { runs: ReadonlyMap<string, number>; readAt: number }>()
const REREAD_MS = 2000

/** The sums of these months that are valid now. */
export async function readMonthRuns(
  { postgres, clickhouse }: Engines,
  months: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<MonthRun[]> {
  const settled = (await readSettledMonths(postgres)).filter(({ month }) => months.has(month))
  let known = entered.get(clickhouse)
  const isMissing = settled.some((one) => known?.runs.has(keyOf(one)) !== true)
  if (isMissing && (known === undefined || performance.now() - known.readAt >= REREAD_MS)) {
    const rows = await clickhouse.query<EnteredRun>(
      'select source, month, state, run from month_run',
      {},
      signal === undefined ? {} : { signal },
    )
    known = { runs: new Map(rows.map((row) => [keyOfRun(row), row.run])), readAt: performance.now() }
    entered.set(clickhouse, known)
  }
  return settled.flatMap((one) => {
    const run = known?.runs.get(keyOf(one))
    return run === undefined ? [] : [{ source: one.source, month: one.month, run }]
  })
}

export interface MonthSummer {
  /** Sums up at most one month; true when there may be another. */
  sumOnce(now: number): Promise<boolean>
  /** Removes replaced sums that no running report can still read. */
  sweep(now: number): Promise<void>
}

/** Longer than any report runs. */
const KEPT_MS = 600_000
const SECONDS = 600

/** `quietMs`: how long a month must be unchanged before it is summed up. */
export function createMonthSummer(
  { postgres, clickhouse }: Engines,
  quietMs = 60_000,
  changes: MonthChanges = createMonthChanges(postgres),
): MonthSummer {
  const seen = new Map<string, { number: number; since: number }>()
  let isEntered = false

  function isQuiet({ source, month, number }: NumberedMonth, now: number): boolean {
    const key = `${source} ${month}`
    const known = seen.get(key)
    if (known?.number !== number) seen.set(key, { number, since: now })
    return now - (known?.number === number ? known.since : now) >= quietMs
  }

  return {
    async sumOnce(now) {
      if (!isEntered) await enterMonths(clickhouse, changes)
      isEntered = true
      await changes.dropCutOff()
      const ready = (await readStale({ postgres, clickhouse }, now)).filter((month) => isQuiet(month, now))
      const [first] = ready
      if (first !== undefined) await sumUp(clickhouse, first, now)
      return ready.length > 1
    },
    sweep: (now) => sweep(clickhouse, now),
  }
}

/** Tables of facts are partitioned by month, and the names of partitions are the months. */
export async function readMonthsOf(clickhouse: Clickhouse, table: string): Promise<string[]> {
  const rows = await clickhouse.query<{ month: string }>(`select distinct _partition_id as month from ${table}`)
  return rows.map(({ month }) => month)
}

async function enterMonths(clickhouse: Clickhouse, changes: MonthChanges): Promise<void> {
  for (const source of SOURCES)
    await changes.enter(source, await readMonthsOf(clickhouse, SUMMED_SOURCES[source].table))
}

/** Months that are over everywhere on earth, and whose sums are absent or invalid; the newest first. */
async function readStale({ postgres, clickhouse }: Engines, now: number): Promise<NumberedMonth[]> {
  const current = addDays(new Date(now).toISOString().slice(0, 10), -1).slice(0, 7).replace('-', '')
  const settled = (await readSettledMonths(postgres)).filter(({ month }) => month < current)
  if (settled.length === 0) return []
  const runs = await clickhouse.query<EnteredRun>('select source, month, state, run from month_run final')
  const held = new Set(runs.map(keyOfRun))
  return settled
    .filter((one) => !held.has(keyOf(one)))
    .toSorted((a, b) => compare(b.month, a.month) || compare(a.source, b.source))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A run has one month of one source. It is entered last; until then its rows are not read. */
async function sumUp(clickhouse: Clickhouse, { source, month, number }: NumberedMonth, now: number): Promise<void> {
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
  await clickhouse.exec(
    `insert into ${SUMS_TABLE} (${columns}) select ${values.join(', ')} from ${from}
    where ${where} and toYYYYMM(f.day) = {month:UInt32} group by month, ${keys.map((key) => `f.${key}`).join(', ')}`,
    { month: Number(month) },
    { lane: 'long', maxSeconds: SECONDS },
  )
  await clickhouse.insert('month_run', ['source', 'month', 'run', 'state'], [[source, month, run, String(number)]])
}

async function sweep(clickhouse: Clickhouse, now: number): Promise<void> {
  const runs = await clickhouse.query<{ run: number }>(
    `select distinct k.run as run from (select distinct source, run, formatDateTime(day, '%Y%m') as month from ${SUMS_TABLE}) as k
    left join (select source, month, run from month_run final) as r on r.source = k.source and r.month = k.month
    where k.run != r.run and greatest(k.run, r.run) < {before:UInt64}`,
    { before: now - KEPT_MS },
  )
  if (runs.length === 0) return
  await clickhouse.exec(
    `alter table ${SUMS_TABLE}${clickhouse.macros.on_cluster} delete where run in (${runs.map(({ run }) => run).join(', ')})`,
    {},
    { settings: { mutations_sync: 2 }, maxSeconds: SECONDS },
  )
}
