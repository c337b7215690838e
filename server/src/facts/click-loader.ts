// Hands clicks over from the inbox to ClickHouse, each exactly once. The ids of one writer become visible in increasing order, so one id per
// writer says what has been handed over. It is moved only after ClickHouse has answered; where an earlier insert may have arrived without
// its answer, the clicks of that time are looked up first.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'
import { timeText } from './cause.ts'
import { timeOfId } from './click-id-time.ts'
import { CLICK_COLUMNS, createLineWriter, type InboxClick, LINE_OF_INBOX } from './click-lines.ts'
import { createLookPlan, type Look, type Writer } from './click-writers.ts'
import { NO_CLICK } from './fact-row.ts'
import { readSetting } from './setting.ts'

export type LoadStep = 'read' | 'inserted' | 'marked'

export interface ClickLoaderOptions {
  batchSize?: number
  /** Between the steps of a batch: tests stop it there. */
  onStep?(step: LoadStep): void | Promise<void>
}

export interface Loaded {
  readonly count: number
  /** More clicks are waiting than one batch takes. */
  readonly isBehind: boolean
  /** Milliseconds: every click answered until then is in ClickHouse. Undefined while that is not known yet. */
  readonly dataTo: number | undefined
}

export interface ClickLoader {
  /** Looks once, and hands over at most one batch. */
  loadOnce(): Promise<Loaded>
}

interface Line {
  id: string
  writer: number
  line: string
}

interface Read {
  lines: Line[]
  /** Milliseconds of PostgreSQL's clock before the inbox was read. */
  readAt: number
  took: number
}

const BATCH = 50_000

export function createClickLoader(
  postgres: Postgres,
  clickhouse: Clickhouse,
  options: ClickLoaderOptions = {},
): ClickLoader {
  const batchSize = options.batchSize ?? BATCH
  const step = async (name: LoadStep): Promise<void> => options.onStep?.(name)
  const plan = createLookPlan()
  /** Clicks up to this time may be in ClickHouse without being marked so; undefined while that is not known. */
  let doubtUntil: number | undefined

  async function handOver(lines: readonly Line[]): Promise<void> {
    const doubtBefore = doubtUntil ?? (await findNewest(clickhouse))
    const isDoubtful = timeOfId(lines[0]?.id ?? NO_CLICK) <= doubtBefore
    const there = isDoubtful ? await findLoaded(clickhouse, lines) : new Set<string>()
    const fresh = there.size === 0 ? lines : lines.filter((line) => !there.has(line.id))
    // If this fails, what has arrived is found out again.
    doubtUntil = undefined
    await clickhouse.insertText('click', CLICK_COLUMNS, 'JSONCompactEachRow', fresh.map((line) => line.line).join('\n'))
    await step('inserted')
    await mark(postgres, lines)
    doubtUntil = doubtBefore
    await step('marked')
  }

  return {
    async loadOnce() {
      const { rows: writers } = await postgres.pool.query<Writer>('select id, loaded_id from click_writer')
      const look = plan.next(writers, Date.now())
      const { lines, readAt, took } = await readInbox(postgres, look, batchSize)
      await step('read')
      if (lines.length > 0) await handOver(lines)
      const isBehind = lines.length >= batchSize
      if (!isBehind) {
        plan.finished(look, readAt, took)
        // All that an earlier insert can have left without a mark has been looked up by now.
        if (look.isWhole) doubtUntil = 0
      }
      const dataTo = isBehind ? undefined : writers.length === 0 ? readAt : plan.dataTo()
      return { count: lines.length, isBehind, dataTo }
    },
  }
}

async function readInbox(postgres: Postgres, look: Look, limit: number): Promise<Read> {
  const { zone } = await readSetting(postgres.pool)
  const { rows: clock } = await postgres.pool.query<{ now: Date }>('select clock_timestamp() as now')
  const began = performance.now()
  const { rows } = await postgres.pool.query<Line>(
    `select c.id, c.writer, ${LINE_OF_INBOX} as line
      from click_inbox c left join click_writer w on w.id = c.writer
      where c.id > $2 and c.id > coalesce(w.loaded_id, '${NO_CLICK}') and ($3::int[] is null or c.writer = any($3))
      order by c.id limit $4`,
    [zone, look.after, look.writers ?? null, limit],
  )
  return { lines: rows, readAt: clock[0]?.now.getTime() ?? 0, took: performance.now() - began }
}

async function mark(postgres: Postgres, lines: readonly Line[]): Promise<void> {
  const lastOf = new Map(lines.map((line) => [line.writer, line.id]))
  // A writer that was taken for gone and writes again is entered again.
  await postgres.pool.query(
    `with last as (select * from unnest($1::int[], $2::uuid[]) as l (writer, id)),
      moved as (update click_writer w set loaded_id = l.id from last l where w.id = l.writer returning w.id)
    insert into click_writer (id, loaded_id) overriding system value
      select writer, id from last where writer not in (select id from moved)`,
    [[...lastOf.keys()], [...lastOf.values()]],
  )
}

const RUNNING = `select count() as running from system.processes where query_kind = 'Insert' and query ilike 'insert into%click%'`
const PATIENCE_MS = 30_000

/** The newest click that is there, in milliseconds. An insert that a stopped loader left running is waited for. */
async function findNewest(clickhouse: Clickhouse): Promise<number> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(200)) {
    const [row] = await clickhouse.query<{ running: number }>(RUNNING)
    if ((row?.running ?? 0) === 0) break
  }
  const [row] = await clickhouse.query<{ newest: number }>(
    'select toUnixTimestamp64Milli(max(created_at)) as newest from click',
  )
  return row?.newest ?? 0
}

/** Which of these clicks ClickHouse has: by their time, in which the table is ordered. */
async function findLoaded(clickhouse: Clickhouse, lines: readonly Line[]): Promise<Set<string>> {
  const from = timeText(timeOfId(lines[0]?.id ?? NO_CLICK))
  const to = timeText(timeOfId(lines.at(-1)?.id ?? NO_CLICK))
  const sql = `select id from click where created_at >= {from:DateTime64(3, 'UTC')} and created_at <= {to:DateTime64(3, 'UTC')}`
  const { rows } = await clickhouse.table(sql, { from, to })
  return new Set(rows.map(([id]) => String(id)))
}

/** Clicks of history in bulk, by the same columns into the same table. Not for clicks that are in the inbox. */
export async function loadClicks(clickhouse: Clickhouse, clicks: readonly InboxClick[], zone: string): Promise<void> {
  const writeLine = createLineWriter(zone)
  const text = clicks.map(writeLine).join('\n')
  await clickhouse.insertText('click', CLICK_COLUMNS, 'JSONCompactEachRow', text, {
    settings: { max_partitions_per_insert_block: 10_000 },
  })
}
