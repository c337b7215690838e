// Reads a request of the tracker: the query as clean texts, the sender's IP, prefetch headers and language. A wrong encoding or a control
// character makes the whole query invalid.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Null if the encoding is wrong or the query contains a control character. The first value of a name counts. */
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

/** Removes control characters and lone surrogates and cuts to `cap` characters; null if nothing is left. */
export function cleanText(text: string | undefined, cap: number): string | null {
  if (text === undefined || text === '') return null
  const printable = CONTROL.test(text) ? text.replace(CONTROLS, '') : text
  return cutText(printable.isWellFormed() ? printable : printable.toWellFormed(), cap)
}

/** Like `cleanText`, for texts of `readQuery`, which are already clean. */
export function cutText(text: string | undefined, cap: number): string | null {
  if (text === undefined || text === '') return null
  // The cut may split a surrogate pair.
  return (text.length > cap ? text.slice(0, cap).toWellFormed() : text).trim() || null
}

/** The sender's IP. `proxies` is the number of the operator's proxies; each has added one IP to X-Forwarded-For. */
export function readIp(request: IncomingMessage, proxies: number): string {
  const peer = unmapIp(request.socket.remoteAddress ?? '')
  if (proxies === 0) return peer
  const header = request.headers['x-forwarded-for']
  const list = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  const forwarded = unmapIp(list[Math.max(0, list.length - proxies)]?.trim() ?? '')
  return isIP(forwarded) === 0 ? peer : forwarded
}

/** Converts an IPv4-mapped IPv6 address to IPv4, because both are the same visitor. */
function unmapIp(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

const PREFETCH = /prefetch|prerender|preview/i

export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz']
  return purpose !== undefined && PREFETCH.test(String(purpose))
}

export function prefersRussian(header: string | undefined): boolean {
  return /^\s*ru\b/i.test(header ?? '')
}
