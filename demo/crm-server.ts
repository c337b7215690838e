// A fake CRM for the demo and tests. It follows docs/crm.yaml, answers a repeated key with its first answer, and fails on request.

import { createServer } from 'node:http'
import { listenUsually } from './listen-usually.ts'

/** `hang` never answers; `lost` books the request and cuts the connection; `conflict` books it and answers 409. */
export type CrmMood = 'ok' | 'hang' | 'fail' | 'lost' | 'conflict' | 'reject'

export interface BookedRequest {
  readonly id: number
  readonly key: string
  readonly body: { readonly amount: string; readonly currency: string; readonly project_id: string }
  readonly status: 'accepted' | 'rejected'
}

export interface CrmServer {
  readonly url: string
  readonly credential: string
  /** By key, in order of arrival. */
  readonly booked: ReadonlyMap<string, BookedRequest>
  /** Number of POSTs, also failed ones. */
  readonly calls: () => number
  stop(): Promise<void>
}

const PATH = '/v1/payment-requests'

/** `moodOf` decides about the request that would be booked, with the number of its attempt from 1. */
export async function startCrmServer(
  moodOf: (body: BookedRequest['body'], attempt: number) => CrmMood = () => 'ok',
  credential = 'demo-crm',
  usualPort = 0,
): Promise<CrmServer> {
  const booked = new Map<string, BookedRequest>()
  const attempts = new Map<string, number>()
  let calls = 0
  const server = createServer((request, response) => {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const show = ({ id, status, body }: BookedRequest) => ({
      id,
      status,
      amount: body.amount,
      reason: status === 'rejected' ? 'The project is closed' : null,
    })
    if (request.headers.authorization !== `Bearer ${credential}`) return send(401, { message: 'who is asking?' })
    if (request.method === 'GET' && request.url?.startsWith(`${PATH}/`)) {
      const found = booked.get(request.url.slice(PATH.length + 1))
      return found === undefined ? send(404, { message: 'no such request' }) : send(200, show(found))
    }
    if (request.method !== 'POST' || request.url !== PATH) return send(404, { message: 'there is nothing here' })
    calls += 1
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      // The cast is correct: only the adapter calls it, and follows the same document.
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as BookedRequest['body']
      const key = String(request.headers['idempotency-key'])
      const attempt = (attempts.get(key) ?? 0) + 1
      attempts.set(key, attempt)
      if (!/^[A-Z0-9]+$/.test(body.currency)) return send(422, { message: 'the currency is no ISO code' })
      const mood = moodOf(body, attempt)
      if (mood === 'hang') return
      if (mood === 'fail') return send(500, { message: 'out of order' })
      const known = booked.get(key)
      if (known !== undefined) return mood === 'conflict' ? send(409, { message: 'known' }) : send(200, show(known))
      const made = { id: booked.size + 1, key, body, status: mood === 'reject' ? 'rejected' : 'accepted' } as const
      booked.set(key, made)
      if (mood === 'lost') return void request.socket.destroy()
      if (mood === 'conflict') return send(409, { message: 'known' })
      send(201, show(made))
    })
  })
  const port = await listenUsually(server, usualPort)
  return {
    url: `http://127.0.0.1:${port}`,
    credential,
    booked,
    calls: () => calls,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
