// Finds elements of one name in an XML document that arrives in pieces. Memory holds only the current piece and an unfinished element.

import { SheetFailure } from './sheet.ts'
import { requireUtf8 } from './xml-text.ts'

export interface Block {
  /** Text of the start tag after the name. */
  readonly attributes: string
  /** Text between start and end tag; '' for an empty element. */
  readonly content: string
}

/** Maximum length of an element. */
const BLOCK_CAP = 8 * 1024 * 1024
const PREFIX = /^\s*(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<![^>]*>|\s)*<(?:([\w.-]+):)?[\w.-]+/

/** The namespace prefix of the document's elements ('x:'), found in its root; undefined while the root is incomplete. */
function findPrefix(text: string): string | undefined {
  const match = PREFIX.exec(text)
  return match === null ? undefined : match[1] === undefined ? '' : `${match[1]}:`
}

/** Yields the elements of each piece. `name` has no prefix. */
export async function* blocksOf(
  pieces: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<{ prefix: string; blocks: Block[] }> {
  let rest = ''
  let prefix: string | undefined
  let isFirst = true
  for await (const piece of pieces) {
    if (isFirst) {
      requireUtf8(piece)
      isFirst = false
    }
    rest += piece.toString('latin1')
    prefix ??= findPrefix(rest.startsWith('\xef\xbb\xbf') ? rest.slice(3) : rest)
    if (prefix === undefined) {
      if (rest.length > BLOCK_CAP) throw new SheetFailure('wrong_format', 'xml: no root element')
      continue
    }
    const { blocks, end } = scan(rest, `${prefix}${name}`)
    rest = rest.slice(end)
    if (rest.length > BLOCK_CAP) throw new SheetFailure('too_complex', `xml: a ${name} is too long`)
    if (blocks.length > 0) yield { prefix, blocks }
  }
  if (prefix === undefined) throw new SheetFailure('wrong_format', 'xml: no root element')
}

function scan(text: string, name: string): { blocks: Block[]; end: number } {
  const blocks: Block[] = []
  const open = `<${name}`
  const close = `</${name}>`
  let at = 0
  for (;;) {
    const start = text.indexOf(open, at)
    // A tag may begin in the last characters.
    if (start === -1) return { blocks, end: Math.max(at, text.length - open.length) }
    const next = text.charCodeAt(start + open.length)
    // Skips another element whose name begins with the same characters.
    if (!(next <= 32 || next === 62 || next === 47)) {
      if (Number.isNaN(next)) return { blocks, end: start }
      at = start + open.length
      continue
    }
    const head = text.indexOf('>', start)
    if (head === -1) return { blocks, end: start }
    if (text.charCodeAt(head - 1) === 47) {
      blocks.push({ attributes: text.slice(start + open.length, head - 1), content: '' })
      at = head + 1
      continue
    }
    const end = text.indexOf(close, head)
    if (end === -1) return { blocks, end: start }
    blocks.push({ attributes: text.slice(start + open.length, head), content: text.slice(head + 1, end) })
    at = end + close.length
  }
}

/** Joins the texts of all `t` elements, except phonetic readings. */
export function joinTexts(content: string, prefix: string): string {
  const spoken = `<${prefix}rPh`
  const bare = content.includes(spoken) ? withoutPhonetics(content, prefix) : content
  const open = `<${prefix}t`
  const close = `</${prefix}t>`
  let text = ''
  for (let at = bare.indexOf(open); at !== -1; at = bare.indexOf(open, at)) {
    const next = bare.charCodeAt(at + open.length)
    const head = bare.indexOf('>', at)
    if (head === -1) break
    if (!(next <= 32 || next === 62 || next === 47) || bare.charCodeAt(head - 1) === 47) {
      at = head + 1
      continue
    }
    const end = bare.indexOf(close, head)
    if (end === -1) break
    text += bare.slice(head + 1, end)
    at = end + close.length
  }
  return text
}

function withoutPhonetics(content: string, prefix: string): string {
  const open = `<${prefix}rPh`
  const close = `</${prefix}rPh>`
  let kept = ''
  let from = 0
  for (let at = content.indexOf(open); at !== -1; at = content.indexOf(open, from)) {
    kept += content.slice(from, at)
    const end = content.indexOf(close, at)
    if (end === -1) return kept
    from = end + close.length
  }
  return kept + content.slice(from)
}
