// A click as one tab-separated line for ClickHouse. The inbox keeps the line without its head (id, day, time), because the day needs the business
// zone; the hand-over puts the head in front and parses nothing. Bulk loads write their lines here, too.

import type { LiveMessage } from '@tributary/contract/live'
import { dayOf } from '@tributary/contract/period'
import type { Postgres } from '../../postgres/client.ts'
import { publishAllLive } from '../../postgres/live.ts'
import { timeText } from '../cause.ts'
import { CLICK, CLICK_COLUMNS, type ClickField, type InboxClick, LINE_COLUMNS, NO_CLICK } from '../columns.ts'

/** The line of a row `c` of click_inbox as one text that ClickHouse reads as it is. `zone` is the business zone. */
export function lineOfInbox(zone: string): string {
  const day = `(c.created_at at time zone '${checkZone(zone)}')::date`
  return `concat_ws(E'\\t', c.id, ${day}, c.created_at at time zone 'UTC', c.line)`
}

const ZONE = /^[A-Za-z0-9_+\-/]+$/

/** For statements that take no parameters. */
export function checkZone(zone: string): string {
  if (!ZONE.test(zone)) throw new Error(`"${zone}" is not the name of a zone`)
  return zone
}

/** A zone changes its offset on a quarter of an hour at the finest: within one the day is the same for all clicks. */
const QUARTER_MS = 900_000

export function createLineWriter(zone: string): (click: InboxClick) => string {
  const days = new Map<number, string>()
  const businessDay = (time: number): string => {
    const quarter = Math.floor(time / QUARTER_MS)
    const known = days.get(quarter)
    if (known !== undefined) return known
    const day = dayOf(time, zone)
    days.set(quarter, day)
    return day
  }
  return (click) =>
    `${click.id}\t${businessDay(click.created_at)}\t${timeText(click.created_at)}\t${lineOfClick(click)}`
}

const isFirstOfVisitor = (click: InboxClick): boolean => !click.bot && click.canonical_id === null

const DERIVED = {
  is_click: (click: InboxClick) => (click.bot ? '0' : '1'),
  is_unique: (click: InboxClick) => (isFirstOfVisitor(click) ? '1' : '0'),
} as const

/** How the kind of a column is written. */
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

/** What the inbox holds of a click beside its id and time: the columns from offer_partner_id on. */
function lineOfClick(click: InboxClick): string {
  let line = ''
  for (const [place, field] of FIELDS.entries()) line += place === 0 ? field(click) : `\t${field(click)}`
  return line
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
/** The signs that separate and escape; no other control character needs it. */
const SPECIAL = /[\\\t\n\r]/

/** As COPY escapes it. */
export function escapeField(text: string | null): string {
  if (text === null || text === '') return ''
  return SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign) : text
}

// Tells open screens of new clicks: the newest few of a batch for each partner.

const PARTNER = CLICK_COLUMNS.indexOf('partner_id')
const ID = CLICK_COLUMNS.indexOf('id')
/** Of the end of a batch. */
const BYTES = 256 * 1024
const IDS = 20
const PARTNERS = 100

/** `lines`: tab-separated, as they went to ClickHouse. */
export function newsOfClicks(lines: Buffer): LiveMessage[] {
  const byPartner = new Map<number, string[]>()
  const end = lines.subarray(Math.max(0, lines.length - BYTES)).toString('latin1')
  const whole = lines.length > BYTES ? end.slice(end.indexOf('\n') + 1) : end
  for (const line of whole.split('\n').reverse()) {
    const cells = line.split('\t', Math.max(PARTNER, ID) + 1)
    const [partner, id] = [Number(cells[PARTNER]), cells[ID] ?? '']
    if (!Number.isInteger(partner) || id === '') continue
    const ids = byPartner.get(partner)
    if (ids !== undefined) {
      if (ids.length < IDS) ids.push(id)
    } else if (byPartner.size < PARTNERS) byPartner.set(partner, [id])
  }
  return [...byPartner].map(([partner, ids]) => ({ topic: 'click', payload: { ids }, to: { partner } }))
}

export const publishClicks = (postgres: Postgres, lines: Buffer): Promise<void> =>
  publishAllLive(postgres.db, newsOfClicks(lines))

// The time in a click's id: the first 48 bits of a UUIDv7 are milliseconds.

export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Lower than every id of that millisecond. */
export function lowestId(time: number): string {
  const text = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0')
  return `${text.slice(0, 8)}-${text.slice(8)}-0000-0000-000000000000`
}
