// A process that cannot be forked: at its first start, and when it is started again.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { StartError } from '../../src/lib/app-error.ts'
import { createLog } from '../../src/lib/log.ts'
import { watchProcess } from '../../src/processes/watched-process.ts'
import { makeDirectory } from '../support/harness.ts'

const { execPath } = process
const MISSING = '/missing/node'
afterEach(() => {
  process.execPath = execPath
})

const directory = makeDirectory()
const script = join(directory, 'process.mjs')
// Ends by itself on `drain`, and as asked on `stop`.
writeFileSync(
  script,
  `process.send({ kind: 'ready' })
process.on('message', ({ kind }) => kind !== 'start' && process.exit(kind === 'stop' ? 0 : 1))`,
)
let logged = ''
const destination = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk)
    done()
  },
})
const options = {
  script,
  start: { kind: 'start', name: 'one', config: loadConfig({ DATA_DIR: directory }), socketPath: '' },
  log: createLog('info', destination),
} as const

test('a process that cannot be forked is reported as a failed start [SYS-04]', async () => {
  process.execPath = MISSING
  await expect(watchProcess(options)).rejects.toThrow(StartError)
})

test('a process that cannot be forked again is tried until it can [SYS-04]', async () => {
  const { watched } = await watchProcess(options)
  process.execPath = MISSING
  watched.send({ kind: 'drain' })
  await vi.waitFor(() => expect(logged).toContain('a process could not be started again'), 5000)
  process.execPath = execPath
  await vi.waitFor(() => expect(logged).toContain('a process serves again'), 5000)
  await watched.stop(5000)
})
