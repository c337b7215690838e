// A click as one line of tab-separated text for ClickHouse. The tracker writes it into the inbox as it is, but for the head that needs the
// business zone: handing over puts that in front, and nothing is taken apart on the way. Clicks in bulk become lines here, too.

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

/** What the inbox holds of a click beside its id and time: the columns from offer_partner_id on. */
function lineOfClick(click: InboxClick): string {
  const isUnique = !click.bot && click.canonical_id === null
  const ids = `${click.offer_partner_id}\t${click.offer_id}\t${click.partner_id}\t${click.advertiser_id}\t${click.stream_id}\t${click.traffic_source_id}\t${click.country_id}`
  const kind = `${click.landing_id ?? 0}\t${click.bot ? '1\t0' : '0\t1'}\t${isUnique ? 1 : 0}\t${click.canonical_id ?? NO_CLICK}`
  const subs = `${escapeField(click.site_id)}\t${escapeField(click.sub_id)}\t${escapeField(click.sub2)}\t${escapeField(click.sub3)}\t${escapeField(click.sub4)}\t${escapeField(click.sub5)}`
  const codes = `${escapeField(click.partner_click_id)}\t${escapeField(click.promocode)}\t${escapeField(click.media_id)}\t${click.ip}\t${click.ip_country ?? ''}`
  const visitor = `${escapeField(click.user_agent)}\t${escapeField(click.referrer)}\t${escapeField(click.language)}`
  return `${ids}\t${kind}\t${subs}\t${codes}\t${visitor}\t${escapeField(click.url)}\t${click.target}`
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
/** The signs that separate and escape; no other control character needs it. */
const SPECIAL = /[\\\t\n\r]/

/** As COPY escapes it. */
export function escapeField(text: string | null): string {
  if (text === null || text === '') return ''
  return SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign) : text
}
