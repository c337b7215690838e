// Parses the parameters of a postback to an event, or to a rejection with its reason. Amounts stay exact; times become milliseconds.

import { formatMoney, parseMoney } from '@tributary/contract/money'
import { dayOf } from '@tributary/contract/period'
import { Temporal } from 'temporal-polyfill'
import { addOurNames, toOurEvent } from '../param-aliases.ts'
import { cleanText } from '../query-text.ts'

export type Params = Readonly<Record<string, string>>

export interface PostbackEvent {
  /** 'reg', 'dep', 'bet', or a custom name of the advertiser. */
  type: string
  playerOuterId: string
  clickId: string | null
  transactionId: string | null
  /** Decimal text with four digits after the point. */
  amount: string | null
  currency: string | null
  country: string | null
  promocode: string | null
  siteId: string | null
  subId: string | null
  /** Milliseconds since 1970. */
  happenedAt: number
  /** Equal for all repetitions of the same event. */
  identity: string
}

export type RejectionCode =
  | 'unknown_uuid'
  | 'inactive'
  | 'wrong_encoding'
  | 'wrong_body'
  | 'too_large'
  | 'missing_event'
  | 'wrong_event'
  | 'missing_player'
  | 'missing_sum'
  | 'wrong_sum'
  | 'unknown_currency'
  | 'wrong_date'
  | 'future_date'

export interface Rejection {
  status: 400 | 404 | 410 | 413 | 422
  code: RejectionCode
  message: string
}

export const rejection = (status: Rejection['status'], code: RejectionCode, message: string): Rejection => ({
  status,
  code,
  message,
})

export const isRejection = (value: object): value is Rejection => 'code' in value && 'status' in value

/** The beginning of a sent value, for use in a message. */
export const quote = (text: string | null): string => cleanText(text ?? '', 40) ?? ''

/** A value such as `{transaction_id}` is a macro that the sender's system did not fill. */
const UNFILLED = /^\{[^{}]*\}$/

/** An unfilled macro counts as absent, except in a click ID, so that the log shows why it did not match. */
const withoutMacro = (name: string, value: string | null): string | null =>
  value !== null && name !== 'click_id' && UNFILLED.test(value) ? null : value

const TEXT_CAP = 255
const EVENT = /^[a-z0-9_.-]{1,64}$/
/** Only the product itself reports this event. */
const QUALIFIED = 'bl'
const WITH_SUM: ReadonlySet<string> = new Set(['dep', 'bet'])
const WHOLE_DIGITS = 14
/** How far the sender's clock may be ahead. */
const AHEAD_MS = 10 * 60_000
const EARLIEST_MS = Date.UTC(2015, 0, 1)

export interface ReadingContext {
  /** The UUID of the called address. */
  uuid: string
  /** Milliseconds since 1970. */
  receivedAt: number
  /** The time zone of dates without a zone. */
  zone: string
}

export function readEvent(sent: Params, context: ReadingContext): PostbackEvent | Rejection {
  const params = addOurNames(sent)
  const text = (name: string, cap = TEXT_CAP): string | null => withoutMacro(name, cleanText(params[name], cap))
  const name = text('event')
  if (name === null)
    return rejection(422, 'missing_event', 'The parameter event is missing: send reg, dep, bet or a name of your own.')
  const type = toOurEvent(name)
  if (!EVENT.test(type))
    return rejection(
      422,
      'wrong_event',
      'The parameter event may hold up to 64 letters, digits, dots, dashes and underscores.',
    )
  if (type === QUALIFIED)
    return rejection(
      422,
      'wrong_event',
      'Qualification (bl) is worked out here: send the deposits and bets it follows from.',
    )
  const playerOuterId = text('player_id')
  if (playerOuterId === null)
    return rejection(422, 'missing_player', 'The parameter player_id is missing: send your own ID of the player.')
  const amount = readAmount(text('sum', 1000))
  if (amount !== null && typeof amount === 'object') return amount
  if (amount === null && WITH_SUM.has(type))
    return rejection(422, 'missing_sum', `The parameter sum is missing: the event ${type} needs an amount.`)
  const happenedAt = readTime(text('date'), context)
  if (typeof happenedAt === 'object') return happenedAt
  const transactionId = text('transaction_id')
  const date = (): string =>
    text('date') === null ? dayOf(context.receivedAt, context.zone) : new Date(happenedAt).toISOString()
  return {
    type,
    playerOuterId,
    clickId: text('click_id'),
    transactionId,
    amount,
    currency: text('currency'),
    country: text('country'),
    promocode: text('promocode'),
    siteId: text('site_id'),
    subId: text('sub_id'),
    happenedAt,
    identity: identify(type, context.uuid, transactionId, () => `${date()}|${amount ?? ''}`),
  }
}

/** A player registers only once. Other events are identified by their transaction, or without one by date and sum. */
function identify(type: string, uuid: string, transactionId: string | null, dateAndSum: () => string): string {
  if (type === 'reg') return 'reg'
  return transactionId === null ? `${uuid}|d|${dateAndSum()}` : `${uuid}|t|${transactionId}`
}

function readAmount(text: string | null): string | null | Rejection {
  if (text === null) return null
  const wrong = (why: string): Rejection =>
    rejection(422, 'wrong_sum', `The parameter sum is ${why}: send a number such as 25 or 25.50.`)
  const units = parseMoney(text)
  if (units === null) return wrong(`not an amount with at most four digits after the point (${quote(text)})`)
  if (text.trim().startsWith('-')) return wrong('negative')
  const amount = formatMoney(units)
  return amount.length > WHOLE_DIGITS + 5 ? wrong(`longer than ${WHOLE_DIGITS} digits`) : amount
}

function readTime(text: string | null, { receivedAt, zone }: ReadingContext): number | Rejection {
  if (text === null) return receivedAt
  const time = parseTime(text, zone)
  if (time === null || time < EARLIEST_MS) {
    const forms = `2026-01-31T18:05:00Z, or 2026-01-31 18:05:00 in ${zone}`
    return rejection(
      422,
      'wrong_date',
      `The parameter date is not a time that can be right (${quote(text)}): send ${forms}.`,
    )
  }
  if (time > receivedAt + AHEAD_MS)
    return rejection(422, 'future_date', `The parameter date lies in the future (${quote(text)}).`)
  return time
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|z|[+ -]?\d{2}:?\d{2})?)?$/

/** Parses a time to milliseconds; null if it is invalid. A space before an offset counts as a '+' that was not encoded. */
function parseTime(text: string, zone: string): number | null {
  const [, day, clock = '00:00', offset] = TIME.exec(text) ?? []
  if (day === undefined) return null
  try {
    if (offset === undefined)
      return Temporal.PlainDateTime.from(`${day}T${clock}`, { overflow: 'reject' }).toZonedDateTime(zone)
        .epochMilliseconds
    const sign = /^[\d ]/.test(offset) ? `+${offset.trim()}` : offset.toUpperCase()
    return Temporal.Instant.from(`${day}T${clock}${sign}`).epochMilliseconds
  } catch {
    return null
  }
}
