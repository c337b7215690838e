// A real HTTP server that treats tokens like the product's API: one valid access token at a time, rotating refresh tokens.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

export interface ApiStand {
  readonly url: string
  readonly seen: Seen[]
  /** The number of refreshed token pairs. */
  readonly rotations: () => number
  /** Makes the current access token invalid, as if it had expired after 15 minutes. */
  readonly expire: () => void
  /** Makes later refreshes fail with this status. */
  readonly refuseRefresh: (status: number) => void
  readonly stop: () => Promise<void>
}

type Route = (seen: Seen, answer: ServerResponse) => void

export const FIRST = { token: 'access-1', refreshToken: 'refresh-1' }

export async function startApi(routes: Record<string, Route> = {}): Promise<ApiStand> {
  const seen: Seen[] = []
  let round = 1
  let isExpired = false
  let refusal = 0
  const reply = (answer: ServerResponse, status: number, body: unknown) => {
    answer.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? '' : JSON.stringify(body))
  }
  const problem = (answer: ServerResponse, status: number, code: string) =>
    reply(answer, status, { code, message: `${code}!`, request_id: 'r-1' })

  function refresh(body: unknown, answer: ServerResponse): void {
    const isKnown = (body as { refreshToken: string }).refreshToken === `refresh-${round}`
    if (refusal !== 0 || !isKnown) {
      problem(answer, refusal === 0 ? 401 : refusal, 'unauthorized')
      return
    }
    round += 1
    isExpired = false
    reply(answer, 200, { token: `access-${round}`, refreshToken: `refresh-${round}` })
  }

  const server = createServer((request, answer) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      const call: Seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      }
      seen.push(call)
      const path = call.url.split('?')[0] ?? ''
      const route = routes[path]
      // Answers are delayed, as over a network.
      setTimeout(() => {
        if (path === '/token/refresh') refresh(call.body, answer)
        else if (path === '/token/logout') problem(answer, 401, 'unauthorized')
        else if (isExpired || call.headers.authorization !== `Bearer access-${round}`)
          problem(answer, 401, 'token_expired')
        else if (route) route(call, answer)
        else reply(answer, 200, { path })
      }, 5)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    rotations: () => round - 1,
    expire: () => {
      isExpired = true
    },
    refuseRefresh: (status) => {
      refusal = status
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
