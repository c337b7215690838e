// The next of the waiting reads: chosen by length, waiting time and person, not by arrival.

import { describe, expect, test } from 'vitest'
import { runForPerson } from '../../src/clickhouse/client.ts'
import { nextQuery, type QueuedQuery, READERS, type ServedCounts } from '../../src/clickhouse/query-scheduler.ts'
import { openTestClickhouse } from '../support/harness.ts'

const NOBODY: ServedCounts = new Map()
let people = 0
const short = (since: number, person: number | null = ++people): QueuedQuery => ({ person, isLong: false, since })
const long = (since: number): QueuedQuery => ({ person: ++people, isLong: true, since })

describe('the next query', () => {
  test('is the short one behind long ones that came before it [REP-12]', () => {
    const waiting = [long(0), long(10)]
    const later = short(100)
    expect(nextQuery([...waiting, later], [], NOBODY, 200)).toBe(later)
    expect(nextQuery(waiting, [], NOBODY, 200)).toBe(waiting[0])
    expect(nextQuery([], [], NOBODY, 200)).toBeUndefined()
  })

  test('is no long one while long ones leave but one session [REP-12]', () => {
    const [waiting, later] = [long(0), short(5000)]
    const running = Array.from({ length: READERS - 1 }, () => long(0))
    expect(nextQuery([waiting], running, NOBODY, 6000)).toBeUndefined()
    expect(nextQuery([waiting, later], running, NOBODY, 90_000)).toBe(later)
    expect(nextQuery([waiting], running.slice(1), NOBODY, 6000)).toBe(waiting)
  })

  test('is a long one after 15 seconds, however many short ones keep coming [REP-12]', () => {
    const first = long(0)
    const waiting = [first]
    let now = 0
    // Two short ones come while one is served.
    for (let served: QueuedQuery | undefined; served !== first; now += 50) {
      waiting.push(short(now), short(now))
      served = nextQuery(waiting, [], NOBODY, now)
      if (served !== undefined) waiting.splice(waiting.indexOf(served), 1)
      if (now > 40_000) break
    }
    expect(waiting).not.toContain(first)
    expect(now).toBeLessThanOrEqual(15_000 + 100)
  })

  test('goes round among people: many queries of one do not push back those of another [REP-12]', () => {
    const many = Array.from({ length: 10 }, (_, n) => short(n, 1001))
    const waiting = [...many, short(20, 1002)]
    const served = new Map<number | null, number>()
    const order: (number | null)[] = []
    for (let now = 100; waiting.length > 0; now += 10) {
      const next = nextQuery(waiting, [], served, now)
      if (next === undefined) throw new Error('nobody was served')
      waiting.splice(waiting.indexOf(next), 1)
      served.set(next.person, (served.get(next.person) ?? 0) + 1)
      order.push(next.person)
    }
    expect(order.indexOf(1002)).toBe(1)
    expect(order.filter((person) => person === 1001)).toHaveLength(10)
  })
})

test('while all sessions are taken queries wait, and a query whose caller leaves never runs [REP-12]', async () => {
  const clickhouse = openTestClickhouse()
  const endless = 'select count() as n from numbers(1000000000000) where sipHash64(number) = 1'
  const busy = Array.from({ length: READERS }, () => new AbortController())
  const running = busy.map(({ signal }) => clickhouse.query(endless, {}, { signal }).catch(() => undefined))
  const served: string[] = []
  const ask = (person: number, name: string, signal?: AbortSignal) =>
    runForPerson(person, async () => {
      const options = signal === undefined ? {} : { signal }
      await clickhouse.query('select {name:String} as name', { name }, options)
      served.push(name)
    })
  const leaving = new AbortController()
  const left = ask(1, 'left', leaving.signal)
  const asked = [ask(1, 'a'), ask(1, 'b'), ask(2, 'c')]
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect(served).toEqual([])
  busy[0]?.abort(new Error('enough'))
  await Promise.all(asked)
  expect(served.toSorted()).toEqual(['a', 'b', 'c'])
  for (const control of busy) control.abort(new Error('enough'))
  await Promise.all(running)
})
