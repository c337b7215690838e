// Clicks as one message to PostgreSQL: a binary COPY, written into a buffer as clicks arrive and sent in one piece. It does not wait for the
// server's consent, because the protocol drops the data if the statement fails. One batch is one transaction.

import { escapeField } from '../../facts/clicks/click-lines.ts'
import type { InboxClick } from '../../facts/columns.ts'
import { NO_CLICK } from '../../facts/columns.ts'

export const COPY_CLICKS = 'copy click_inbox (id, writer, created_at, line) from stdin (format binary)'
const COLUMNS = 4

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
/** Most bytes that a unit of a text becomes: three of UTF-8, or two when it is escaped. */
const UNIT_BYTES = 3
const DASH = 45
const TAB = 9
const ZERO = 48
const BACKSLASH = 92
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

  /** The line is the one of `lineOfClick`, written without making it a text first. */
  add(row: InboxClick, writer: number): void {
    this.#makeRoom(ROW_BYTES + UNIT_BYTES * textLength(row))
    this.#view.setInt16(this.#end, COLUMNS)
    this.#end += 2
    this.#uuid(row.id)
    this.#int32(4)
    this.#int32(writer)
    this.#time(row.created_at)
    const lengthAt = this.#end
    this.#end += 4
    this.#number(row.offer_partner_id)
    this.#number(row.offer_id)
    this.#number(row.partner_id)
    this.#number(row.advertiser_id)
    this.#number(row.stream_id)
    this.#number(row.traffic_source_id)
    this.#number(row.country_id)
    this.#number(row.landing_id ?? 0)
    this.#number(row.bot ? 1 : 0)
    this.#number(row.bot ? 0 : 1)
    this.#number(!row.bot && row.canonical_id === null ? 1 : 0)
    this.#field(row.canonical_id ?? NO_CLICK)
    this.#field(row.site_id)
    this.#field(row.sub_id)
    this.#field(row.sub2)
    this.#field(row.sub3)
    this.#field(row.sub4)
    this.#field(row.sub5)
    this.#field(row.partner_click_id)
    this.#field(row.promocode)
    this.#field(row.media_id)
    this.#field(row.ip)
    this.#field(row.ip_country)
    this.#field(row.user_agent)
    this.#field(row.referrer)
    this.#field(row.language)
    this.#field(row.url)
    this.#field(row.target)
    // The last field has no tab after it.
    this.#end--
    this.#view.setInt32(lengthAt, this.#end - lengthAt - 4)
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

  #time(milliseconds: number): void {
    const microseconds = (milliseconds - EPOCH_MS) * 1000
    this.#int32(8)
    this.#int32(Math.floor(microseconds / 2 ** 32))
    this.#int32(microseconds % 2 ** 32)
  }

  #uuid(value: string): void {
    this.#int32(16)
    let at = this.#end
    for (let index = 0; index < 36; index += 2) {
      if (value.charCodeAt(index) === DASH) index++
      this.#view.setUint8(at++, (digitAt(value, index) << 4) | digitAt(value, index + 1))
    }
    this.#end = at
  }

  /** A whole number that is not negative, in digits, and a tab. */
  #number(value: number): void {
    const bytes = this.#bytes
    let width = 1
    for (let bound = 10; value >= bound; bound *= 10) width++
    let rest = value
    for (let at = this.#end + width - 1; at >= this.#end; at--) {
      const next = Math.floor(rest / 10)
      bytes[at] = ZERO + rest - next * 10
      rest = next
    }
    bytes[this.#end + width] = TAB
    this.#end += width + 1
  }

  /** A text and a tab; nothing for what is absent. */
  #field(value: string | null): void {
    if (value !== null)
      this.#end += this.#plain(value) ? value.length : this.#bytes.write(escapeField(value), this.#end)
    this.#bytes[this.#end++] = TAB
  }

  /** Most texts are short and plain: no call out of JavaScript for them. */
  #plain(value: string): boolean {
    if (value.length > SHORT) return false
    const bytes = this.#bytes
    const start = this.#end
    for (let index = 0; index < value.length; index++) {
      const unit = value.charCodeAt(index)
      if (unit > 0x7e || unit < 0x20 || unit === BACKSLASH) return false
      bytes[start + index] = unit
    }
    return true
  }
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function digitAt(value: string, index: number): number {
  const unit = value.charCodeAt(index)
  return unit < 58 ? unit - 48 : unit - 87
}

function textLength(row: InboxClick): number {
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
