// Decides the lines of one statement: conversion, write-off and carry-over of negative revenue share, minimum, tax. Pure; amounts are ten-thousandths.

import type { NegativeRsRule } from '@tributary/contract/entities/partner-billing'
import { divideHalfUp } from '@tributary/contract/money'
import type { StatementLineKind } from '@tributary/contract/statement'
import { ONE_RATE } from './rate.ts'

export interface Grain {
  readonly country_id: number | null
  readonly advertiser_id: number | null
  readonly traffic_source_id: number | null
  readonly stream_id: number | null
}

/** Payable rows of one line, summed. */
export interface LineSource {
  readonly kind: StatementLineKind
  readonly offer_partner_id: number | null
  readonly grain: Grain | null
  readonly earned_month: string
  readonly currency_id: number
  readonly quantity: number | null
  readonly rate: bigint | null
  readonly base: bigint | null
  readonly amount: bigint
  readonly note: string | null
  readonly ledger_item_ids: readonly number[]
  readonly ledger_entry_ids: readonly number[]
  readonly adjustment_ids: readonly number[]
}

/** Rates have eight decimals. */
export type FindRate = (currencyId: number, month: string) => bigint | undefined

/** What earlier live statements hold of a key. */
export interface StatedKey {
  /** In the currency of the key. */
  readonly amount: bigint
  /** As it was converted, by statements in the currency of this one. */
  readonly total: bigint
  /** The part of the amount on statements in another currency. */
  readonly foreign: bigint
}

/** A line of an earlier statement that carries an amount and that no live statement takes up. */
export interface OpenCarry {
  readonly line_id: number
  readonly carries: 'rs' | 'total'
  readonly month: string
  /** As the later statement takes it up: the carrying line with the opposite sign. */
  readonly amount: bigint
  readonly currency_id: number
}

interface StatementInput {
  readonly month: string
  readonly currency_id: number
  readonly vat: bigint
  readonly minimum: bigint
  readonly negative_rs: NegativeRsRule
  readonly sources: readonly LineSource[]
  readonly carries: readonly OpenCarry[]
  readonly stated: (source: LineSource) => StatedKey
  /** RS totals and write-offs of an earned month on earlier live statements, in the currency of this one. */
  readonly statedRs: ReadonlyMap<string, { readonly rs: bigint; readonly writtenOff: bigint }>
  readonly rate: FindRate
}

export interface DraftLine extends LineSource {
  /** 0 if `isUnrated`. */
  readonly fx_rate: bigint
  readonly total: bigint
  /** No rate converts the amount: it is not in the total. */
  readonly isUnrated: boolean
  readonly carries: 'rs' | 'total' | null
  readonly carried_from_id: number | null
}

export interface ComputedStatement {
  readonly lines: readonly DraftLine[]
  readonly total: bigint
  /** The whole total is carried over: it is negative or below the minimum, or revenue share that is carried over leaves nothing. */
  readonly isCarried: boolean
  readonly isBelowMinimum: boolean
  /** Currencies and months without a rate. */
  readonly missingRates: readonly { currency_id: number; month: string }[]
}

const CENT = 100n

type Ratio = readonly [numerator: bigint, denominator: bigint]
/** Converts every amount to 0. */
const NO_RATE: Ratio = [0n, 1n]

