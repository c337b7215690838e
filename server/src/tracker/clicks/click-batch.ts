// Builds one message to PostgreSQL from many clicks: a binary COPY that is filled as clicks arrive and sent in one piece. It does not wait for
// the server's CopyInResponse, because the protocol drops the data if the statement fails. One batch is one transaction.

import { escapeField } from '../../facts/clicks/click-lines.ts'
import type { InboxClick } from '../../facts/columns.ts'
import { NO_CLICK } from '../../facts/columns.ts'

const COPY_CLICKS = 'copy click_inbox (id, writer, created_at, line) from stdin (format binary)'
const COLUMNS = 4

/** Query message, header of the CopyData message, header of the binary format. */
const HEAD = Buffer.concat([
  message('Q', Buffer.from(`${COPY_CLICKS}\0`)),
  Buffer.from('d\0\0\0\0'),
  Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1'),
])
const DATA_LENGTH_AT = HEAD.length - 19 - 4
/** Trailer of the binary format, then CopyDone. */
const TAIL = Buffer.from([0xff, 0xff, 0x63, 0, 0, 0, 4])
const FIRST_BYTES = 256 * 1024
/** Bytes of a row without its texts, at most. */
const ROW_BYTES = 400
/** A UTF-16 unit of a text becomes at most three bytes of UTF-8, or two if it is escaped. */
const MAX_BYTES_PER_UNIT = 3
const DASH = 45
const TAB = 9
const ZERO = 48
const BACKSLASH = 92
/** Shorter texts are written byte by byte in JavaScript. */
const SHORT_LENGTH = 40
/** Milliseconds from 1970 to 2000, which is PostgreSQL's epoch. */
const EPOCH_MS = 946_684_800_000

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

export class ClickBatch {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #view = toView(this.#bytes)
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

  /** All bytes to send. The buffer is reused after `clear`. */
  finish(): Buffer {
    this.#makeRoom(TAIL.length)
    TAIL.copy(this.#bytes, this.#end)
    this.#bytes.writeInt32BE(this.#end + 2 - DATA_LENGTH_AT, DATA_LENGTH_AT)
    return this.#bytes.subarray(0, this.#end + TAIL.length)
  }

  /** Appends a row. Its line must equal that of `clickLine` (facts/clicks/click-lines.ts); it is written as bytes without an intermediate string. */
  add(row: InboxClick, writer: number): void {
    this.#makeRoom(ROW_BYTES + MAX_BYTES_PER_UNIT * textLength(row))
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
    // The last field has no tab.
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
    this.#view = toView(bytes)
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

  /** Writes a non-negative integer as digits, and a tab. */
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

  /** Writes a text and a tab; null becomes an empty field. */
  #field(value: string | null): void {
    if (value !== null)
      this.#end += this.#plain(value) ? value.length : this.#bytes.write(escapeField(value), this.#end)
    this.#bytes[this.#end++] = TAB
  }

  /** Writes a short printable ASCII text, as most are, without a native call. False if the text is not of that kind. */
  #plain(value: string): boolean {
    if (value.length > SHORT_LENGTH) return false
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

const toView = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

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
