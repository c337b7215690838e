// Stores in memory the first click of every (partner offer, IP, user agent) in the uniqueness window, 24 bytes each in flat hash tables.
// A full table drops expired entries, and beyond the bound the oldest ones. A start restores it from the clicks of the last window.

import type { Clickhouse } from '../../clickhouse/client.ts'
import { type Fingerprint, fingerprint, mix32 } from '../../lib/text-fingerprint.ts'

/** The key by which a visitor is recognized. */
export interface Visit {
  readonly offerPartnerId: number
  readonly address: Fingerprint
  readonly agent: Fingerprint
}

/** The first clicks of the uniqueness window. */
export interface Uniqueness {
  /** Returns the id of the first click in this visit's window; null if `id` is that first click, which is then stored. */
  claim(visit: Visit, id: string, now: number): string | null
  /** Undoes `claim` for a first click that could not be recorded. */
  release(visit: Visit, id: string): void
  /** Stores a recorded first click; of two, the earlier one stays. */
  restore(visit: Visit, id: string): void
  readonly size: number
}

/** Each place has the high and low word of the visit's fingerprint, then four words of the id. The id of an empty place is 0. */
const WORDS_PER_PLACE = 6
const TABLE_COUNT = 64
const MIN_PLACES = 64
const MAX_FULLNESS = 0.7
const MILLISECONDS_HIGH = 0x10000
/** Fills the words of a released id, so that its time is older than any window. */
const RELEASED_WORD = 1

interface Table {
  words: Uint32Array
  used: number
  /** The table is rebuilt when `used` reaches it. */
  limit: number
}

/** `windowOf` returns the window in milliseconds; `bound` is the maximal number of visits. */
export function createUniqueness(windowOf: () => number, bound = 4_000_000): Uniqueness {
  const tables: Table[] = Array.from({ length: TABLE_COUNT }, () => emptyTable())
  const most = Math.ceil(bound / TABLE_COUNT)
  let high = 0
  let low = 0

  function open(visit: Visit): Table {
    high = mix32(
      visit.address.high ^ Math.imul(visit.agent.high, 0x9e3779b1) ^ Math.imul(visit.offerPartnerId, 0x85ebca77),
    )
    low = mix32(
      visit.address.low ^ Math.imul(visit.agent.low, 0x27d4eb2f) ^ Math.imul(visit.offerPartnerId, 0x165667b1),
    )
    return tables[high & (TABLE_COUNT - 1)] as Table
  }

  function put(table: Table, at: number, id: string): void {
    const { words } = table
    if (words[at + 2] === 0) table.used++
    words[at] = high
    words[at + 1] = low
    writeId(words, at + 2, id)
  }

  function makeRoom(table: Table, now: number): void {
    if (table.used >= table.limit) rebuild(table, now - windowOf(), most)
  }

  return {
    claim(visit, id, now) {
      const table = open(visit)
      makeRoom(table, now)
      const at = findPlace(table.words, high, low)
      if (table.words[at + 2] !== 0 && timeAt(table.words, at) > now - windowOf()) return readId(table.words, at + 2)
      put(table, at, id)
      return null
    },
    release(visit, id) {
      const { words } = open(visit)
      const at = findPlace(words, high, low)
      if (words[at + 2] !== 0 && readId(words, at + 2) === id) words.fill(RELEASED_WORD, at + 2, at + WORDS_PER_PLACE)
    },
    restore(visit, id) {
      const table = open(visit)
      makeRoom(table, Date.now())
      const at = findPlace(table.words, high, low)
      const isOlder =
        table.words[at + 2] !== 0 && table.words[at + 2] !== RELEASED_WORD && readId(table.words, at + 2) <= id
      if (!isOlder) put(table, at, id)
    },
    get size() {
      return tables.reduce((sum, table) => sum + table.used, 0)
    },
  }
}

