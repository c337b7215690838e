// Clicks as one message to PostgreSQL: COPY in its binary form, written into a buffer as they arrive, sent in one piece without waiting for
// the server's consent (the protocol drops the data when the statement fails). One batch is one transaction.

import type { ClickRow } from './click-row.ts'

const COLUMNS = [
  'id',
  'writer',
  'created_at',
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'landing_id',
  'stream_id',
  'traffic_source_id',
  'country_id',
  'bot',
  'canonical_id',
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

export const COPY_CLICKS = `copy click_inbox (${COLUMNS.join(', ')}) from stdin (format binary)`

/** Query message, head of the CopyData message, signature of the binary form. */
const HEAD = Buffer.concat([
  message('Q', Buffer.from(`${COPY_CLICKS}\0`)),
  Buffer.from('d\0\0\0\0'),
  Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1'),
])
const DATA_LENGTH_AT = HEAD.length - 19 - 4
/** End of the binary form, then CopyDone. */
const TAIL = Buffer.from([0xff, 0xff, 0x63, 0, 0, 0, 4])
const FIRST_BYTES = 256 * 1024
/** What a row takes beside its texts. */
const ROW_BYTES = 400
/** The length of what is absent. */
const NULL = -1
const DASH = 45
/** Up to this length a text is written by hand. */
const SHORT = 40
/** Between 1970 and 2000, where PostgreSQL begins to count. */
const EPOCH_MS = 946_684_800_000

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

export class ClickBatch {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #view = viewOf(this.#bytes)
  #end = 0
  #rows = 0

  constructor() {
    this.clear()
  }

  get rows(): number {
    return this.#rows
  }

  clear(): void {
    if (this.#bytes.length > FIRST_BYTES * 8) this.#keep(Buffer.allocUnsafeSlow(FIRST_BYTES))
    HEAD.copy(this.#bytes)
    this.#end = HEAD.length
    this.#rows = 0
  }

  /** The whole conversation. The buffer is used again after `clear`. */
  finish(): Buffer {
    this.#makeRoom(TAIL.length)
    TAIL.copy(this.#bytes, this.#end)
    this.#bytes.writeInt32BE(this.#end + 2 - DATA_LENGTH_AT, DATA_LENGTH_AT)
    return this.#bytes.subarray(0, this.#end + TAIL.length)
  }

  add(row: ClickRow, writer: number): void {
    this.#makeRoom(ROW_BYTES + 3 * textLength(row))
    this.#view.setInt16(this.#end, COLUMNS.length)
    this.#end += 2
    this.#uuid(row.id)
    this.#integer(writer)
    this.#time(row.created_at)
    this.#integer(row.offer_partner_id)
    this.#integer(row.offer_id)
    this.#integer(row.partner_id)
    this.#integer(row.advertiser_id)
    this.#integer(row.landing_id)
    this.#integer(row.stream_id)
    this.#integer(row.traffic_source_id)
    this.#integer(row.country_id)
    this.#boolean(row.bot)
    this.#uuid(row.canonical_id)
    this.#text(row.site_id)
    this.#text(row.sub_id)
    this.#text(row.sub2)
    this.#text(row.sub3)
    this.#text(row.sub4)
    this.#text(row.sub5)
    this.#text(row.partner_click_id)
    this.#text(row.promocode)
    this.#text(row.media_id)
    this.#text(row.ip)
    this.#text(row.ip_country)
    this.#text(row.user_agent)
    this.#text(row.referrer)
    this.#text(row.language)
    this.#text(row.url)
    this.#text(row.target)
    this.#rows++
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#end + bytes))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#keep(larger)
  }

  #keep(bytes: Buffer<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#view = viewOf(bytes)
  }

  #int32(value: number): void {
    this.#view.setInt32(this.#end, value)
    this.#end += 4
  }

  #integer(value: number | null): void {
    if (value === null) {
      this.#int32(NULL)
      return
    }
    this.#int32(4)
    this.#int32(value)
  }

  #boolean(value: boolean): void {
    this.#int32(1)
    this.#view.setUint8(this.#end++, value ? 1 : 0)
  }

  #time(milliseconds: number): void {
    const microseconds = (milliseconds - EPOCH_MS) * 1000
    this.#int32(8)
    this.#int32(Math.floor(microseconds / 2 ** 32))
    this.#int32(microseconds % 2 ** 32)
  }

  #uuid(value: string | null): void {
    if (value === null) {
      this.#int32(NULL)
      return
    }
    this.#int32(16)
    let at = this.#end
    for (let index = 0; index < 36; index += 2) {
      if (value.charCodeAt(index) === DASH) index++
      this.#view.setUint8(at++, (digitAt(value, index) << 4) | digitAt(value, index + 1))
    }
    this.#end = at
  }

  #text(value: string | null): void {
    if (value === null) {
      this.#int32(NULL)
      return
    }
    const at = this.#end + 4
    const written = value.length <= SHORT && this.#writeAscii(value, at) ? value.length : this.#bytes.write(value, at)
    this.#int32(written)
    this.#end = at + written
  }

  /** Most texts are short and plain: no call out of JavaScript for them. */
  #writeAscii(value: string, at: number): boolean {
    for (let index = 0; index < value.length; index++) {
      const unit = value.charCodeAt(index)
      if (unit > 0x7f) return false
      this.#view.setUint8(at + index, unit)
    }
    return true
  }
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function digitAt(value: string, index: number): number {
  const unit = value.charCodeAt(index)
  return unit < 58 ? unit - 48 : unit - 87
}

function textLength(row: ClickRow): number {
  const optional = [
    row.sub_id,
    row.sub2,
    row.sub3,
    row.sub4,
    row.sub5,
    row.partner_click_id,
    row.promocode,
    row.media_id,
  ]
  let sum =
    row.url.length +
    row.target.length +
    row.site_id.length +
    (row.user_agent?.length ?? 0) +
    (row.referrer?.length ?? 0)
  for (const text of optional) if (text !== null) sum += text.length
  return sum
}
