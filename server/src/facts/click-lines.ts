// A click as one line of tab-separated text for ClickHouse, made in two places with the same columns: by COPY out of the inbox, so that the
// event loop never takes the rows apart (half the work of JSON on either side), and here out of rows that come in bulk.

import { dayOf } from '@tributary/contract/period'
import { timeText } from './cause.ts'
import { NO_CLICK } from './fact-row.ts'

/** A click of the inbox, its writer apart. Times in milliseconds. */
export interface InboxClick {
  id: string
  created_at: number
  offer_partner_id: number
  offer_id: number
  partner_id: number
  advertiser_id: number
  landing_id: number | null
  stream_id: number
  traffic_source_id: number
  country_id: number
  bot: boolean
  canonical_id: string | null
  site_id: string
  sub_id: string | null
  sub2: string | null
  sub3: string | null
  sub4: string | null
  sub5: string | null
  partner_click_id: string | null
  promocode: string | null
  media_id: string | null
  ip: string
  ip_country: string | null
  user_agent: string | null
  referrer: string | null
  language: string | null
  url: string
  target: string
}

const IDS = [
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'stream_id',
  'traffic_source_id',
  'country_id',
] as const
const TEXTS = [
  'site_id',
  'sub_id',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'partner_click_id',
  'promocode',
  'media_id',
  'ip',
  'ip_country',
  'user_agent',
  'referrer',
  'language',
  'url',
  'target',
] as const

export const CLICK_COLUMNS = [
  'id',
  'day',
  'created_at',
  ...IDS,
  'landing_id',
  'bot',
  'is_click',
  'is_unique',
  'canonical_id',
  ...TEXTS,
]

/** The same columns of a row `c` of click_inbox, as text that ClickHouse reads as it is. `zone` is the business zone. */
export function columnsOfInbox(zone: string): string {
  return `c.id, (c.created_at at time zone '${checkZone(zone)}')::date, c.created_at at time zone 'UTC',
    ${IDS.map((name) => `c.${name}`).join(', ')}, coalesce(c.landing_id, 0), c.bot::int, (not c.bot)::int,
    (not c.bot and c.canonical_id is null)::int, coalesce(c.canonical_id, '${NO_CLICK}'),
    ${TEXTS.map((name) => `coalesce(c.${name}, '')`).join(', ')}`
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
  return (click) => {
    const isUnique = !click.bot && click.canonical_id === null
    let line = `${click.id}\t${businessDay(click.created_at)}\t${timeText(click.created_at)}`
    for (const name of IDS) line += `\t${click[name]}`
    line += `\t${click.landing_id ?? 0}\t${click.bot ? '1\t0' : '0\t1'}\t${isUnique ? 1 : 0}\t${click.canonical_id ?? NO_CLICK}`
    for (const name of TEXTS) line += `\t${escapeText(click[name])}`
    return line
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
/** The signs that separate and escape; no other control character needs it. */
const SPECIAL = /[\\\t\n\r]/

/** As COPY escapes it. */
function escapeText(text: string | null): string {
  if (text === null || text === '') return ''
  return SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign) : text
}
