// Pages for operators are closed to the world where the product has a public address.

import { expect, test } from 'vitest'
import { isInside, requireInside } from '../../src/api/internal-pages.ts'
import { loadConfig } from '../../src/config.ts'
import { makeDirectory } from '../support/harness.ts'

const DATA_DIR = makeDirectory()
const close = (env: Record<string, string>): boolean => loadConfig({ DATA_DIR, ...env }).closesInternalPages

test('metrics and the API description are closed unless PUBLIC_URL is on this machine, and as the setting requires [SYS-04]', () => {
  expect(close({})).toBe(false)
  expect(close({ PUBLIC_URL: 'http://127.0.0.1:8080' })).toBe(false)
  expect(close({ PUBLIC_URL: 'https://network.example' })).toBe(true)
  expect(close({ PUBLIC_URL: 'https://network.example', CLOSE_INTERNAL_PAGES: '0' })).toBe(false)
  expect(close({ CLOSE_INTERNAL_PAGES: '1' })).toBe(true)
})

test('closed pages answer addresses inside only; one that an unknown proxy passed on is outside [SYS-04]', () => {
  const passedOn = { 'x-forwarded-for': '8.8.8.8' }
  expect(isInside({ ip: '10.1.2.3', headers: {} }, { trustProxy: 0 })).toBe(true)
  expect(isInside({ ip: '::1', headers: {} }, { trustProxy: 0 })).toBe(true)
  expect(isInside({ ip: '::ffff:127.0.0.1', headers: {} }, { trustProxy: 0 })).toBe(true)
  expect(isInside({ ip: '8.8.8.8', headers: {} }, { trustProxy: 0 })).toBe(false)
  expect(isInside({ ip: '127.0.0.1', headers: passedOn }, { trustProxy: 0 })).toBe(false)
  for (const name of ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip']) {
    const named = { [name]: '10.1.2.3' }
    expect(isInside({ ip: '127.0.0.1', headers: named }, { trustProxy: 0 }), name).toBe(false)
    // A proxy that is trusted, and does not add to X-Forwarded-For.
    expect(isInside({ ip: '127.0.0.1', headers: named }, { trustProxy: 1 }), name).toBe(false)
    expect(isInside({ ip: '10.1.2.3', headers: { ...passedOn, ...named } }, { trustProxy: 1 }), name).toBe(true)
  }
  expect(isInside({ ip: '127.0.0.1', headers: {} }, { trustProxy: 1 })).toBe(true)
  // With TRUST_PROXY the address is the visitor's.
  expect(isInside({ ip: '10.1.2.3', headers: passedOn }, { trustProxy: 1 })).toBe(true)
  for (const ip of ['unknown', '8.8.8.8:1234', ''])
    expect(isInside({ ip, headers: { 'x-forwarded-for': ip } }, { trustProxy: 1 }), ip).toBe(false)
  const outside = { ip: '8.8.8.8', headers: {} }
  expect(() => requireInside(outside, { trustProxy: 0, closesInternalPages: true })).toThrow('not_found')
  expect(() => requireInside(outside, { trustProxy: 0, closesInternalPages: false })).not.toThrow()
})
