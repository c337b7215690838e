// How many calls each partner's host may have: dead ones cost nothing, living ones get more.

import { expect, test } from 'vitest'
import { createHostLimits, HOST_LIMITS } from '../../src/tracker/postbacks/host-limits.ts'

test('a host that answers gets more calls each time, up to its limit [TRK-07]', () => {
  const hosts = createHostLimits()
  expect(hosts.room(0)).toEqual({ answering: {}, closed: [], others: HOST_LIMITS.unproven, total: HOST_LIMITS.total })
  hosts.began('a')
  expect(hosts.room(0)).toMatchObject({ closed: ['a'], others: HOST_LIMITS.unproven - 1 })
  for (let times = 0; times < 10; times++) {
    hosts.ended('a', true, 0)
    hosts.began('a')
  }
  expect(hosts.room(0).answering).toEqual({ a: HOST_LIMITS.host - 1 })
  expect(hosts.room(0).others).toBe(HOST_LIMITS.unproven)
})

test('a host that stays silent is left alone, longer each time, and tried with one call; others have their room [TRK-07]', () => {
  const hosts = createHostLimits()
  hosts.began('a')
  hosts.ended('a', true, 0)
  for (let times = 0; times < HOST_LIMITS.silent; times++) {
    hosts.began('a')
    hosts.ended('a', false, 1000)
  }
  expect(hosts.resting(1000)).toEqual(['a'])
  expect(hosts.room(1000 + HOST_LIMITS.restMs - 1).closed).toEqual(['a'])
  const after = 1000 + HOST_LIMITS.restMs
  expect(hosts.room(after)).toMatchObject({ closed: [], answering: {} })
  hosts.began('a')
  expect(hosts.room(after).closed).toEqual(['a'])
  hosts.ended('a', false, after)
  expect(hosts.resting(after + 2 * HOST_LIMITS.restMs - 1)).toEqual(['a'])
  hosts.began('a')
  hosts.ended('a', true, after)
  expect(hosts.resting(after)).toEqual([])
  expect(hosts.inFlight).toBe(0)
})

test('a host whose many calls fail at the same moment is paused once, not for each of them [TRK-07]', () => {
  const hosts = createHostLimits()
  for (let times = 0; times < 10; times++) {
    hosts.began('a')
    hosts.ended('a', true, 0)
  }
  for (let call = 0; call < HOST_LIMITS.host; call++) hosts.began('a')
  for (let call = 0; call < HOST_LIMITS.host; call++) hosts.ended('a', false, 1000 + call)
  const after = 1000 + HOST_LIMITS.silent + HOST_LIMITS.restMs
  expect(hosts.resting(after)).toEqual([])
  hosts.began('a')
  hosts.ended('a', true, after)
  expect(hosts.room(after).answering.a).toBeGreaterThan(0)
})

test('hundreds of silent hosts leave room for the one that answers [TRK-07]', () => {
  const hosts = createHostLimits()
  hosts.began('good')
  hosts.ended('good', true, 0)
  for (let dead = 0; dead < HOST_LIMITS.unproven; dead++) hosts.began(`dead ${dead}`)
  const room = hosts.room(0)
  expect(room.others).toBe(0)
  expect(room.answering.good).toBeGreaterThan(0)
  expect(room.total).toBe(HOST_LIMITS.total - HOST_LIMITS.unproven)
})
