// Fake servers of partners: most respond, one fails most of the time and sometimes hangs. They listen on loopback only.

import { createServer, type ServerResponse } from 'node:http'
import { listenUsually } from './listen-usually.ts'
import { makeRandom } from './random.ts'

export interface PartnerServer {
  readonly url: string
  stop(): Promise<void>
}

const SLOW_MS = 400
const HANG_MS = 15_000
const USUAL_PORT = 8093

export async function startPartnerServer(seed: number): Promise<PartnerServer> {
  const random = makeRandom(seed).fork('partner servers')
  const waiting = new Set<NodeJS.Timeout>()
  const answerLater = (ms: number, response: ServerResponse, status: number, text: string) => {
    const timer = setTimeout(() => {
      waiting.delete(timer)
      response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
    }, ms)
    waiting.add(timer)
  }
  const server = createServer((request, response) => {
    request.resume()
    if (!request.url?.startsWith('/failing/')) return answerLater(random.below(SLOW_MS), response, 200, 'OK')
    const point = random.next()
    if (point < 0.1) answerLater(HANG_MS, response, 200, 'OK, but late')
    else if (point < 0.75) answerLater(random.below(SLOW_MS), response, 500, 'Database error: too many connections')
    else answerLater(random.below(SLOW_MS), response, 200, 'OK')
  })
  const port = await listenUsually(server, USUAL_PORT)
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const timer of waiting) clearTimeout(timer)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
