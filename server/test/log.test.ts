// Logs: one line of JSON each, without secrets.

import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog, hideUrlSecrets } from '../src/lib/log.ts'

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

test('an entry that cannot be written whole is cut, not rejected [SYS-04]', () => {
  const cycle: { self?: object } = {}
  cycle.self = cycle
  expect(write({ cycle, bytes: Buffer.from('abc'), none: null })).toMatchObject({ bytes: '<3 bytes>', none: null })
  expect(hideUrlSecrets('/plain')).toBe('/plain')
})
