// An amount in one currency, and beside it what no rate converts into that currency.
import { divideHalfUp } from '@tributary/contract/money'
import type { FindRate } from './compute-statement.ts'

/** An amount, and the id of its currency. */
export interface Part {
  readonly currency: number
  readonly amount: bigint
}

/** An amount in one currency, and amounts that lack a rate into it, by the id of their currency. */
export interface Purse {
  readonly own: bigint
  readonly unrated: ReadonlyMap<number, bigint>
  /** Ids of currencies without a rate that something needed. */
  readonly missingRates: ReadonlySet<number>
}

export const purseOf = (own: bigint): Purse => ({ own, unrated: new Map(), missingRates: new Set() })

export const unratedPurse = (currency: number, amount: bigint, missing: readonly number[] = []): Purse => ({
  own: 0n,
  unrated: new Map([[currency, amount]]),
  missingRates: new Set(missing),
})

/** Adds to a purse, or takes from it by the sign −1. */
export function addToPurse(purse: Purse, added: Purse, sign: 1n | -1n = 1n): Purse {
  const unrated = new Map(purse.unrated)
  for (const [currency, amount] of added.unrated) unrated.set(currency, (unrated.get(currency) ?? 0n) + sign * amount)
  return {
    own: purse.own + sign * added.own,
    unrated: new Map([...unrated].filter(([, amount]) => amount !== 0n)),
    missingRates: purse.missingRates.union(added.missingRates),
  }
}

export const sumPurses = (purses: readonly Purse[]): Purse =>
  purses.reduce((sum, purse) => addToPurse(sum, purse), purseOf(0n))

export const partsOf = ({ unrated }: Purse): Part[] => [...unrated].map(([currency, amount]) => ({ currency, amount }))

/** There is nothing in it, in any currency. */
export const isEmptyPurse = ({ own, unrated }: Purse): boolean => own === 0n && unrated.size === 0

interface Conversion extends Part {
  readonly into: number
  /** The month of whose last day the rates are. */
  readonly month: string
}

/** Rounded to cents; without a rate it stays in its currency. */
export function convertAmount({ currency, amount, into, month }: Conversion, rate: FindRate): Purse {
  if (currency === into || amount === 0n) return purseOf(amount)
  const [top, bottom] = [rate(currency, month), rate(into, month)]
  if (top !== undefined && bottom !== undefined && bottom !== 0n)
    return purseOf((divideHalfUp(amount * top, bottom * 100n) ?? 0n) * 100n)
  return unratedPurse(currency, amount, [top === undefined ? currency : into])
}
