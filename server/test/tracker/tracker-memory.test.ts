// What the tracker keeps in memory: ids that only grow, who came first, countries of addresses; and that a restart forgets none of it.

import { expect, test } from 'vitest'
import { createUniqueness, type Visit } from '../../src/facts/clicks/uniqueness.ts'
import { fingerprint } from '../../src/lib/text-fingerprint.ts'
import { createClickIds, isUuid, timeOfClickId } from '../../src/tracker/clicks/click-id.ts'
import { openIpCountry } from '../../src/tracker/clicks/ip-country.ts'
import { restoreUniqueness } from '../../src/tracker/clicks/recorded-clicks.ts'
import { createRecentCache } from '../../src/tracker/clicks/visitor.ts'
import { trackerModule } from '../../src/tracker/module.ts'
import { trackers } from '../../src/tracker/tracker.ts'
import { startTestApp } from '../support/harness.ts'
import { CHROME, LINK, makeNetwork, someAddress, visit } from '../support/tracker-network.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 0, 1)
const visitor = (number: number, offerPartnerId = 1): Visit => ({
  offerPartnerId,
  address: fingerprint(`10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`),
  agent: fingerprint('agent'),
})

test('click ids are UUIDv7, only grow, also within a millisecond and when the clock steps back', () => {
  const ids = createClickIds()
  let last = ''
  for (let index = 0; index < 20_000; index++) {
    const now = NOW + Math.floor(index / 6000) - (index > 10_000 ? 5000 : 0)
    const { id, time } = ids.next(now)
    expect(id > last).toBe(true)
    expect(timeOfClickId(id)).toBe(time)
    last = id
  }
  expect(isUuid(last) && last[14] === '7' && '89ab'.includes(last[19] ?? '')).toBe(true)
  expect(timeOfClickId('0b0e0b0e-0000-4000-8000-000000000001')).toBeUndefined()
})

test('a visitor is unique once in the window, and again after it [TRK-02]', () => {
  const ids = createClickIds()
  const uniqueness = createUniqueness(() => 24 * HOUR)
  const claim = (visit: Visit, now: number) => {
    const { id } = ids.next(now)
    return { id, first: uniqueness.claim(visit, id, now) }
  }
  const first = claim(visitor(1), NOW)
  expect(first.first).toBeNull()
  expect(claim(visitor(1), NOW + HOUR).first).toBe(first.id)
  expect(claim(visitor(1, 2), NOW + HOUR).first).toBeNull()
  expect(claim(visitor(1), NOW + 24 * HOUR - 1).first).toBe(first.id)
  const next = claim(visitor(1), NOW + 24 * HOUR)
  expect(next.first).toBeNull()
  expect(claim(visitor(1), NOW + 25 * HOUR).first).toBe(next.id)
})

test('a first click that was not recorded is taken back; of two recorded ones the earlier counts [TRK-02]', () => {
  const ids = createClickIds()
  const uniqueness = createUniqueness(() => 24 * HOUR)
  const [a, b, c] = [ids.next(NOW).id, ids.next(NOW).id, ids.next(NOW).id]
  expect(uniqueness.claim(visitor(1), a, NOW)).toBeNull()
  uniqueness.release(visitor(1), b)
  expect(uniqueness.claim(visitor(1), b, NOW)).toBe(a)
  uniqueness.release(visitor(1), a)
  expect(uniqueness.claim(visitor(1), b, NOW)).toBeNull()
  uniqueness.restore(visitor(1), a)
  uniqueness.restore(visitor(1), c)
  expect(uniqueness.claim(visitor(1), c, NOW)).toBe(a)
})

test('100,000 visitors in a bounded memory: none is mixed up, the oldest go first [TRK-02]', () => {
  const ids = createClickIds()
  const uniqueness = createUniqueness(() => 24 * HOUR, 1_000_000)
  const firsts = Array.from({ length: 100_000 }, (_, number) => {
    const { id } = ids.next(NOW + number)
    expect(uniqueness.claim(visitor(number), id, NOW + number)).toBeNull()
    return id
  })
  for (const [number, id] of firsts.entries()) expect(uniqueness.claim(visitor(number), 'x', NOW + 100_000)).toBe(id)
  const small = createUniqueness(() => 24 * HOUR, 10_000)
  for (const [number, id] of firsts.entries()) small.claim(visitor(number), id, NOW + number)
  expect(small.size).toBeLessThanOrEqual(12_000)
  expect(small.claim(visitor(99_999), 'x', NOW + 100_000)).toBe(firsts[99_999])
  const expired = createUniqueness(() => 1000)
  for (const [number, id] of firsts.entries()) expired.claim(visitor(number), id, NOW + number)
  expect(expired.size).toBeLessThan(10_000)
})

test('the memory of computed values is bounded and keeps what is used', () => {
  let computed = 0
  const cache = createRecentCache((key) => ({ key, number: ++computed }), 10)
  for (let round = 0; round < 100; round++) {
    cache.get('always')
    cache.get(`once ${round}`)
  }
  expect(cache.get('always').number).toBe(1)
  expect(cache.get('once 0').number).toBeGreaterThan(100)
})

test('countries of addresses, of both families [TRK-13]', () => {
  const countryOf = openIpCountry(undefined)
  expect(countryOf('8.8.8.8')).toBe('US')
  expect(countryOf('2a00:1450:4001::')).toMatch(/^[A-Z]{2}$/)
  for (const none of ['127.0.0.1', '10.0.0.1', '::1', '', 'x', '999.1.1.1']) expect(countryOf(none)).toBeNull()
  expect(() => openIpCountry(import.meta.filename)).toThrow(/GEOIP_DB_PATH=.*is not a MaxMind DB file/)
})

test('after a restart nobody is unique a second time [TRK-02]', async () => {
  const server = await startTestApp({ modules: [trackerModule], env: { TRUST_PROXY: '1' } })
  await makeNetwork(server.services.postgres.pool)
  while ((await visit(server.url, `/c/${LINK}`)).status !== 302) await new Promise((resolve) => setTimeout(resolve, 20))
  const [a, b] = [someAddress(), someAddress()]
  const first = await visit(server.url, `/c/${LINK}`, { 'x-forwarded-for': a })
  // One that was handed over to ClickHouse already.
  const loaded = createClickIds().next(Date.now() - HOUR)
  const columns = ['id', 'day', 'created_at', 'offer_partner_id', 'is_click', 'is_unique', 'ip', 'user_agent']
  const at = new Date(loaded.time).toISOString().replace('T', ' ').slice(0, 23)
  await server.services.clickhouse.insert('click', columns, [[loaded.id, at.slice(0, 10), at, 1, 1, 1, b, CHROME]])
  const again = createUniqueness(() => 24 * HOUR)
  expect(await restoreUniqueness(again, Date.now() - 24 * HOUR, server.services)).toBe(3)
  const visitOf = (address: string) => ({
    offerPartnerId: 1,
    address: fingerprint(address),
    agent: fingerprint(CHROME),
  })
  expect(again.claim(visitOf(a), 'x', Date.now())).toBe(first.clickId)
  expect(again.claim(visitOf(b), 'x', Date.now())).toBe(loaded.id)
  expect(again.claim(visitOf(someAddress()), loaded.id, Date.now())).toBeNull()
  expect(trackers.of(server.services).offerPartners.size).toBe(3)
})
