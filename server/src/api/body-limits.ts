// Checks limits of JSON bodies on the text, because parsing and validating a hostile body would block the process.

import { BODY_LIMITS, type BodyLimits, PUBLIC_BODY_LIMITS } from '@tributary/contract/call'
import type { RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limits that the route declares; `limitBody` completes them. */
    bodyLimits?: Partial<BodyLimits>
  }
}

/** An `onRoute` hook: completes the route's limits. A route that declares no access gets those of public calls. */
export function limitBody(route: RouteOptions): void {
  const { access = 'public', bodyLimits } = route.config ?? {}
  const limits = { ...(access === 'public' ? PUBLIC_BODY_LIMITS : BODY_LIMITS), ...bodyLimits }
  route.config = { ...route.config, bodyLimits: limits }
  route.bodyLimit = limits.bytes
}

/** True if a JSON text exceeds the limits. The result is undefined for other text, which the parser rejects. */
export function exceedsLimits(text: string, { members, width, depth }: Omit<BodyLimits, 'bytes'>): boolean {
  /** Number of members of each open array or object, outermost first. Arrays start at -Infinity, because they have no width limit. */
  const open: number[] = []
  let total = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) at = endOfString(text, at)
    else if (sign === CLOSING_BRACE || sign === CLOSING_BRACKET) open.pop()
    else if (sign === COMMA || sign === OPENING_BRACE || sign === OPENING_BRACKET) {
      if (sign !== COMMA) open.push(sign === OPENING_BRACE ? 0 : Number.NEGATIVE_INFINITY)
      const level = open.length - 1
      const inLevel = (open[level] ?? 0) + 1
      open[level] = inLevel
      total++
      if (total > members || inLevel > width || open.length > depth) return true
    }
  }
  return false
}

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const OPENING_BRACKET = 91
const CLOSING_BRACKET = 93
const OPENING_BRACE = 123
const CLOSING_BRACE = 125

/** Index of the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) return at
    at += sign === BACKSLASH ? 2 : 1
  }
  return at
}
