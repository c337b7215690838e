// Malformed and idle connections are answered and closed; slow bodies and slow answers are not cut.

import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { uploadFolder } from '../../src/entities/upload.ts'
import { MODULES } from '../../src/modules.ts'
import { startTestApp } from '../support/harness.ts'
import { signIn } from '../support/sign-in.ts'

const IDLE_MS = 600
const server = await startTestApp({ modules: MODULES, timeouts: { headersMs: 600, idleBodyMs: IDLE_MS } })
const { port } = new URL(server.url)

const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

interface Line {
  socket: Socket
  /** Everything that the server sends before it closes its side. */
  answer: Promise<string>
}

/** The client's side stays open after the server has closed its own. */
function open(text: string): Line {
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  let reply = ''
  socket.on('data', (chunk) => (reply += chunk.toString()))
  socket.write(text)
  return { socket, answer: once(socket, 'end').then(() => reply) }
}

/** True as soon as the server has closed the whole socket: its system then rejects further bytes. */
async function isReleased({ socket }: Line): Promise<boolean> {
  const failed = once(socket, 'error').catch((error: unknown) => [error])
  for (let round = 0; round < 100 && !socket.destroyed; round++) {
    if (socket.writable) socket.write('x')
    await Promise.race([failed, sleep(50)])
  }
  return socket.destroyed
}

const post = (path: string, length: number, begin: string, headers = ''): string =>
  `POST /api/${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}Content-Length: ${length}\r\n\r\n${begin}`

test.concurrent.each([
  ['no HTTP', 'nonsense\r\n\r\n', '400', 'bad_request'],
  [
    'a body whose chunks are malformed',
    'POST /api/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    '400',
    'bad_request',
  ],
  ['headers that do not end', 'GET /api/profile HTTP/1.1\r\nHost: x\r\n', '408', 'timeout'],
  ['nothing at all', '', '408', 'timeout'],
  ['a body that stops', post('token/refresh', 100, '{"refreshToken"'), '408', 'timeout'],
  ['a body that does not begin', post('token/refresh', 100, ''), '408', 'timeout'],
  ['a postback whose body stops', post('../postback/0b0e0b0e-0000-4000-8000-000000000001', 100, '{'), '408', 'timeout'],
])('%s is answered, and its socket does not stay [API-05] [SYS-04]', async (_, text, status, code) => {
  const line = open(text)
  const answer = await line.answer
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ code, request_id: expect.any(String) })
  expect(await isReleased(line)).toBe(true)
})

test.concurrent('a slow body is read completely, however long it takes [SYS-04]', async () => {
  const body = JSON.stringify({ refreshToken: 'x'.repeat(40) })
  const line = open(post('token/refresh', body.length, '', 'Connection: close\r\n'))
  for (const piece of body.match(/.{1,6}/g) ?? []) {
    await sleep(IDLE_MS / 3)
    line.socket.write(piece)
  }
  expect(await line.answer).toMatch(/^HTTP\/1.1 401 /)
})

test.concurrent('a request that waits for its answer is not closed [SYS-04]', async () => {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'x'.repeat(20) })
  const { pool } = server.services.postgres
  const client = await pool.connect()
  await client.query('begin; lock table access_attempt in access exclusive mode')
  const line = open(post('token?2fa=true', body.length, body, 'Connection: close\r\n'))
  await sleep(IDLE_MS * 3)
  await client.query('rollback')
  client.release()
  expect(await line.answer).toMatch(/^HTTP\/1.1 400 [^{]*\{"code":"wrong_credentials"/s)
})

test.concurrent('an upload that stops leaves nothing behind [SYS-04]', async () => {
  const admin = await signIn(server, 'ADMIN')
  const head = `POST /api/file HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin.token}\r\n`
  const type = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n'
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\n'
  const line = open(`${head}${type}${part}${'x'.repeat(20_000)}`)
  expect(await line.answer).toMatch(/^HTTP\/1.1 408 /)
  expect(await isReleased(line)).toBe(true)
  await vi.waitFor(() => expect(readdirSync(uploadFolder(server.services.config))).toEqual([]), 10_000)
})
