// Sends large JSON answers in pieces, because JSON.stringify of a large answer would block the process.

import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** Approximate number of characters of a piece. */
const PIECE_CHARS = 256 * 1024
/** Shorter arrays are written at once. */
const SHORT_ITEMS = 50

/** Sends the same text as JSON.stringify. `value` must consist of plain objects, arrays and JSON scalars. */
export function sendJson(reply: FastifyReply, value: object): FastifyReply {
  void reply.type('application/json; charset=utf-8')
  const pieces = splitJson(value)
  const first = pieces.next()
  const second = pieces.next()
  if (second.done === true) return reply.send(first.value ?? '')
  return reply.send(Readable.from(yieldBetween([first.value ?? '', second.value], pieces), { objectMode: false }))
}

/** Yields to the event loop between two pieces, so that other requests are served. */
async function* yieldBetween(begin: readonly string[], rest: Generator<string, undefined>): AsyncGenerator<string> {
  // Not `yield*`: an array's iterator has no `throw`, which is called when the client disconnects.
  for (const piece of begin) yield piece
  for (const piece of rest) {
    await setImmediate()
    yield piece
  }
}

function* splitJson(value: object): Generator<string, undefined> {
  let piece = ''
  for (const text of stringifyParts(value)) {
    piece += text
    if (piece.length < PIECE_CHARS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Descends into long arrays and objects that contain them; JSON.stringify writes all other values. */
function* stringifyParts(value: unknown): Generator<string, undefined> {
  if (Array.isArray(value)) {
    if (value.length < SHORT_ITEMS && !value.some(containsLongArray)) return yield JSON.stringify(value)
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ','
      yield* stringifyParts(item)
    }
    return yield value.length === 0 ? '[]' : ']'
  }
  if (!containsLongArray(value)) return yield JSON.stringify(value) ?? 'null'
  let isFirst = true
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${isFirst ? '{' : ','}${JSON.stringify(name)}:`
    yield* stringifyParts(member)
    isFirst = false
  }
  yield '}'
}

function containsLongArray(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.length >= SHORT_ITEMS || value.some(containsLongArray)
  return Object.values(value).some((member) => Array.isArray(member) && containsLongArray(member))
}
