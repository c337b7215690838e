// Keeps the sums of months that are over, for reports over long periods. A month is summed up when none of its facts has come for a while;
// one that comes later makes the sums invalid at once, and they are made again. How a month's facts stand is told by ClickHouse itself: each
// insert and each change of rows has a number, merges keep the highest, and tables that were exchanged have another id.

import { addDays } from '@tributary/contract/period'
import type { Clickhouse } from '../clickhouse/client.ts'
import { shareTable } from '../clickhouse/shared-table.ts'

export const SUMMED_SOURCES = ['click', 'activity', 'spend'] as const
export type SummedSource = (typeof SUMMED_SOURCES)[number]

interface Summed {
  /** By months of the day, each of which lies apart. */
  readonly table: string
  readonly from: string
  readonly where: string
  /** Columns by which it is summed up, beside the month. */
  readonly keys: readonly string[]
  /** Column and what it becomes. */
  readonly sums: Readonly<Record<string, string>>
}

const INTO = 'link_month'

const LINK = [
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'stream_id',
  'traffic_source_id',
  'country_id',
  'site_id',
] as const

const added = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, `sum(f.${column})`]))

const SUMMED: Readonly<Record<SummedSource, Summed>> = {
  click: {
    table: 'click',
    from: 'click as f',
    where: '1',
    keys: [...LINK, 'landing_id'],
    sums: added('is_click', 'is_unique'),
  },
  activity: {
    table: 'activity_fact',
    from: 'activity_fact as f final',
    where: 'f.is_deleted = 0',
    keys: [...LINK, 'landing_id', 'actual_country_id'],
    sums: {
      rows: 'count()',
      ...added('registrations', 'first_deposits', 'qualified_players', 'deposits_count'),
      ...added('deposits', 'first_amount', 'first_day_amount', 'bets', 'income', 'cpa_spend', 'rs_spend'),
      rate_missing: 'max(f.rate_missing)',
      days: 'groupArray(f.previous_day)',
      bet_days: 'groupArrayIf(f.previous_bet_day, f.bets > 0)',
    },
  },
  spend: {
    table: 'spend_fact',
    from: 'spend_fact as f final',
    where: 'f.is_deleted = 0',
    keys: LINK,
    sums: { spends: 'countIf(f.sum != 0)', ...added('sum'), rate_missing: 'max(f.rate_missing)' },
  },
}

const TABLES = SUMMED_SOURCES.map((source) => `'${SUMMED[source].table}'`).join(', ')
/** A path ends in the table's id and the part's name: month_first_last_level, or with the number of the change of rows that made it behind that. */
const PARTS = `select table, path from system.parts
where active and database = currentDatabase() and table in (${TABLES})`

export interface MonthRun {
  readonly source: SummedSource
  /** 202606 is June 2026. */
  readonly month: string
  readonly run: number
}

interface State {
  readonly source: SummedSource
  readonly month: string
  readonly state: string
}

const SOURCE_OF = new Map(SUMMED_SOURCES.map((source) => [SUMMED[source].table, source]))

/** How the facts of each source and month stand now: the table's id, and the numbers of the last block and change. */
async function readStates(clickhouse: Clickhouse, signal?: AbortSignal): Promise<State[]> {
  const { rows } = await shareTable(clickhouse, PARTS, {}, signal === undefined ? {} : { signal })
  const found = new Map<string, { source: SummedSource; month: string; id: string; block: number; change: number }>()
  for (const [table, path] of rows) {
    const [id = '', name = ''] = String(path).split('/').slice(-3)
    const [month = '', , block, , change = '0'] = name.split('_')
    const source = SOURCE_OF.get(String(table))
    if (source === undefined) continue
    const key = `${source} ${month}`
    const known = found.get(key)
    found.set(key, {
      source,
      month,
      id,
      block: Math.max(known?.block ?? 0, Number(block)),
      change: Math.max(known?.change ?? 0, Number(change)),
    })
  }
  return [...found.values()].map(({ source, month, id, block, change }) => {
    return { source, month, state: `${id}:${block}:${change}` }
  })
}

/** Runs by the state that they were made from: a state never comes again, so that what was once entered holds. */
const entered = new WeakMap<Clickhouse, { runs: ReadonlyMap<string, number>; readAt: number }>()
const REREAD_MS = 2000

const keyOf = ({ source, month, state }: State): string => `${source} ${month} ${state}`

