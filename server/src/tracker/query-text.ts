// Reads a request's query as clean texts. A wrong encoding or a control character makes the whole query unusable; texts are cut to their caps.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** null when the encoding is wrong or a control character hides in it. The first value of a name counts. */
export function readQuery(query: string): Map<string, string> | null {
  const values = new Map<string, string>()
  if (query === '') return values
  const isEncoded = query.includes('%')
  if ((isEncoded && !isDecodable(query)) || CONTROL.test(query)) return null
  const isPlain = !isEncoded && !query.includes('+')
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf('&', start)
    const end = next < 0 ? query.length : next
    const equals = query.indexOf('=', start)
    const split = equals < 0 || equals > end ? end : equals
    const name = query.slice(start, split)
    const value = split < end ? query.slice(split + 1, end) : ''
    add(values, isPlain ? name : decode(name), isPlain ? value : decode(value))
    start = end + 1
  }
  return values
}

function add(values: Map<string, string>, name: string, value: string): void {
  if (name !== '' && !values.has(name)) values.set(name, value)
}

const ENCODED_CONTROL = /%(?:[01][0-9a-f]|7f|c2%[89][0-9a-f])/i
const CONTROL = /\p{Cc}/u
const CONTROLS = /\p{Cc}/gu

function isDecodable(query: string): boolean {
  if (ENCODED_CONTROL.test(query)) return false
  try {
    decodeURIComponent(query)
    return true
  } catch {
    return false
  }
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/** Without control characters and lone surrogates, at most `cap` long; null when nothing is left. */
export function cleanText(text: string | undefined, cap: number): string | null {
  if (text === undefined || text === '') return null
  const printable = CONTROL.test(text) ? text.replace(CONTROLS, '') : text
  return cutText(printable.isWellFormed() ? printable : printable.toWellFormed(), cap)
}

/** The same for a text of `readQuery`, in which nothing has to be looked for. */
export function cutText(text: string | undefined, cap: number): string | null {
  if (text === undefined || text === '') return null
  // A pair of surrogates may be cut in two.
  return (text.length > cap ? text.slice(0, cap).toWellFormed() : text).trim() || null
}

// Reads a sender's address, prefetch marks and language from the request.

/** `proxies`: how many proxies of our own stand before the server; each has added one address to X-Forwarded-For. */
export function readAddress(request: IncomingMessage, proxies: number): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '')
  if (proxies === 0) return peer
  const header = request.headers['x-forwarded-for']
  const list = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  const told = plainAddress(list[Math.max(0, list.length - proxies)]?.trim() ?? '')
  return isIP(told) === 0 ? peer : told
}

/** An IPv4-mapped IPv6 address is the same visitor. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

const PREPARES = /prefetch|prerender|preview/i

export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const said = headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz']
  return said !== undefined && PREPARES.test(String(said))
}

export function prefersRussian(header: string | undefined): boolean {
  return /^\s*ru\b/i.test(header ?? '')
}
