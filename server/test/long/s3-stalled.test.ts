// A store that takes connections and says nothing: it is given up after a minute without a byte and two repetitions, so that no back-up waits for ever.

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../src/backup/open-store.ts'

const MINUTE = 60_000

test('a bucket that never answers is named after three minutes [SYS-05]', { timeout: 6 * MINUTE }, async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const env = {
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
  }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const began = performance.now()
  await expect(openStore('s3://backups/x', 'read')).rejects.toThrow(
    'the place of back-ups s3://backups/x cannot be used',
  )
  expect(performance.now() - began).toBeLessThan(5 * MINUTE)
  expect(sockets.size).toBe(3)
})

afterAll(() => void vi.unstubAllEnvs())
