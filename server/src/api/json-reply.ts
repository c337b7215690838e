// Sends large JSON answers in pieces: JSON.stringify of a whole one would block the process.

import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** About as many characters are written without a break. */
const PIECE = 256 * 1024
/** Shorter arrays are written whole. */
const SHORT = 20

/** The text is that of JSON.stringify. `value` must be made of plain objects, arrays and values that JSON knows. */
export function sendJson(reply: FastifyReply, value: object): FastifyReply {
  void reply.type('application/json; charset=utf-8')
  const pieces = piecesOf(value)
  const first = pieces.next()
  const second = pieces.next()
  if (second.done === true) return reply.send(first.value ?? '')
  return reply.send(Readable.from(inTurns([first.value ?? '', second.value], pieces), { objectMode: false }))
}

/** Other requests are served between two pieces. */
async function* inTurns(begin: readonly string[], rest: Generator<string, undefined>): AsyncGenerator<string> {
  yield* begin
  for (const piece of rest) {
    await setImmediate()
    yield piece
  }
}

function* piecesOf(value: object): Generator<string, undefined> {
  let piece = ''
  for (const text of textsOf(value)) {
    piece += text
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Goes into long arrays and the objects that hold them; all else is written by JSON.stringify. */
function* textsOf(value: unknown): Generator<string, undefined> {
  if (Array.isArray(value)) {
    if (value.length < SHORT && !value.some(holdsLong)) return yield JSON.stringify(value)
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ','
      yield* textsOf(item)
    }
    return yield value.length === 0 ? '[]' : ']'
  }
  if (!holdsLong(value)) return yield JSON.stringify(value) ?? 'null'
  let isFirst = true
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${isFirst ? '{' : ','}${JSON.stringify(name)}:`
    yield* textsOf(member)
    isFirst = false
  }
  yield '}'
}

function holdsLong(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.length >= SHORT || value.some(holdsLong)
  return Object.values(value).some((member) => Array.isArray(member) && holdsLong(member))
}
