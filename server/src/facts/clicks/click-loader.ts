// Hands clicks over from the inbox to ClickHouse, each exactly once. A writer's ids become visible in ascending order, so its `loaded_id` says
// what was handed over; it moves after ClickHouse confirms. If an unconfirmed insert may have arrived, the loader first looks its clicks up.

import { setTimeout as sleep } from 'node:timers/promises'
import { to } from 'pg-copy-streams'
import type { Clickhouse } from '../../clickhouse/client.ts'
import type { Postgres } from '../../postgres/client.ts'
import { timeText } from '../cause.ts'
import { CLICK_COLUMNS, type InboxClick, NO_CLICK } from '../columns.ts'
import { createLineBytes } from '../line-bytes.ts'
import { createMonthChanges, type MonthChanges, monthOfDay } from '../months/month-changes.ts'
import { readSetting } from '../setting.ts'
import { createLineWriter, inboxLineSql, timeOfId } from './click-lines.ts'
import type { SettleClicks } from './click-settling.ts'
import { createScanPlan, type Scan, type Writer } from './scan-plan.ts'
import type { ClickSpan } from './writer-watch.ts'

/** Steps of a hand-over, which tests interrupt. */
export type LoadStep = 'read' | 'inserted' | 'marked'

/** What the loader calls, and how many lines it takes at once. */
export interface ClickLoaderOptions {
  batchSize?: number
  /** Receives the lines that were just inserted. */
  onLoaded?(lines: Buffer): void
  /** Settles lines before they are inserted. */
  settle?: SettleClicks
  /** Registers the months of each insert. */
  changes?: MonthChanges
  /** Tests interrupt a batch here. */
  onStep?(step: LoadStep): void | Promise<void>
}

/** The outcome of one hand-over. */
export interface LoadResult {
  readonly count: number
  /** More clicks may be waiting than one batch holds. */
  readonly isBehind: boolean
  /** Milliseconds since 1970: ClickHouse has every click answered until then. Undefined while that is unknown. */
  readonly dataTo: number | undefined
}

/** Hands clicks over to ClickHouse, batch by batch. */
export interface ClickLoader {
  /** Hands over at most one batch. */
  loadOnce(): Promise<LoadResult>
}

/** Clicks that are handed over together: for each writer, all visible clicks up to its last one in `lastByWriter`. */
interface Batch {
  readonly count: number
  readonly first: string
  readonly last: string
  /** The last click id of each writer. */
  readonly lastByWriter: ReadonlyMap<number, string>
  readonly spans: readonly ClickSpan[]
}

const BATCH_SIZE = 50_000

/** Moves clicks from the inbox to ClickHouse in batches, each exactly once, also after a crash at any step. */
export function createClickLoader(
  postgres: Postgres,
  clickhouse: Clickhouse,
  options: ClickLoaderOptions = {},
): ClickLoader {
  const batchSize = options.batchSize ?? BATCH_SIZE
  const step = async (name: LoadStep): Promise<void> => options.onStep?.(name)
  const plan = createScanPlan()
  const changes = options.changes ?? createMonthChanges(postgres)
  /** ClickHouse may have clicks up to this time (milliseconds) that are not marked as handed over; undefined while unknown. */
  let uncertainUntil: number | undefined

  async function handOver(batch: Batch): Promise<void> {
    const uncertainBefore = uncertainUntil ?? (await findNewestTime(clickhouse))
    const lines = await copyLines(postgres, batch)
    await step('read')
    const isUncertain = timeOfId(batch.first) <= uncertainBefore
    const waiting = isUncertain ? withoutLines(lines, await findLoadedIds(clickhouse, batch)) : lines
    const fresh = (await options.settle?.(waiting, batch.spans)) ?? waiting
    // If this insert fails, the next batch reads from ClickHouse which clicks arrived.
    uncertainUntil = undefined
    await changes.during('click', monthsOfLines(fresh), () =>
      clickhouse.insertText('click', CLICK_COLUMNS, 'TabSeparated', fresh),
    )
    await step('inserted')
    await markHandedOver(postgres, batch)
    options.onLoaded?.(fresh)
    uncertainUntil = uncertainBefore
    await step('marked')
  }

  return {
    async loadOnce() {
      // The clock must be read first: a writer that registers later has answered no click before it.
      const readAt = await readClock(postgres)
      const { rows: writers } = await postgres.pool.query<Writer>('select id, loaded_id from click_writer')
      const scan = plan.next(writers, Date.now())
      const { batch, took } = await findBatch(postgres, scan, batchSize)
      if (batch !== undefined) await handOver(batch)
      const count = batch?.count ?? 0
      const isBehind = count >= batchSize
      if (!isBehind) {
        plan.finished(scan, readAt, took)
        // A whole scan has looked up every click that an earlier insert may have left unmarked.
        if (scan.isWhole) uncertainUntil = 0
      }
      const dataTo = isBehind ? undefined : writers.length === 0 ? readAt : plan.dataTo()
      return { count, isBehind, dataTo }
    },
  }
}

