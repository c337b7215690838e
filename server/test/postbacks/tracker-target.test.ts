// Where the server is led to by names and redirects. Only what names mean is made up here: two stand for servers outside, others are answered
// as a hostile name server would. Addresses are judged by the product.
import { expect, test, vi } from 'vitest'
import { callIntegration } from '../../src/integrations/call-integration.ts'
import { callPartner, openPartnerClient } from '../../src/tracker/postbacks/partner-client.ts'
import { checkTarget, ForbiddenTarget, resolveTarget } from '../../src/tracker/postbacks/target-guard.ts'
import { ok, startPartner } from '../support/partner-server.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'dressed.test': ['::ffff:127.0.0.1'],
  'private.test': ['10.0.0.7'],
  'metadata.test': ['169.254.169.254'],
  'translated.test': ['64:ff9b::a00:7'],
  // One address outside does not vouch for another inside.
  'mixed.test': ['8.8.8.8', '127.0.0.1'],
}
const asked: string[] = []

vi.mock('node:dns/promises', () => ({
  lookup: async (host: string) => {
    asked.push(host)
    return (NAMES[host] ?? ['127.0.0.1']).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  },
}))

/** As if it stood outside: what it answers is on this machine all the same. */
const OUTSIDE = 'outside.test'
vi.mock('../../src/tracker/postbacks/target-guard.ts', async (load) => {
  const guard = await load<typeof import('../../src/tracker/postbacks/target-guard.ts')>()
  const resolve: typeof guard.resolveTarget = async (host, allowsPrivateTargets) =>
    host === 'outside.test' ? { address: '127.0.0.1', family: 4 } : guard.resolveTarget(host, allowsPrivateTargets)
  return { ...guard, resolveTarget: resolve }
})

const call = (url: string) => callPartner({ url, method: 'GET', allowsPrivateTargets: false, idempotencyKey: 'one' })

test.each(Object.keys(NAMES))('%s means an address inside and is not called [TRK-07]', async (name) => {
  const inside = await startPartner(ok)
  const { port } = new URL(inside.url)
  await expect(resolveTarget(name, false)).rejects.toThrow(ForbiddenTarget)
  expect(await call(`http://${name}:${port}/`)).toMatchObject({ code: null, reason: 'forbidden_target' })
  expect(inside.calls).toEqual([])
})

test('a redirect from outside leads nowhere inside, by address, by name and in IPv6 [TRK-07]', async () => {
  const inside = await startPartner(ok)
  const { port } = new URL(inside.url)
  const targets = [
    `http://127.0.0.1:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:7f00:1]:${port}/`,
    `http://[::127.0.0.1]:${port}/`,
    `http://2130706433:${port}/`,
    `http://localhost:${port}/`,
    ...Object.keys(NAMES).map((name) => `http://${name}:${port}/`),
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:25/x',
  ]
  for (const location of targets) {
    for (const status of [301, 302, 303, 307, 308]) {
      const turn = await startPartner((_, response) => response.writeHead(status, { location }).end())
      const result = await call(turn.url.replace('127.0.0.1', OUTSIDE))
      expect([location, status, result.reason]).toEqual([location, status, 'forbidden_target'])
    }
  }
  expect(inside.calls).toEqual([])
})

test('a host is resolved once for each call, and the call goes to the resolved IP [TRK-07]', async () => {
  asked.length = 0
  await call('http://loopback.test/')
  expect(asked).toEqual(['loopback.test'])
})

test('a look at an address goes nowhere inside either, and follows nothing [TRK-07]', async () => {
  const inside = await startPartner(ok)
  const client = openPartnerClient({ allowsPrivateTargets: false })
  const turn = await startPartner((_, response) => response.writeHead(302, { location: inside.url }).end())
  expect(await client.probe(turn.url.replace('127.0.0.1', OUTSIDE), 'test')).toMatchObject({ code: 302, error: null })
  for (const url of [inside.url, inside.url.replace('127.0.0.1', 'loopback.test')])
    expect((await client.probe(url, 'test')).code).toBeNull()
  expect(inside.calls).toEqual([])
  await client.close()
})

test('an integration is called outside alone, and its redirects are not followed [INT-01]', async () => {
  const inside = await startPartner(ok)
  const { port } = new URL(inside.url)
  const options = { guard: { check: checkTarget, resolve: resolveTarget }, allowsPrivateTargets: false, pauseMs: 1 }
  const ask = (url: string) =>
    callIntegration({ url, method: 'GET', credential: 'secret', signal: AbortSignal.timeout(5000) }, options)
  for (const host of ['127.0.0.1', '[::1]', 'loopback.test', 'mixed.test'])
    await expect(ask(`http://${host}:${port}/`)).rejects.toThrow(/private network/)
  const turn = await startPartner((_, response) => response.writeHead(302, { location: inside.url }).end())
  await expect(ask(turn.url.replace('127.0.0.1', OUTSIDE))).rejects.toThrow('answered 302')
  expect(inside.calls).toEqual([])
})
