// The law of the ledger on random histories: after each booking, the entries of a key sum to what a naive reckoning in cents says is owed, and a
// player counts once or not at all. The naive side works with numbers of cents and shares no code with the product.

import { DEFAULT_ZONE, today } from '@tributary/contract/period'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type DayLine, findDifference, type Item, type Lines, NO_LINES } from '../../src/money/ledger-diff.ts'
import type { Server } from '../../src/server.ts'
import { ENTITY_MODULES } from '../support/entity-calls.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestApp } from '../support/harness.ts'
import { historyArbitrary } from './ledger-history.ts'
import { LedgerLaw } from './ledger-law.ts'

/** MONEY_HISTORIES: random histories on real engines (default 4); MONEY_SEED: others of the same. */
const HISTORIES = Number(process.env.MONEY_HISTORIES ?? 4)
const SEED = Number(process.env.MONEY_SEED ?? 20_261_123)
const ROUNDS = 8
/** A slow machine lives through fewer histories; whoever sets MONEY_HISTORIES wants them all. */
const SUITE_MS = 8000

let server: Server

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
})

/** A seeded generator of whole numbers below a bound. */
function makeDice(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

/** What the network owes, in ten-thousandths, as plain numbers. */
interface Owed {
  readonly players: Map<number, { day: string; price: number }>
  readonly days: Map<string, { day: string; rate: number; base: number }>
}

const dayOf = (number: number): string => `2026-10-${String(number + 1).padStart(2, '0')}`

/** Half away from zero, to cents. */
const cents = (tenThousandths: number): number =>
  Math.sign(tenThousandths) * Math.floor(Math.abs(tenThousandths) / 100 + 0.5)

const amountOf = ({ rate, base }: { rate: number; base: number }): number => (base * rate) / 100

function naive(kind: 'cpa' | 'rs', { players, days }: Owed): number {
  if (kind === 'cpa') return [...players.values()].reduce((sum, { price }) => sum + cents(price), 0)
  return cents([...days.values()].reduce((sum, line) => sum + amountOf(line), 0))
}

const toLines = ({ players, days }: Owed): Lines => ({
  players: [...players].map(([player, { day, price }]) => ({ player, day, price: BigInt(price) })),
  days: [...days.values()].map(
    (line): DayLine => ({
      day: line.day,
      rate: BigInt(line.rate * 10_000),
      base: BigInt(line.base),
      amount: BigInt(amountOf(line)),
    }),
  ),
})

/** Players qualify, are lost, or get another price; income of a day arrives, changes, turns negative, or moves to another percentage. */
function change(owed: Owed, dice: (below: number) => number): void {
  const player = dice(8)
  if (dice(4) === 0) owed.players.delete(player)
  else owed.players.set(player, { day: dayOf(dice(31)), price: dice(20_000_000) })
  const [day, rate] = [dayOf(dice(6)), dice(101)]
  const key = `${day} ${rate}`
  if (dice(4) === 0) owed.days.delete([...owed.days.keys()][0] ?? '')
  // Whole hundreds, so that a percentage of it is a whole number of ten-thousandths.
  else owed.days.set(key, { day, rate, base: (dice(2_000_001) - 1_000_000) * 100 })
}

/** What is booked, read back from the items as the store reads it. */
function booked(kind: 'cpa' | 'rs', items: readonly Item[]): Lines {
  if (kind === 'cpa') {
    const net = new Map<number, number>()
    const last = new Map<number, Item>()
    for (const item of items) {
      const player = item.player ?? 0
      net.set(player, (net.get(player) ?? 0) + (item.quantity ?? 0))
      if (item.quantity === 1) last.set(player, item)
    }
    expect([...net.values()].every((count) => count === 0 || count === 1)).toBe(true)
    const standing = [...last].filter(([player]) => net.get(player) === 1)
    return { players: standing.map(([player, { day, base }]) => ({ player, day, price: base })), days: [] }
  }
  const days = new Map<string, DayLine>()
  for (const { day, rate, base, amount } of items) {
    const key = `${day} ${String(rate)}`
    const before = days.get(key)
    days.set(key, { day, rate: rate ?? 0n, base: base + (before?.base ?? 0n), amount: amount + (before?.amount ?? 0n) })
  }
  return { players: [], days: [...days.values()] }
}

test('Σ entries is what a naive ledger owes after each booking, and booking again adds nothing [MON-05] [MON-12]', () => {
  for (let history = 0; history < fuzzRuns(2000); history++) {
    const dice = makeDice(history + 1)
    const kind = dice(2) === 0 ? 'cpa' : 'rs'
    const owed: Owed = { players: new Map(), days: new Map() }
    const items: Item[] = []
    let total = 0n
    for (let booking = 0; booking < 6; booking++) {
      for (let step = dice(5); step >= 0; step--) change(owed, dice)
      const was = items.length === 0 ? NO_LINES : booked(kind, items)
      const difference = findDifference({ kind }, toLines(owed), was, total)
      total += difference?.amount ?? 0n
      items.push(...(difference?.items ?? []))
      expect(Number(total) / 100, `history ${history}, booking ${booking}`).toBe(naive(kind, owed))
      expect(findDifference({ kind }, toLines(owed), booked(kind, items), total)).toBeNull()
      if (kind === 'cpa') expect(items.reduce((sum, { amount }) => sum + amount, 0n)).toBe(total)
    }
  }
})

test('after every close, reopening, true-up and adjustment of any history, entries sum to what is owed, never change, and count a player once [MON-01] [MON-03] [MON-04] [MON-05] [MON-12] [MON-16]', {
  timeout: 60_000 + HISTORIES * 20_000,
}, async () => {
  const began = performance.now()
  const lastYear = Number(today(DEFAULT_ZONE).slice(0, 4)) - 1
  const histories = fc.sample(historyArbitrary(lastYear, ROUNDS), { numRuns: HISTORIES, seed: SEED })
  let entries = 0
  for (const [place, history] of histories.entries()) {
    entries += await new LedgerLaw(server, history).live().catch((error: unknown) => {
      throw new Error(`history ${place} of MONEY_SEED ${SEED}`, { cause: error })
    })
    if (process.env.MONEY_HISTORIES === undefined && performance.now() - began > SUITE_MS) break
  }
  expect(entries).toBeGreaterThan(0)
})