interface FoundBatch {
  readonly batch: Batch | undefined
  readonly took: number
}

/** PostgreSQL's clock in milliseconds since 1970. */
async function readClock(postgres: Postgres): Promise<number> {
  const { rows } = await postgres.pool.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now.getTime() ?? 0
}

async function findBatch(postgres: Postgres, scan: Scan, limit: number): Promise<FoundBatch> {
  const began = performance.now()
  const { rows } = await postgres.pool.query<{ writer: number; first: string; last: string; count: number }>(
    `select writer, min(id::text) as first, max(id::text) as last, count(*) as count
      from (select c.id, c.writer from click_inbox c left join click_writer w on w.id = c.writer
        where c.id > $1 and c.id > coalesce(w.loaded_id, '${NO_CLICK}') and ($2::int[] is null or c.writer = any($2))
        order by c.id limit $3) found
      group by writer`,
    [scan.after, scan.writers ?? null, limit],
  )
  const batch: Batch = {
    count: rows.reduce((sum, row) => sum + row.count, 0),
    first: rows.map((row) => row.first).sort()[0] ?? NO_CLICK,
    last:
      rows
        .map((row) => row.last)
        .sort()
        .at(-1) ?? NO_CLICK,
    lastByWriter: new Map(rows.map((row) => [row.writer, row.last])),
    spans: rows,
  }
  return { batch: rows.length === 0 ? undefined : batch, took: performance.now() - began }
}

/** Copies exactly the batch's lines: clicks that become visible later have higher ids than their writer's last one. */
async function copyLines(postgres: Postgres, { count, first, last, lastByWriter: lastOf }: Batch): Promise<Buffer> {
  const { zone } = await readSetting(postgres.pool)
  const bounds = [...lastOf].map(([writer, id]) => `(${writer}, '${id}'::uuid)`).join(', ')
  const sql = `copy (select ${inboxLineSql(zone)}
    from click_inbox c join (values ${bounds}) b (writer, last) on b.writer = c.writer and c.id <= b.last
      left join click_writer w on w.id = c.writer
    where c.id >= '${first}' and c.id <= '${last}' and c.id > coalesce(w.loaded_id, '${NO_CLICK}')
    order by c.id) to stdout (format binary)`
  return postgres.withClient(async (client) => {
    const chunks: Buffer[] = []
    for await (const chunk of client.query(to(sql))) chunks.push(chunk as Buffer)
    const { lines, read } = parseCopiedLines(Buffer.concat(chunks))
    // A broken connection must not look like the end of the lines.
    if (read !== count) throw new Error(`${read} clicks were read of ${count}`)
    return lines
  })
}

/** Bytes of the binary format: the file header; for each row, the count of fields (2) and the length of its only field (4). */
const COPY_HEAD = 19
const ROW_HEAD = 6
const NEW_LINE = 10

/** Extracts the lines. The text format of COPY would escape them a second time. */
function parseCopiedLines(copied: Buffer): { lines: Buffer; read: number } {
  const lines = Buffer.allocUnsafe(copied.length)
  let end = 0
  let read = 0
  for (let at = COPY_HEAD; at + ROW_HEAD <= copied.length; read++) {
    const start = at + ROW_HEAD
    at = start + copied.readInt32BE(at + 2)
    end += copied.copy(lines, end, start, at)
    lines[end++] = NEW_LINE
  }
  return { lines: lines.subarray(0, end), read }
}