const emptyTable = (): Table => ({
  words: new Uint32Array(MIN_PLACES * WORDS_PER_PLACE),
  used: 0,
  limit: Math.floor(MIN_PLACES * MAX_FULLNESS),
})

/** The index of the fingerprint's place, or of the empty place where it belongs. Tables are never full, so the search ends. */
function findPlace(words: Uint32Array, high: number, low: number): number {
  const last = words.length / WORDS_PER_PLACE - 1
  let slot = low & last
  while (true) {
    const at = slot * WORDS_PER_PLACE
    if (words[at + 2] === 0 || (words[at] === high && words[at + 1] === low)) return at
    slot = (slot + 1) & last
  }
}

/** Keeps the entries younger than `since`; if these reach `most`, only the younger half of them. */
function rebuild(table: Table, since: number, most: number): void {
  const { words } = table
  const times: number[] = []
  for (let at = 0; at < words.length; at += WORDS_PER_PLACE) {
    if (words[at + 2] !== 0 && timeAt(words, at) > since) times.push(timeAt(words, at))
  }
  let oldest = since
  if (times.length >= most) oldest = times.sort((a, b) => a - b)[times.length >> 1] ?? since
  const kept = oldest === since ? times.length : times.filter((time) => time > oldest).length
  let places = MIN_PLACES
  while (places * MAX_FULLNESS * 0.7 < kept + 1) places *= 2
  const next = new Uint32Array(places * WORDS_PER_PLACE)
  for (let at = 0; at < words.length; at += WORDS_PER_PLACE) {
    if (words[at + 2] === 0 || timeAt(words, at) <= oldest) continue
    next.set(words.subarray(at, at + WORDS_PER_PLACE), findPlace(next, words[at] ?? 0, words[at + 1] ?? 0))
  }
  table.words = next
  table.used = kept
  table.limit = Math.floor(places * MAX_FULLNESS)
}

const timeAt = (words: Uint32Array, at: number): number =>
  (words[at + 2] ?? 0) * MILLISECONDS_HIGH + ((words[at + 3] ?? 0) >>> 16)

function writeId(words: Uint32Array, at: number, id: string): void {
  words[at] = Number.parseInt(id.slice(0, 8), 16)
  words[at + 1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16)
  words[at + 2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16)
  words[at + 3] = Number.parseInt(id.slice(28), 16)
}

function readId(words: Uint32Array, at: number): string {
  const [a = 0, b = 0, c = 0, d = 0] = [words[at], words[at + 1], words[at + 2], words[at + 3]]
  return `${hex16(a >>> 16)}${hex16(a)}-${hex16(b >>> 16)}-${hex16(b)}-${hex16(c >>> 16)}-${hex16(c)}${hex16(d >>> 16)}${hex16(d)}`
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const hex16 = (value: number): string => `${HEX[(value >>> 8) & 0xff]}${HEX[value & 0xff]}`

/** The first click of a visitor, as both engines store it. */
export interface FirstClick {
  id: string
  offer_partner_id: number
  ip: string
  user_agent: string | null
}

export const FIRST_CLICK_COLUMNS = 'id, offer_partner_id, ip, user_agent'

/** The key of a click's visitor. */
export const toVisit = (click: Omit<FirstClick, 'id'>): Visit => ({
  offerPartnerId: click.offer_partner_id,
  address: fingerprint(click.ip),
  agent: fingerprint(click.user_agent ?? ''),
})

/** First clicks that ClickHouse has since `since` (milliseconds), in order of time. */
export async function* readFirstClicks(
  clickhouse: Clickhouse,
  since: number,
): AsyncGenerator<{ id: string; visit: Visit }> {
  const firsts = `select ${FIRST_CLICK_COLUMNS} from click
    where created_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') and is_unique = 1 order by created_at, id`
  for await (const click of clickhouse.queryStream<FirstClick>(firsts, { since: Math.floor(since) }))
    yield { id: click.id, visit: toVisit(click) }
}
