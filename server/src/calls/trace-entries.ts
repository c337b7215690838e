// Builds the entries of a trace from all sources, in chronological order.
import type { Calls } from '@tributary/contract/calls/registry'
import { endOfDay } from '@tributary/contract/period'
import type { Row } from '../entities/engine/model/model.ts'
import type { Answer } from './handler.ts'

export type Entry = Answer<Calls['trace']>['entries'][number]

/** `at` is ISO 8601. */
export interface TracedAttempt {
  postback_id: number
  number: number
  at: string
  method: string
  url: string
  code: number | null
  error: string | null
}

export interface TracedEvent {
  type: string
  at: string
  amount: string | null
  currency: string | null
  transaction_id: string | null
}

export interface TraceData {
  readonly click: Row | null
  readonly player: Row | null
  readonly postbacks: readonly Row[]
  readonly attempts: readonly TracedAttempt[]
  readonly events: readonly TracedEvent[]
  readonly urls: readonly { readonly at: string; readonly url: string }[]
  readonly changes: readonly { readonly at: string; readonly by: string | null; readonly text: string | null }[]
  /** Business time zone, in which days end. */
  readonly businessZone: string
}

const BLANK = {
  day: null,
  side: 'own',
  event: null,
  status: null,
  reason: null,
  text: null,
  amount: null,
  currency: null,
  ref: null,
} as const satisfies Partial<Entry>

/** Text of a value: PostgreSQL returns instants as Dates, ClickHouse as texts. Null for an empty value. */
export function textOf(value: unknown): string | null {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' && value !== '' ? value : null
}

export const timeOf = (value: unknown): string => textOf(value) ?? new Date(0).toISOString()

export function listEntries(story: TraceData): Entry[] {
  const { attempts, urls, changes } = story
  const entries: Entry[] = [
    ...clickEntries(story.click),
    ...playerEntries(story),
    ...story.postbacks.map(postbackEntry),
    ...attempts.map((attempt) => attemptEntry(attempt, story.postbacks)),
    ...urls.map(({ at, url }): Entry => ({ ...BLANK, at, kind: 'url_added', side: 'partner', text: url })),
    ...changes.map(
      ({ at, by, text }): Entry => ({ ...BLANK, at, kind: 'change', text: [by, text].filter(Boolean).join(': ') }),
    ),
  ]
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function clickEntries(click: Row | null): Entry[] {
  if (click === null) return []
  const at = timeOf(click.created_at)
  const links = click.links as { partner?: string | null; advertiser?: string | null } | undefined
  const status = click.bot === true ? 'bot' : textOf(click.uniqueness)
  const ref = { entity: 'click' as const, id: String(click.id) }
  const clickEntry: Entry = { ...BLANK, at, kind: 'click', side: 'partner', status, text: links?.partner ?? null, ref }
  const target = links?.advertiser
  return target ? [clickEntry, { ...BLANK, at, kind: 'redirect', side: 'advertiser', text: target }] : [clickEntry]
}

function playerEntries({ player, events, businessZone }: TraceData): Entry[] {
  if (player === null) return []
  const ref = { entity: 'player' as const, id: Number(player.id) }
  const entries: Entry[] = []
  const registered = textOf(player.registered_at)
  if (registered !== null) {
    const status = textOf(player.attribution)
    entries.push({ ...BLANK, at: registered, kind: 'registration', side: 'advertiser', event: 'reg', status, ref })
  }
  const deposited = textOf(player.first_deposit_at)
  for (const { type, at, amount, currency, transaction_id: text } of events) {
    if (type === 'reg') continue
    const isFirst = type === 'dep' && deposited !== null && Date.parse(at) === Date.parse(deposited)
    const kind = isFirst ? 'first_deposit' : 'event'
    entries.push({ ...BLANK, at, kind, side: 'advertiser', event: isFirst ? 'ftd' : type, amount, currency, text })
  }
  const day = textOf(player.qualified_at)
  if (day !== null) {
    const at = new Date(endOfDay(day, businessZone)).toISOString()
    const status = textOf(player.qualification)
    entries.push({ ...BLANK, at, day, kind: 'qualified', event: 'bl', status, ref })
  }
  return entries
}

function postbackEntry(row: Row): Entry {
  const isOut = row.direction === 'out'
  return {
    ...BLANK,
    at: timeOf(row.created_at),
    kind: isOut ? 'postback_out' : 'postback_in',
    side: isOut ? 'partner' : 'advertiser',
    event: textOf(row.event_type),
    status: textOf(row.status),
    reason: textOf(row.reason),
    text: textOf(isOut ? row.partner_postback_url : row.url),
    amount: textOf(row.deposit_sum),
    currency: textOf(row.currency),
    ref: { entity: 'postback', id: Number(row.id) },
  }
}

function attemptEntry(attempt: TracedAttempt, postbacks: readonly Row[]): Entry {
  const { at, number, method, url, code, error, postback_id: id } = attempt
  const of = postbacks.find((row) => row.id === id)
  return {
    ...BLANK,
    at,
    kind: 'attempt',
    side: 'partner',
    event: textOf(of?.event_type),
    status: error === null ? 'sent' : 'failed',
    text: `${number}. ${method} ${url} → ${code ?? error}`,
    ref: { entity: 'postback', id },
  }
}
