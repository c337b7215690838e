// A fake partner server: it records its calls and answers as the test says.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { atEndOfFile } from './cleanup.ts'

export interface Partner {
  url: string
  calls: { method: string; url: string; body: string }[]
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

export async function startPartner(answer: Partner['answer']): Promise<Partner> {
  const partner: Partner = { url: '', calls: [], answer }
  const http = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      partner.calls.push({ method: request.method ?? '', url: request.url ?? '', body })
      partner.answer(request, response)
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  atEndOfFile(() => {
    http.closeAllConnections()
    http.close()
  })
  const address = http.address()
  partner.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return partner
}

export const ok: Partner['answer'] = (_, response) => response.end('thank you')
