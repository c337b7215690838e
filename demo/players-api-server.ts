// A fake players API for the demo and tests. It follows docs/players-api.yaml and returns the given items.

import { createServer } from 'node:http'
import { listenUsually } from './listen-usually.ts'

export interface AskedDay {
  readonly date: string
  readonly advertiser: string
  readonly site_ids: readonly string[]
  readonly limit: number
  readonly cursor?: string
}

/** Figures of a player's day, as in docs/players-api.yaml. */
export type Answer = (request: AskedDay) => Promise<readonly object[]> | readonly object[]

export interface PlayersApiServer {
  readonly url: string
  readonly credential: string
  stop(): Promise<void>
}

const PATH = '/v1/player-reports/query'

/** `usualPort`: tried first, so that the address in the record still leads somewhere after a restart. */
export async function startPlayersApiServer(
  answer: Answer,
  credential = 'demo-players-api',
  usualPort = 0,
): Promise<PlayersApiServer> {
  const server = createServer((request, response) => {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.headers.authorization !== `Bearer ${credential}`) return send(401, { message: 'who is asking?' })
    if (request.method !== 'POST' || request.url !== PATH) return send(404, { message: 'there is nothing here' })
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      // The cast is correct: only the adapter calls it, and follows the same document.
      const request = JSON.parse(Buffer.concat(pieces).toString('utf8')) as AskedDay
      const from = Number(request.cursor ?? 0)
      Promise.resolve(answer(request)).then(
        (items) => {
          const after = from + request.limit
          send(200, {
            items: items.slice(from, after),
            next_cursor: after < items.length ? String(after) : null,
            warnings: [],
          })
        },
        () => send(500, { message: 'out of order' }),
      )
    })
  })
  const port = await listenUsually(server, usualPort)
  return {
    url: `http://127.0.0.1:${port}`,
    credential,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