/** The sums of these months that are valid now. */
export async function readMonthRuns(
  clickhouse: Clickhouse,
  months: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<MonthRun[]> {
  const states = (await readStates(clickhouse, signal)).filter(({ month }) => months.has(month))
  let known = entered.get(clickhouse)
  const isMissing = states.some((one) => known?.runs.has(keyOf(one)) !== true)
  if (isMissing && (known === undefined || performance.now() - known.readAt >= REREAD_MS)) {
    const rows = await clickhouse.query<State & { run: number }>(
      'select source, month, state, run from month_run',
      {},
      signal === undefined ? {} : { signal },
    )
    known = { runs: new Map(rows.map((row) => [keyOf(row), row.run])), readAt: performance.now() }
    entered.set(clickhouse, known)
  }
  return states.flatMap((one) => {
    const run = known?.runs.get(keyOf(one))
    return run === undefined ? [] : [{ source: one.source, month: one.month, run }]
  })
}

export interface MonthSummer {
  /** Sums up at most one month; true when there may be another. */
  sumOnce(now: number): Promise<boolean>
  /** Removes sums that nobody reads any more. */
  sweep(now: number): Promise<void>
}

/** No report that began with them can still be reading sums that were replaced so long ago. */
const KEPT_MS = 600_000
const SECONDS = 600

/** `quietMs`: how long no fact of a month has to come before it is summed up. */
export function createMonthSummer(clickhouse: Clickhouse, quietMs = 60_000): MonthSummer {
  const seen = new Map<string, { state: string; since: number }>()

  function isQuiet(key: string, state: string, now: number): boolean {
    const known = seen.get(key)
    if (known?.state !== state) seen.set(key, { state, since: now })
    return now - (known?.state === state ? known.since : now) >= quietMs
  }

  return {
    async sumOnce(now) {
      const stale = await readStale(clickhouse, now)
      const ready = stale.filter(({ source, month, state }) => isQuiet(`${source} ${month}`, state, now))
      const [first] = ready
      if (first !== undefined) await sumUp(clickhouse, first, now)
      return ready.length > 1
    },
    sweep: (now) => sweep(clickhouse, now),
  }
}

interface Stale extends State {
  /** The highest of all runs so far. */
  readonly last: number
}

/** Months that are over everywhere on earth, and whose sums are absent or invalid; the newest first. */
async function readStale(clickhouse: Clickhouse, now: number): Promise<Stale[]> {
  const current = addDays(new Date(now).toISOString().slice(0, 10), -1).slice(0, 7).replace('-', '')
  const states = (await readStates(clickhouse)).filter(({ month }) => month < current)
  if (states.length === 0) return []
  const runs = await clickhouse.query<State>('select source, month, state from month_run final')
  const held = new Set(runs.map(keyOf))
  const stale = states.filter((one) => !held.has(keyOf(one)))
  if (stale.length === 0) return []
  const [highest] = await clickhouse.query<{ run: number }>(
    `select greatest((select max(run) from month_run), (select max(run) from ${INTO})) as run`,
  )
  return stale
    .map((one) => ({ ...one, last: highest?.run ?? 0 }))
    .toSorted((a, b) => compare(b.month, a.month) || compare(a.source, b.source))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A run is of one month and one source alone; it is entered last: until then nobody reads its rows. */
async function sumUp(clickhouse: Clickhouse, { source, month, state, last }: Stale, now: number): Promise<void> {
  const { from, where, keys, sums } = SUMMED[source]
  const run = Math.max(now, last + 1)
  const columns = ['source', 'run', 'day', ...keys, ...Object.keys(sums)].join(', ')
  const values = [
    `'${source}'`,
    `${run} as run`,
    'toStartOfMonth(f.day) as month',
    ...keys.map((key) => `f.${key}`),
    ...Object.values(sums),
  ]
  await clickhouse.exec(
    `insert into ${INTO} (${columns}) select ${values.join(', ')} from ${from}
    where ${where} and toYYYYMM(f.day) = {month:UInt32} group by month, ${keys.map((key) => `f.${key}`).join(', ')}`,
    { month: Number(month) },
    { lane: 'long', maxSeconds: SECONDS },
  )
  await clickhouse.insert('month_run', ['source', 'month', 'run', 'state'], [[source, month, run, state]])
}

async function sweep(clickhouse: Clickhouse, now: number): Promise<void> {
  const runs = await clickhouse.query<{ run: number }>(
    `select distinct k.run as run from (select distinct source, run, formatDateTime(day, '%Y%m') as month from ${INTO}) as k
    left join (select source, month, run from month_run final) as r on r.source = k.source and r.month = k.month
    where k.run != r.run and greatest(k.run, r.run) < {before:UInt64}`,
    { before: now - KEPT_MS },
  )
  if (runs.length === 0) return
  await clickhouse.exec(
    `alter table ${INTO}${clickhouse.macros.on_cluster} delete where run in (${runs.map(({ run }) => run).join(', ')})`,
    {},
    { settings: { mutations_sync: 2 }, maxSeconds: SECONDS },
  )
}
