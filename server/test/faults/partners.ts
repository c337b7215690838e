// A partner's stand-in that keeps which events it was told under which idempotency keys. It can hang, answer a gigabyte, or 100,000 headers.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { atEndOfFile } from '../support/cleanup.ts'

export type PartnerMood = 'mostly well' | 'hangs' | 'a gigabyte' | '100,000 headers'

export interface PartnerHost {
  /** A postback URL with its macros. */
  readonly url: string
  mood: PartnerMood
  /** Idempotency keys by event. */
  readonly told: ReadonlyMap<string, ReadonlySet<string>>
  /** Bytes of the huge answers that were taken from it. */
  readonly sent: { bytes: number }
}

const PIECE = Buffer.alloc(65_536, 'x')
const GIGABYTE = 1_000_000_000
const HEADERS = 100_000

export async function startPartnerHost(): Promise<PartnerHost> {
  const told = new Map<string, Set<string>>()
  const sent = { bytes: 0 }
  let calls = 0
  const http = createServer((request, response) => {
    const { mood } = host
    if (mood === 'hangs') return
    if (mood === 'mostly well' && ++calls % 7 === 0) return request.socket.destroy()
    const { searchParams } = new URL(request.url ?? '', 'http://partner.example')
    const event = `${searchParams.get('e')} ${searchParams.get('p')}`
    told.set(event, (told.get(event) ?? new Set()).add(String(request.headers['idempotency-key'])))
    if (mood === 'a gigabyte') return answerGigabyte(response, sent)
    if (mood === '100,000 headers') return answerHeaders(request.socket)
    response.end('ok')
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  atEndOfFile(() => {
    http.closeAllConnections()
    http.close()
  })
  const address = http.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const host: PartnerHost = {
    url: `http://127.0.0.1:${port}/?e={event}&p={player_id}`,
    mood: 'mostly well',
    told,
    sent,
  }
  return host
}

function answerGigabyte(response: ServerResponse, sent: { bytes: number }): void {
  response.writeHead(200, { 'content-length': GIGABYTE })
  response.on('error', () => undefined)
  let left = GIGABYTE
  const go = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= PIECE.length
      sent.bytes += PIECE.length
      if (!response.write(PIECE)) {
        response.once('drain', go)
        return
      }
    }
    response.end()
  }
  go()
}

/** By hand, because Node's own server would refuse to write so many. */
function answerHeaders(socket: Socket): void {
  socket.on('error', () => undefined)
  const lines = Array.from({ length: HEADERS }, (_, index) => `x-header-${index}: ${index}`)
  socket.write(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\ncontent-length: 2\r\n\r\nok`)
}
