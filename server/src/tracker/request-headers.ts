// Reads a sender's address, prefetch marks and language from the request.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

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
