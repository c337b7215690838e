// Logs: one line of JSON each, without secrets.

import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createLog, hideUrlSecrets, problemsOf, withLogFields } from '../../src/lib/log.ts'

function write(entry: object): Record<string, unknown> {
  let line = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      line += String(chunk)
      done()
    },
  })
  createLog('info', destination).info(entry, 'said')
  return JSON.parse(line)
}

test('secrets are hidden at any depth [SYS-04]', () => {
  const hidden = 'hunter2'
  const entry = {
    headers: { Authorization: hidden, cookie: hidden },
    body: { email: 'a@b.c', password: hidden, tokenData: { token: hidden }, list: [{ refreshToken: hidden }] },
    code: hidden,
    token: hidden,
    url: `/postback/x?secure=${hidden}&sum=5&token=${hidden}`,
    error: Object.assign(new Error('bad'), { password: hidden, code: 'E_BAD', client: { password: hidden } }),
  }
  const line = write(entry)
  expect(JSON.stringify(line)).not.toContain(hidden)
  expect(line).toMatchObject({
    level: 'info',
    msg: 'said',
    body: { email: 'a@b.c' },
    error: { type: 'Error', message: 'bad', code: 'E_BAD' },
    url: '/postback/x?secure=[hidden]&sum=5&token=[hidden]',
  })
})

test('each line that is written for a request has its request id, once and under one name [SYS-04] [API-05]', async () => {
  const lines: string[] = []
  const log = createLog('info', {
    write: (line) => void lines.push(line),
  })
  await withLogFields({ request_id: 'request-1' }, async () => {
    log.info('at once')
    await sleep(1)
    log.info({ ms: 5 }, 'later')
    log.child({ request_id: 'request-1' }).info('by the logger of the request')
    log.info({ request_id: 'request-1' }, 'by name')
  })
  log.info('of nobody')
  expect(lines.map((line) => line.split('"request_id":"request-1"').length - 1)).toEqual([1, 1, 1, 1, 0])
})

test('an entry that cannot be written whole is cut, not rejected [SYS-04]', () => {
  const cycle: { self?: object } = {}
  cycle.self = cycle
  expect(write({ cycle, bytes: Buffer.from('abc'), none: null })).toMatchObject({ bytes: '<3 bytes>', none: null })
  expect(hideUrlSecrets('/plain')).toBe('/plain')
})

test('a cause writes one line a second, and the next line says how many were omitted; each failed request has its line [SYS-04] [API-05]', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog(
    'info',
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)))
        done()
      },
    }),
  )
  const full = (): Error => Object.assign(new Error('could not extend file'), { code: '53100' })
  for (let n = 0; n < 500; n++) log.error({ error: full() }, 'clicks were not recorded')
  log.error({ error: new Error('another cause') }, 'clicks were not recorded')
  for (let n = 0; n < 3; n++)
    log.child({ request_id: `r${n}` }).error({ error: full(), code: 'internal' }, 'a request failed')
  expect(lines.map(({ msg, request_id }) => request_id ?? msg)).toEqual([
    'clicks were not recorded',
    'clicks were not recorded',
    'r0',
    'r1',
    'r2',
  ])
  await sleep(1050)
  log.error({ error: full() }, 'clicks were not recorded')
  expect(lines.at(-1)).toMatchObject({ omitted: 499, error: { code: '53100' } })
})

test('errors that are no Error of this realm are limited by their cause as well, and their code is shown [SYS-04]', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const refused = (queue: string): object => ({ code: 'ECONNREFUSED', message: '', stack: `at ${queue}`, queue })
  for (let n = 0; n < 20; n++) log.warn({ error: refused(`queue ${n}`) }, 'the job queue has trouble')
  for (let n = 0; n < 20; n++)
    log.warn({ error: runInNewContext(`new Error('far away')`) }, 'the job queue has trouble')
  for (let n = 0; n < 20; n++)
    log.warn({ error: new Error(`timeout (Queue: q${n}, Worker: ${n})`) }, 'the job queue has trouble')
  for (let n = 0; n < 20; n++) log.warn({ error: 'only a text' }, 'the job queue has trouble')
  for (let n = 0; n < 20; n++) log.warn({ error: { password: 'hunter2', big: 5n } }, 'the job queue has trouble')
  expect(lines).toMatchObject([
    { error: { code: 'ECONNREFUSED', queue: 'queue 0', type: 'Error' } },
    { error: { message: 'far away', type: 'Error' } },
    { error: { message: 'timeout (Queue: q0, Worker: 0)' } },
    { error: 'only a text' },
    { error: { password: '[hidden]' } },
  ])
  expect(problemsOf(log).map(({ error }) => error)).toEqual(
    expect.arrayContaining(['ECONNREFUSED', 'far away', 'only a text']),
  )
  await sleep(1050)
  log.warn({ error: refused('queue 1') }, 'the job queue has trouble')
  expect(lines.at(-1)).toMatchObject({ omitted: 19, error: { code: 'ECONNREFUSED' } })
})
