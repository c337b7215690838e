// Scans XML as latin1 text, which is fast; texts are decoded as UTF-8 when they are extracted.

import { SheetFailure } from './sheet.ts'

const NOT_ASCII = /[\u0080-\u00ff]/
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi
const ESCAPED = /_x([0-9a-f]{4})_/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const LAST_POINT = 0x10ffff

const fromPoint = (point: number): string =>
  point > LAST_POINT || (point >= 0xd800 && point <= 0xdfff) ? '�' : String.fromCodePoint(point)

/** Decodes a text. Entities that the document declares itself stay unchanged. */
export function decodeText(raw: string): string {
  let text = NOT_ASCII.test(raw) ? Buffer.from(raw, 'latin1').toString('utf8') : raw
  if (text.includes('&')) {
    text = text.replace(
      ENTITY,
      (_whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) =>
        name === undefined
          ? fromPoint(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
          : (NAMED[name.toLowerCase()] ?? ''),
    )
  }
  if (text.includes('_x'))
    text = text.replace(ESCAPED, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return text
}

/** The value of an attribute in a tag; `name` includes a prefix if there is one. */
export function attribute(tag: string, name: string): string | undefined {
  for (let at = tag.indexOf(name); at !== -1; at = tag.indexOf(name, at + 1)) {
    const before = tag.charCodeAt(at - 1)
    if (at === 0 || before > 32) continue
    let end = at + name.length
    while (tag.charCodeAt(end) <= 32) end++
    if (tag[end] !== '=') continue
    end++
    while (tag.charCodeAt(end) <= 32) end++
    const quote = tag[end]
    if (quote !== '"' && quote !== "'") continue
    const close = tag.indexOf(quote, end + 1)
    return close === -1 ? undefined : tag.slice(end + 1, close)
  }
  return undefined
}

const HEAD_CAP = 4 * 1024 * 1024

/** Reads a small document as a whole. */
export async function readWhole(pieces: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > HEAD_CAP) throw new SheetFailure('too_complex', 'xml: a document is too long')
    read.push(piece)
  }
  const bytes = Buffer.concat(read)
  requireUtf8(bytes)
  return bytes.toString('latin1')
}

/** Throws for UTF-16, which the standard allows and nobody writes. */
export function requireUtf8(bytes: Buffer): void {
  if (bytes.length >= 2 && (bytes[0] === 0xfe || bytes[0] === 0xff || bytes[0] === 0 || bytes[1] === 0))
    throw new SheetFailure('wrong_format', 'xml: not UTF-8')
}

/** Attributes of start tags with this name and any prefix, as text. */
export function* tagsNamed(text: string, name: string): Generator<string> {
  const pattern = new RegExp(`<(?:[\\w.-]+:)?${name}((?:\\s(?:[^>"']|"[^"]*"|'[^']*')*)?)/?>`, 'g')
  for (const match of text.matchAll(pattern)) yield match[1] ?? ''
}