export function computeStatement(input: StatementInput): ComputedStatement {
  const { currency_id, month } = input
  const missing = new Map<string, { currency_id: number; month: string }>()
  const fx = (from: number, of: string): Ratio => {
    if (from === currency_id) return [1n, 1n]
    const [own, ours] = [input.rate(from, of), input.rate(currency_id, of)]
    if (own === undefined) missing.set(`${from} ${of}`, { currency_id: from, month: of })
    if (ours === undefined) missing.set(`${currency_id} ${of}`, { currency_id, month: of })
    return own === undefined || ours === undefined || ours === 0n ? NO_RATE : [own, ours]
  }
  const convert = (amount: bigint, [top, bottom]: Ratio): bigint =>
    (divideHalfUp(amount * top, bottom * CENT) ?? 0n) * CENT
  const plain = { carries: null, carried_from_id: null } as const

  // A key's running total is converted, so that its parts sum to the converted whole.
  const running = new Map<string, { amount: bigint; total: bigint }>()
  const lines: DraftLine[] = input.sources.map((source) => {
    const rates = fx(source.currency_id, source.earned_month)
    const fx_rate = divideHalfUp(rates[0] * ONE_RATE, rates[1]) ?? 0n
    const key = `${source.offer_partner_id} ${source.earned_month} ${source.kind} ${source.currency_id}`
    const isKeyed = source.kind === 'cpa' || source.kind === 'rs' || source.kind === 'agency'
    const takeUp = ({ amount, total, foreign }: StatedKey) => ({ amount, total: total + convert(foreign, rates) })
    const before = isKeyed ? (running.get(key) ?? takeUp(input.stated(source))) : { amount: 0n, total: 0n }
    const amount = before.amount + source.amount
    const whole = convert(amount, rates)
    running.set(key, { amount, total: whole })
    const isUnrated = rates === NO_RATE
    return { ...source, ...plain, fx_rate, isUnrated, total: isUnrated ? 0n : whole - before.total }
  })

  const own = (kind: StatementLineKind, earned: string, amount: bigint, more: Partial<DraftLine> = {}): DraftLine => ({
    ...plain,
    kind,
    offer_partner_id: null,
    grain: null,
    earned_month: earned,
    currency_id,
    quantity: null,
    rate: null,
    base: null,
    amount,
    note: null,
    ledger_item_ids: [],
    ledger_entry_ids: [],
    adjustment_ids: [],
    fx_rate: ONE_RATE,
    isUnrated: false,
    total: amount,
    ...more,
  })

  const writeOffs = input.negative_rs === 'zero' ? findWriteOffs(input, lines) : []
  lines.push(...writeOffs.map(([earned, amount]) => own('write_off', earned, amount)))

  for (const carry of input.carries) {
    const rates = fx(carry.currency_id, carry.month)
    lines.push(
      own('carry_over', carry.month, carry.amount, {
        currency_id: carry.currency_id,
        fx_rate: divideHalfUp(rates[0] * ONE_RATE, rates[1]) ?? 0n,
        isUnrated: rates === NO_RATE,
        total: convert(carry.amount, rates),
        carried_from_id: carry.line_id,
      }),
    )
  }
  const rsCarries = new Set(input.carries.filter(({ carries }) => carries === 'rs').map(({ line_id }) => line_id))
  const isRs = ({ kind, carried_from_id }: DraftLine): boolean =>
    kind === 'rs' || kind === 'write_off' || (carried_from_id !== null && rsCarries.has(carried_from_id))
  const rs = sum(lines.filter(isRs))
  if (rs < 0n) lines.push(own('carry_over', month, -rs, { carries: 'rs' }))

  const subtotal = sum(lines)
  const isBelowMinimum = subtotal >= 0n && subtotal < input.minimum && subtotal !== 0n
  const isCarriedNow = subtotal < 0n || isBelowMinimum
  const isCarried = isCarriedNow || (rs < 0n && subtotal === 0n)
  if (isCarriedNow) lines.push(own('carry_over', month, -subtotal, { carries: 'total' }))
  const tax = isCarried ? 0n : (divideHalfUp(subtotal * input.vat, 1_000_000n * CENT) ?? 0n) * CENT
  if (tax !== 0n) lines.push(own('tax', month, tax, { rate: input.vat, base: subtotal }))
  return { lines, total: sum(lines), isCarried, isBelowMinimum, missingRates: [...missing.values()] }
}

const sum = (lines: readonly DraftLine[]): bigint => lines.reduce((total, line) => total + line.total, 0n)

/** Negative revenue share of an earned month, less what was written off before. True-ups may take a write-off back. */
function findWriteOffs({ statedRs }: StatementInput, lines: readonly DraftLine[]): [month: string, amount: bigint][] {
  const earned = new Map<string, bigint>()
  for (const { kind, earned_month, total } of lines)
    if (kind === 'rs') earned.set(earned_month, (earned.get(earned_month) ?? 0n) + total)
  return [...earned].flatMap(([month, total]) => {
    const before = statedRs.get(month) ?? { rs: 0n, writtenOff: 0n }
    const whole = before.rs + total
    const amount = (whole < 0n ? -whole : 0n) - before.writtenOff
    return amount === 0n ? [] : [[month, amount] as [string, bigint]]
  })
}
