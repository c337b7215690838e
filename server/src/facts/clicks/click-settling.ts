// Settling decides a visitor's first click when several trackers ran at the same time and each saw only its own clicks. The hand-over sees
// all of them, and the earliest counts. If a single tracker ran, its decision is exact and settling changes nothing.

import type { Clickhouse } from '../../clickhouse/client.ts'
import type { Postgres } from '../../postgres/client.ts'
import { timeText } from '../cause.ts'
import { type CLICK, CLICK_COLUMNS, NO_CLICK } from '../columns.ts'
import { createMonthChanges, type MonthChanges } from '../months/month-changes.ts'
import { timeOfId } from './click-lines.ts'
import { createUniqueness, readFirstClicks, toVisit, type Uniqueness } from './uniqueness.ts'
import { type ClickSpan, createWriterWatch } from './writer-watch.ts'

/** Settles lines in the order of their ids. It may receive the same lines again after a crash. */
export type SettleClicks = (lines: Buffer, spans: readonly ClickSpan[]) => Promise<Buffer>

interface Engines {
  readonly postgres: Pick<Postgres, 'pool'>
  readonly clickhouse: Clickhouse
}

interface Settled {
  readonly lines: string[]
  /** Maps ids of clicks that are no longer the first to the earlier click that replaces them. */
  readonly overtaken: Map<string, string>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How far the stored last click of a writer may lag behind. */
const SLACK_MS = 2 * HOUR_MS

const column = (name: keyof typeof CLICK): number => CLICK_COLUMNS.indexOf(name)
const CELL = {
  offerPartner: column('offer_partner_id'),
  bot: column('bot'),
  isUnique: column('is_unique'),
  canonical: column('canonical_id'),
  ip: column('ip'),
  agent: column('user_agent'),
}

/** Each loader needs its own instance, because the instance remembers the clicks that it has seen. */
export function createClickSettling(
  { postgres, clickhouse }: Engines,
  changes: MonthChanges = createMonthChanges(postgres),
): SettleClicks {
  const watch = createWriterWatch(postgres.pool)
  let window = 0
  let uniqueness: Uniqueness | undefined

  return async (lines, spans) => {
    window = await readWindow(postgres)
    const now = Math.max(...spans.map(({ last }) => timeOfId(last)))
    if (!(await watch.mayOverlap(spans, now - window - SLACK_MS))) {
      uniqueness = undefined
      return lines
    }
    if (uniqueness === undefined) {
      uniqueness = createUniqueness(() => window)
      const oldest = Math.min(...spans.map(({ first }) => timeOfId(first)))
      for await (const { id, visit } of readFirstClicks(clickhouse, oldest - window))
        uniqueness.claim(visit, id, timeOfId(id))
    }
    const settled = await settleLines(lines, uniqueness, { clickhouse, window })
    await demote(clickhouse, settled.overtaken, window, changes)
    return Buffer.from(settled.lines.join('\n'))
  }
}

async function readWindow({ pool }: Pick<Postgres, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ hours: number }>('select uniqueness_hours as hours from setting')
  return (rows[0]?.hours ?? 24) * HOUR_MS
}

async function settleLines(
  lines: Buffer,
  uniqueness: Uniqueness,
  from: { clickhouse: Clickhouse; window: number },
): Promise<Settled> {
  const settled: Settled = { lines: [], overtaken: new Map() }
  for (const line of lines.toString().split('\n')) {
    if (line === '') continue
    const cells = line.split('\t')
    if (cells[CELL.bot] === '0') {
      const canonical = await findCanonical(cells, uniqueness, from, settled.overtaken)
      cells[CELL.isUnique] = canonical === undefined ? '1' : '0'
      cells[CELL.canonical] = canonical ?? NO_CLICK
    }
    settled.lines.push(cells.join('\t'))
  }
  return settled
}

