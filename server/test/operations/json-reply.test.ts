// A large answer sent in pieces equals JSON.stringify of the whole.

import { once } from 'node:events'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { sendJson } from '../../src/api/json-reply.ts'

let value: object = {}
const app: FastifyInstance = fastify()
app.get('/', (_request, reply) => sendJson(reply, value))
afterAll(() => app.close())

async function answer(of: object): Promise<string> {
  value = of
  return (await app.inject('/')).body
}

test('any answer equals one that is written at once [API-01]', async () => {
  const rows = fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 0, maxLength: 60 })
  const answers = fc.record({ items: rows, total: fc.jsonValue(), none: fc.constant(undefined) }, { requiredKeys: [] })
  await fc.assert(
    fc.asyncProperty(fc.oneof(answers, rows), async (any) => {
      expect(await answer(any)).toBe(JSON.stringify(any))
    }),
  )
})

test('a client that disconnects ends the answer, and nothing else fails [API-01]', async () => {
  let stream = new Readable()
  const reply = { type: () => reply, send: (sent: Readable) => (stream = sent) }
  // The framework's reply, as far as it is used.
  sendJson(reply as unknown as FastifyReply, { items: Array.from({ length: 900 }, () => 'x'.repeat(1000)) })
  const failed = once(stream, 'error')
  stream.once('data', () => stream.destroy(new Error('premature close')))
  expect(await failed).toMatchObject([{ message: 'premature close' }])
})

test('an answer of megabytes is complete, and other work runs while it is sent [API-01]', async () => {
  const row = { id: 1, title: 'x'.repeat(1000), at: null, children: Array.from({ length: 30 }, (_, id) => ({ id })) }
  const large = { rows: Array.from({ length: 5000 }, () => row), items: 5000 }
  let turns = 0
  const count = setInterval(() => turns++, 0)
  expect(await answer(large)).toBe(JSON.stringify(large))
  clearInterval(count)
  expect(turns).toBeGreaterThan(5)
})
