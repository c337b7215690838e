// A click as one tab-separated line for ClickHouse. The inbox stores the line without its head (id, day, time), because the day depends on the
// business time zone. The hand-over prepends the head and parses nothing. Bulk loads write whole lines.

import type { LiveMessage } from '@tributary/contract/live'
import { dayOf } from '@tributary/contract/period'
import type { Postgres } from '../../postgres/client.ts'
import { publishAllLive } from '../../postgres/live.ts'
import { timeText } from '../cause.ts'
import { CLICK, CLICK_COLUMNS, type ClickField, type InboxClick, LINE_COLUMNS, NO_CLICK } from '../columns.ts'

/** SQL of the whole line of a row `c` of click_inbox. `zone` is the business time zone. */
export function inboxLineSql(zone: string): string {
  const day = `(c.created_at at time zone '${checkZone(zone)}')::date`
  return `concat_ws(E'\\t', c.id, ${day}, c.created_at at time zone 'UTC', c.line)`
}

const ZONE = /^[A-Za-z0-9_+\-/]+$/

/** Returns the zone if it is safe inside a statement that takes no parameters; otherwise throws. */
export function checkZone(zone: string): string {
  if (!ZONE.test(zone)) throw new Error(`"${zone}" is not the name of a zone`)
  return zone
}

/** Zone offsets are multiples of a quarter of an hour, so all clicks of one quarter have the same business day. */
const QUARTER_MS = 900_000

/** Returns a writer of the click's line for ClickHouse. `zone` is the business time zone, by which the click gets its day. */
export function createLineWriter(zone: string): (click: InboxClick) => string {
  const days = new Map<number, string>()
  const businessDay = (time: number): string => {
    const quarter = Math.floor(time / QUARTER_MS)
    const cached = days.get(quarter)
    if (cached !== undefined) return cached
    const day = dayOf(time, zone)
    days.set(quarter, day)
    return day
  }
  return (click) => `${click.id}\t${businessDay(click.created_at)}\t${timeText(click.created_at)}\t${clickLine(click)}`
}

const isFirstOfVisitor = (click: InboxClick): boolean => !click.bot && click.canonical_id === null

const DERIVED = {
  is_click: (click: InboxClick) => (click.bot ? '0' : '1'),
  is_unique: (click: InboxClick) => (isFirstOfVisitor(click) ? '1' : '0'),
} as const

/** Formats a field by the kind of its column. */
const WRITERS = {
  id: (click, name) => String(click[name]),
  'id?': (click, name) => String(click[name] ?? 0),
  boolean: (click, name) => (click[name] === true ? '1' : '0'),
  'uuid?': (click, name) => String(click[name] ?? NO_CLICK),
  text: (click, name) => escapeField(String(click[name])),
  'text?': (click, name) => escapeField(String(click[name] ?? '')),
} as const satisfies Record<(typeof CLICK)[ClickField], (click: InboxClick, name: ClickField) => string>

const FIELDS = LINE_COLUMNS.map((name): ((click: InboxClick) => string) => {
  if (name === 'is_click' || name === 'is_unique') return DERIVED[name]
  const write = WRITERS[CLICK[name]]
  return (click) => write(click, name)
})

/** The line that the inbox stores: LINE_COLUMNS, tab-separated. */
function clickLine(click: InboxClick): string {
  let line = ''
  for (const [place, field] of FIELDS.entries()) line += place === 0 ? field(click) : `\t${field(click)}`
  return line
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
/** Only these characters separate or escape fields; others need no escape. */
const SPECIAL = /[\\\t\n\r]/

/** Escapes a field as COPY does; null becomes an empty field. */
export function escapeField(text: string | null): string {
  if (text === null || text === '') return ''
  return SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign) : text
}

const PARTNER_CELL = CLICK_COLUMNS.indexOf('partner_id')
const ID_CELL = CLICK_COLUMNS.indexOf('id')
/** Only this many bytes at the end of a batch are read. */
const TAIL_BYTES = 256 * 1024
const IDS_PER_PARTNER = 20
const MAX_PARTNERS = 100

/** The live events of new clicks: the newest few ids for each partner. `lines` are the tab-separated lines that ClickHouse received. */
function liveClickMessages(lines: Buffer): LiveMessage[] {
  const byPartner = new Map<number, string[]>()
  const end = lines.subarray(Math.max(0, lines.length - TAIL_BYTES)).toString('latin1')
  const whole = lines.length > TAIL_BYTES ? end.slice(end.indexOf('\n') + 1) : end
  for (const line of whole.split('\n').reverse()) {
    const cells = line.split('\t', Math.max(PARTNER_CELL, ID_CELL) + 1)
    const [partner, id] = [Number(cells[PARTNER_CELL]), cells[ID_CELL] ?? '']
    if (!Number.isInteger(partner) || id === '') continue
    const ids = byPartner.get(partner)
    if (ids !== undefined) {
      if (ids.length < IDS_PER_PARTNER) ids.push(id)
    } else if (byPartner.size < MAX_PARTNERS) byPartner.set(partner, [id])
  }
  return [...byPartner].map(([partner, ids]) => ({ topic: 'click', payload: { ids }, to: { partner } }))
}

/** Publishes live events of the clicks in these lines. */
export const publishClicks = (postgres: Postgres, lines: Buffer): Promise<void> =>
  publishAllLive(postgres.db, liveClickMessages(lines))

/** Milliseconds in the first 48 bits of a UUIDv7. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** An id that is lower than every click id of that millisecond. */
export function lowestId(time: number): string {
  const text = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0')
  return `${text.slice(0, 8)}-${text.slice(8)}-0000-0000-000000000000`
}
