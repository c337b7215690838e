// One call of a partner's address: where it never goes, what it follows, how it ends.

import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { type CallOptions, callPartner } from '../../src/tracker/postbacks/partner-client.ts'
import { isPrivateIp } from '../../src/tracker/postbacks/target-guard.ts'
import { ok, startPartner } from '../support/partner-server.ts'
import { AUTHORITY, EXPIRED, FOREIGN, GOOD, KEY } from './certificates.ts'

/** One call of nobody's postback. */
const tryCall = (
  url: string,
  method = 'GET',
  allowsPrivateTargets = true,
  more: Partial<CallOptions> & { timeoutMs?: number } = {},
) => callPartner({ url, method, allowsPrivateTargets, idempotencyKey: 'one', ...more })

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '0:0:0:0:0:ffff:c0a8:101',
  '64:ff9b::7f00:1',
  '2002:7f00:1::1',
  'fe80::1%eth0',
  'fd12:3456::1',
  'ff02::1',
  'not an address',
])('%s is inside [TRK-07]', (address) => expect(isPrivateIp(address)).toBe(true))

test.each(['8.8.8.8', '172.32.0.1', '::ffff:8.8.8.8', '2606:4700::1111'])('%s is outside [TRK-07]', (address) =>
  expect(isPrivateIp(address)).toBe(false),
)

test('inside addresses are never called, however they are spelled or redirected to [TRK-07]', async () => {
  const partner = await startPartner(ok)
  const { port } = new URL(partner.url)
  const spellings = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '127.1', '[::1]', '[::ffff:127.0.0.1]']
  for (const host of spellings) {
    const result = await tryCall(`http://${host}:${port}/`, 'GET', false)
    expect(result, host).toMatchObject({ code: null, reason: 'forbidden_target' })
  }
  for (const url of ['file:///etc/passwd', 'ftp://8.8.8.8/', 'http://user:pass@8.8.8.8/']) {
    expect(await tryCall(url, 'GET', false)).toMatchObject({ reason: 'forbidden_target' })
  }
  expect(partner.calls).toHaveLength(0)
  const turning = await startPartner((_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end())
  expect(await tryCall(turning.url)).toMatchObject({ reason: 'forbidden_target' })
})

test('a redirect is followed once, its address checked anew [TRK-07]', async () => {
  const end = await startPartner(ok)
  const turn = await startPartner((_, response) => response.writeHead(302, { location: `${end.url}/end` }).end())
  expect(await tryCall(turn.url, 'POST')).toMatchObject({ code: 200, error: null, reason: null })
  expect(end.calls).toMatchObject([{ method: 'GET', url: '/end' }])
  const loop = await startPartner((_, response) => response.writeHead(302, { location: '/' }).end())
  expect(await tryCall(loop.url)).toMatchObject({ code: 302, error: 'the answer was 302', reason: 'redirected' })
  expect(loop.calls).toHaveLength(2)
})

test('servers that reset, drown or cannot prove who they are become outcomes with a reason [TRK-07]', async () => {
  const reset = await startPartner((request) => request.socket.resetAndDestroy())
  expect(await tryCall(reset.url)).toMatchObject({ code: null, reason: 'no_connection' })
  let written = 0
  const endless = await startPartner((_, response) => {
    const chunk = Buffer.alloc(65_536, 'x')
    const write = () => {
      while (!response.destroyed && written < 10_000_000 && response.write(chunk)) written += chunk.length
    }
    response.on('drain', write).on('error', () => undefined)
    write()
  })
  expect(await tryCall(endless.url)).toMatchObject({ code: 200, reason: null, response: 'x'.repeat(4096) })
  expect(written).toBeLessThan(10_000_000)
  const plain = await startPartner(ok)
  expect(await tryCall(plain.url.replace('http:', 'https:'))).toMatchObject({ code: null, reason: 'bad_tls' })
  const slow = await startPartner(() => undefined)
  expect(await tryCall(slow.url, 'GET', true, { timeoutMs: 50 })).toMatchObject({ code: null, reason: 'timeout' })
})

/** A partner behind TLS. */
async function startSecure(cert: string): Promise<string> {
  const server = createServer({ key: KEY, cert }, (_, response) => response.end('thank you')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // It listens on TCP.
  return `https://localhost:${(server.address() as AddressInfo).port}/`
}

test('a certificate that is expired, of another host or signed by nobody known ends the call; a good one does not [TRK-07]', async () => {
  const known = getCACertificates('default')
  const nobodys = await startSecure(GOOD)
  expect(await tryCall(nobodys)).toMatchObject({ code: null, reason: 'bad_tls' })
  setDefaultCACertificates([...known, AUTHORITY])
  onTestFinished(() => setDefaultCACertificates(known))
  expect(await tryCall(await startSecure(GOOD))).toMatchObject({ code: 200, reason: null, response: 'thank you' })
  expect(await tryCall(await startSecure(EXPIRED))).toMatchObject({
    code: null,
    reason: 'bad_tls',
    error: expect.stringContaining('CERT_HAS_EXPIRED'),
  })
  expect(await tryCall(await startSecure(FOREIGN))).toMatchObject({
    code: null,
    reason: 'bad_tls',
    error: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
  })
})
