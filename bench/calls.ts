// Measures the longest time for which one request blocks all others, with hostile inputs to every route.
// CALLS_ONLY selects inputs whose title contains it.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostileInputs, type Input } from './call-inputs.ts'
import type { Figure } from './figure.ts'
import { rawInputs } from './raw-inputs.ts'
import { signIn, startWhole } from './whole-server.ts'

const ONLY = process.env.CALLS_ONLY ?? ''
/** Inputs that block the loop for longer are sent again, because a garbage collection may have caused it. */
const SUSPECT_MS = 20
const REPEATS = 4
const STUCK_MS = 60_000

const format = (ms: number): string => `${ms.toFixed(1).padStart(7)} ms`

interface Result {
  readonly title: string
  readonly ms: number
  readonly status: number
}

export async function run(): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
  const server = await startWhole(dataDir, { nodeArgs: ['--import', join(import.meta.dirname, 'loop-holds.ts')] })
  try {
    const results = await measureAll(server)
    results.sort((a, b) => b.ms - a.ms)
    return [
      { name: 'calls.worst_ms', value: results[0]?.ms ?? Number.NaN, unit: 'ms' },
      { name: 'calls.inputs', value: results.length, unit: '' },
    ]
  } finally {
    server.process.kill()
    await once(server.process, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureAll(server: { process: ChildProcess; url: string }): Promise<Result[]> {
  const results: Result[] = []
  let token = await signIn(server.url)
  let signedInAt = Date.now()
  for (const input of allInputs()) {
    if (!input.title.includes(ONLY)) continue
    if (Date.now() - signedInAt > 10 * 60_000) {
      token = await signIn(server.url)
      signedInAt = Date.now()
    }
    const times: number[] = []
    let status = 0
    do {
      await ask(server.process, 'begin')
      status = await send(server.url, input, token, results.length)
      times.push(await ask(server.process, 'end'))
    } while (times.length < REPEATS && Math.min(...times) > SUSPECT_MS)
    if (status === 401 && input.headers?.authorization === undefined && !input.path.startsWith('token'))
      throw new Error(`${input.title} ended the session`)
    const ms = Math.min(...times)
    if (ms > SUSPECT_MS) console.log(`  ${format(ms)}  ${status}  ${input.title}`)
    results.push({ title: input.title, ms, status })
  }
  return results
}

/** Yields one input at a time, because all together exceed memory. */
function* allInputs(): Generator<Input> {
  yield* hostileInputs()
  yield* rawInputs()
}

async function ask(server: ChildProcess, message: 'begin' | 'end'): Promise<number> {
  const answer = once(server, 'message')
  server.send(message)
  return (await answer)[0] as number
}

/** Reads the whole answer and returns its status; 0 if the connection was closed without an answer. */
function send(url: string, input: Input, token: string, index: number): Promise<number> {
  const { method, body, path } = input
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    // Each request has another client address, so that the limit of guesses does not apply.
    'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...input.headers,
  }
  const address = path.startsWith('/') ? path : `/api/${path}`
  return new Promise((resolve) => {
    const sent = request(`${url}${address}`, { method, headers, timeout: STUCK_MS }, (answer) => {
      answer.resume()
      answer.once('close', () => resolve(answer.statusCode ?? 0))
    })
    sent.once('timeout', () => sent.destroy())
    sent.once('error', () => resolve(0))
    sent.end(body)
  })
}
