// The law of the ledger on random histories: after each booking, the entries of a key sum to what a naive reckoning in cents says is owed, and a
// player counts once or not at all. The naive side works with numbers of cents and shares no code with the product.

import { expect, test } from 'vitest'
import { type DayLine, findDifference, type Item, type Lines, NO_LINES } from '../../src/money/ledger-diff.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'

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