const ID_LENGTH = 36
function withoutLines(lines: Buffer, ids: ReadonlySet<string>): Buffer {
  if (ids.size === 0) return lines
  const kept = lines
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !ids.has(line.slice(0, ID_LENGTH)))
  return Buffer.from(kept.join('\n'))
}

const DAY_AT = ID_LENGTH + 1
const DAY_LENGTH = 10
const MONTH_LENGTH = 7

/** The months of the lines' days. The day is the second field. */
function monthsOfLines(lines: Buffer): Set<string> {
  const months = new Set<string>()
  let last: Buffer = Buffer.alloc(0)
  for (let at = 0; at + DAY_AT + DAY_LENGTH <= lines.length; ) {
    const month = lines.subarray(at + DAY_AT, at + DAY_AT + MONTH_LENGTH)
    if (!month.equals(last)) months.add(monthOfDay(month.toString('latin1')))
    last = month
    const end = lines.indexOf(NEW_LINE, at)
    if (end < 0) break
    at = end + 1
  }
  return months
}

async function markHandedOver(postgres: Postgres, { lastByWriter: lastOf }: Batch): Promise<void> {
  // Inserts a writer again that was deleted as silent but still writes.
  await postgres.pool.query(
    `with last as (select * from unnest($1::int[], $2::uuid[]) as l (writer, id)),
      moved as (update click_writer w set loaded_id = l.id from last l where w.id = l.writer returning w.id)
    insert into click_writer (id, loaded_id) overriding system value
      select writer, id from last where writer not in (select id from moved)`,
    [[...lastOf.keys()], [...lastOf.values()]],
  )
}

const RUNNING_INSERTS_SQL = `select count() as running from system.processes where query_kind = 'Insert' and query ilike 'insert into%click%'`
const WAIT_FOR_INSERTS_MS = 30_000

/** Time of the newest click in ClickHouse, in milliseconds; waits first for inserts that a stopped loader left running. */
async function findNewestTime(clickhouse: Clickhouse): Promise<number> {
  for (const until = Date.now() + WAIT_FOR_INSERTS_MS; Date.now() < until; await sleep(200)) {
    const [row] = await clickhouse.query<{ running: number }>(RUNNING_INSERTS_SQL)
    if ((row?.running ?? 0) === 0) break
  }
  const [row] = await clickhouse.query<{ newest: number }>(
    'select toUnixTimestamp64Milli(max(created_at)) as newest from click',
  )
  return row?.newest ?? 0
}

/** Ids of the clicks that ClickHouse has in the time of the batch. The table is ordered by time. */
async function findLoadedIds(clickhouse: Clickhouse, { first, last }: Batch): Promise<Set<string>> {
  const [from, until] = [timeText(timeOfId(first)), timeText(timeOfId(last))]
  const sql = `select id from click where created_at >= {from:DateTime64(3, 'UTC')} and created_at <= {until:DateTime64(3, 'UTC')}`
  const { rows } = await clickhouse.table(sql, { from, until })
  return new Set(rows.map(([id]) => String(id)))
}

/** Bulk load of past clicks. `add` formats each click at once, because stored row objects would burden the garbage collector. */
export interface PastClicks {
  readonly count: number
  add(click: InboxClick): void
  /** Inserts all added clicks in one statement. `add` must not be called afterwards. */
  insert(engines: { readonly postgres: Pick<Postgres, 'pool'>; readonly clickhouse: Clickhouse }): Promise<void>
}

/** Must not receive clicks that are in the inbox. `zone` is the business time zone. */
export function createPastClicks(zone: string): PastClicks {
  const writeLine = createLineWriter(zone)
  const lines = createLineBytes()
  const months = new Set<string>()
  return {
    get count() {
      return lines.count
    },
    add(click) {
      const line = writeLine(click)
      months.add(monthOfDay(line.slice(DAY_AT, DAY_AT + DAY_LENGTH)))
      lines.add(line)
    },
    insert: ({ postgres, clickhouse }) =>
      createMonthChanges(postgres).during('click', months, () =>
        clickhouse.insertText('click', CLICK_COLUMNS, 'TabSeparated', lines.finish(), {
          settings: { max_partitions_per_insert_block: 10_000 },
        }),
      ),
  }
}