/** The id of the visitor's first click; undefined if this click is the first one. */
async function findCanonical(
  cells: readonly string[],
  uniqueness: Uniqueness,
  { clickhouse, window }: { clickhouse: Clickhouse; window: number },
  overtaken: Map<string, string>,
): Promise<string | undefined> {
  const [id = ''] = cells
  const visitor = {
    offerPartner: Number(cells[CELL.offerPartner]),
    ip: cells[CELL.ip] ?? '',
    agent: readField(cells[CELL.agent] ?? ''),
  }
  const visit = toVisit({ offer_partner_id: visitor.offerPartner, ip: visitor.ip, user_agent: visitor.agent })
  const first = uniqueness.claim(visit, id, timeOfId(id))
  if (first === null || first === id) return undefined
  if (first < id) return first
  // If this click waited for long, the later `first` may belong to another window and stays a first click.
  const isOfItsDay = timeOfId(first) - timeOfId(id) < window
  const before = await findFirstBefore(clickhouse, visitor, id, window)
  if (before !== undefined || !isOfItsDay) return before
  uniqueness.restore(visit, id)
  overtaken.set(first, id)
  return undefined
}

const ESCAPED: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\r': '\r', '\\\\': '\\' }
const readField = (field: string): string =>
  field.includes('\\') ? field.replaceAll(/\\[tnr\\]/g, (sign) => ESCAPED[sign] ?? sign) : field

const FIRST_BEFORE_SQL = `select toString(id) as id from click
  where created_at > {from:DateTime64(3, 'UTC')} and created_at <= {to:DateTime64(3, 'UTC')} and is_unique = 1
    and offer_partner_id = {offer_partner:UInt32} and ip = {ip:String} and user_agent = {agent:String} and toString(id) < {id:String}
  order by created_at desc, id desc limit 1`

/** The last first click of this visitor before `id`. Called only if a later click of the visitor arrived earlier. */
async function findFirstBefore(
  clickhouse: Clickhouse,
  { offerPartner, ip, agent }: { offerPartner: number; ip: string; agent: string },
  id: string,
  window: number,
): Promise<string | undefined> {
  const time = timeOfId(id)
  const params = { from: timeText(time - window), to: timeText(time), offer_partner: offerPartner, ip, agent, id }
  const [row] = await clickhouse.query<{ id: string }>(FIRST_BEFORE_SQL, params)
  return row?.id
}

/** Marks overtaken clicks as repeated. It runs before the earlier clicks are inserted: after a crash they come again, still as the first. */
async function demote(
  clickhouse: Clickhouse,
  overtaken: ReadonlyMap<string, string>,
  window: number,
  changes: MonthChanges,
): Promise<void> {
  if (overtaken.size === 0) return
  const [before, after] = [[...overtaken.keys()], [...overtaken.values()]]
  const uuids = (ids: readonly string[]): string => `[${ids.map((id) => `'${id}'`).join(', ')}]`
  const times = before.map(timeOfId)
  const from = timeText(Math.min(...times))
  const to = timeText(Math.max(...times) + window)
  // A business day differs from the UTC day by at most one day, so other months need no update.
  const months = [Math.min(...times) - DAY_MS, Math.max(...times) + window + DAY_MS]
  const partitions = await clickhouse.query<{ id: string }>(
    `select distinct partition_id as id from system.parts where active and database = currentDatabase() and table = 'click'
      and toUInt32(partition) between ${months.map((time) => timeText(time).slice(0, 7).replace('-', '')).join(' and ')}`,
  )
  const demoteIn = (month: string): Promise<void> =>
    clickhouse.exec(
      `alter table click${clickhouse.macros.on_cluster} update is_unique = 0,
      canonical_id = toUUID(transform(toString(if(is_unique = 1, id, canonical_id)), ${uuids(before)}, ${uuids(after)}, toString(canonical_id)))
    in partition id '${month}'
    where created_at >= toDateTime64('${from}', 3, 'UTC') and created_at <= toDateTime64('${to}', 3, 'UTC') and bot = 0
      and toString(if(is_unique = 1, id, canonical_id)) in (${before.map((id) => `'${id}'`).join(', ')})
    settings mutations_sync = 2`,
    )
  for (const { id } of partitions) await changes.during('click', [id], () => demoteIn(id))
}
