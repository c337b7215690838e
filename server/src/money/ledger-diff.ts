// Decides what has to be booked for a key: the difference between what is owed and what is booked, with its items. It has no side effects.
// Amounts are in ten-thousandths of the key's currency.

import { type LedgerKey, roundToCents } from './ledger-key.ts'

/** A qualified player: owed once by a key. */
export interface PlayerLine {
  readonly player: number
  readonly day: string
  readonly price: bigint
}

/** The income or spend of one day at one percentage. */
export interface DayLine {
  readonly day: string
  /** Ten-thousandths of a percent. */
  readonly rate: bigint
  readonly base: bigint
  readonly amount: bigint
}

export interface Item {
  readonly player: number | null
  readonly day: string
  readonly quantity: 1 | -1 | null
  readonly base: bigint
  readonly rate: bigint | null
  readonly amount: bigint
}

/** What a key owes, or what is booked for it. CPA keys have players only, the others days only. */
export interface Lines {
  readonly players: readonly PlayerLine[]
  readonly days: readonly DayLine[]
}

export const NO_LINES: Lines = { players: [], days: [] }

/** CPA is rounded per player, RS and agency once per key. */
export function totalOf({ kind }: Pick<LedgerKey, 'kind'>, { players, days }: Lines): bigint {
  return kind === 'cpa'
    ? players.reduce((sum, { price }) => sum + roundToCents(price), 0n)
    : roundToCents(days.reduce((sum, { amount }) => sum + amount, 0n))
}

export interface Difference {
  readonly amount: bigint
  readonly items: readonly Item[]
}

/** Null if nothing has to be booked. Players of the same price may replace each other: then the amount is 0, and there are items. */
export function findDifference(
  key: Pick<LedgerKey, 'kind'>,
  owed: Lines,
  booked: Lines,
  total: bigint,
): Difference | null {
  const items = key.kind === 'cpa' ? playerItems(owed.players, booked.players) : dayItems(owed.days, booked.days)
  const amount = totalOf(key, owed) - total
  return amount === 0n && (key.kind !== 'cpa' || items.length === 0) ? null : { amount, items }
}

/** A new price is −1 at the booked amount and +1 at the new one. */
function playerItems(owed: readonly PlayerLine[], booked: readonly PlayerLine[]): Item[] {
  const standing = new Map(booked.map((line) => [line.player, line]))
  const items: Item[] = []
  for (const line of owed) {
    const before = standing.get(line.player)
    standing.delete(line.player)
    if (before !== undefined && roundToCents(before.price) === roundToCents(line.price)) continue
    if (before !== undefined) items.push(playerItem(before, -1))
    items.push(playerItem(line, 1))
  }
  for (const line of standing.values()) items.push(playerItem(line, -1))
  return items
}

const playerItem = ({ player, day, price }: PlayerLine, quantity: 1 | -1): Item => ({
  player,
  day,
  quantity,
  base: price,
  rate: null,
  amount: BigInt(quantity) * roundToCents(price),
})

function dayItems(owed: readonly DayLine[], booked: readonly DayLine[]): Item[] {
  const sums = new Map<string, DayLine>()
  const add = (line: DayLine, sign: bigint): void => {
    const id = `${line.day} ${line.rate}`
    const { base, amount } = sums.get(id) ?? { base: 0n, amount: 0n }
    sums.set(id, { ...line, base: base + sign * line.base, amount: amount + sign * line.amount })
  }
  for (const line of owed) add(line, 1n)
  for (const line of booked) add(line, -1n)
  return [...sums.values()]
    .filter(({ base, amount }) => base !== 0n || amount !== 0n)
    .sort((a, b) => (a.day === b.day ? Number(a.rate - b.rate) : a.day < b.day ? -1 : 1))
    .map(({ day, rate, base, amount }) => ({ player: null, day, quantity: null, base, rate, amount }))
}
