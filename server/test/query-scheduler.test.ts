// The next of the waiting reads: chosen by cost, waiting time and person, not by arrival.

import { describe, expect, test } from 'vitest'
import { createCostEstimates } from '../src/clickhouse/cost-estimate.ts'
import { runForPerson } from '../src/clickhouse/current-person.ts'
import { nextQuery, type QueuedQuery, READERS, type Spent } from '../src/clickhouse/query-scheduler.ts'
import { openTestClickhouse } from './harness.ts'

const NOBODY: Spent = new Map()
const HEAVY = 2000
const LIGHT = 50
let people = 0
const query = (cost: number, since: number, person: number | null = ++people): QueuedQuery => ({ person, cost, since })

describe('the next query', () => {
  test('is that of the short question behind long ones that were asked before it [REP-12]', () => {
    const long = [query(HEAVY, 0), query(HEAVY, 10)]
    const short = query(LIGHT, 100)
    expect(nextQuery([...long, short], [], NOBODY, 200)).toBe(short)
    expect(nextQuery(long, [], NOBODY, 200)).toBe(long[0])
    expect(nextQuery([], [], NOBODY, 200)).toBeUndefined()
  })

  test('is of no long question while others leave but one session: that is for the short ones [REP-12]', () => {
    const [long, short] = [query(HEAVY, 0), query(LIGHT, 5000)]
    const running = Array.from({ length: READERS - 1 }, () => query(HEAVY, 0))
    expect(nextQuery([long], running, NOBODY, 6000)).toBeUndefined()
    expect(nextQuery([long, short], running, NOBODY, 90_000)).toBe(short)
    expect(nextQuery([long], running.slice(1), NOBODY, 6000)).toBe(long)
  })

  test('comes to a long question however many short ones are asked all the time [REP-12]', () => {
    const long = query(HEAVY, 0)
    const waiting = [long]
    let now = 0
    // Two short ones are asked while one is served: there are always some, and ever more.
    for (let served: QueuedQuery | undefined; served !== long; now += LIGHT) {
      waiting.push(query(LIGHT, now), query(LIGHT, now))
      served = nextQuery(waiting, [], NOBODY, now)
      if (served !== undefined) waiting.splice(waiting.indexOf(served), 1)
      if (now > 20 * HEAVY) break
    }
    expect(waiting).not.toContain(long)
    expect(now).toBeLessThanOrEqual(15_000 + 2 * LIGHT)
  })

  test('goes round among people: many questions of one do not push back those of another [REP-12]', () => {
    const many = Array.from({ length: 10 }, (_, n) => query(LIGHT, n, 1001))
    const other = query(LIGHT, 20, 1002)
    const waiting = [...many, other]
    const spent = new Map<number | null, number>()
    const order: (number | null)[] = []
    for (let now = 100; waiting.length > 0; now += 10) {
      const next = nextQuery(waiting, [], spent, now)
      if (next === undefined) throw new Error('nobody was served')
      waiting.splice(waiting.indexOf(next), 1)
      spent.set(next.person, (spent.get(next.person) ?? 0) + next.cost)
      order.push(next.person)
    }
    expect(order.indexOf(1002)).toBe(1)
    // Of one and the same person, in their order.
    expect(order.filter((asker) => asker === 1001)).toHaveLength(10)
  })
})

test('a statement is estimated by its own last runs for each day, an unknown one by its kind [REP-12]', () => {
  const estimates = createCostEstimates()
  const like = (size: number) => ({ name: 'partner,offer', size })
  expect(estimates.estimate('a', like(10))).toBeUndefined()
  estimates.learn('a', like(10), 200, 0)
  expect([estimates.estimate('a', like(10)), estimates.estimate('a', like(30))]).toEqual([200, 600])
  // It took twice as long because another ran beside it.
  estimates.learn('a', like(10), 400, 1)
  expect(estimates.estimate('a', like(10))).toBe(200)
  estimates.learn('b', like(1), 1000, 0)
  expect(estimates.estimate('a', like(1))).toBe(20)
  expect(estimates.estimate('c', like(1))).toBe(510)
  for (let n = 0; n < 5000; n++) estimates.learn(`other ${n}`, { name: 'others', size: 1 }, 1, 0)
  expect(estimates.estimate('a')).toBeUndefined()
})

test('while all sessions are taken people wait, and who leaves has never been there [REP-12]', async () => {
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
