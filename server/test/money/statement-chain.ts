// What the live statements of a partner have to say, reckoned anew from the amounts that they hold: one account that is settled month by month.
// In whole cents; shares no code with the product.

export interface Terms {
  readonly rule: 'carry' | 'zero'
  /** In cents. */
  readonly minimum: number
  readonly vat: number
}

export interface HeldAmount {
  readonly isRs: boolean
  readonly earned: string
  readonly cents: number
}

export interface Settled {
  readonly total: number
  /** What is left to the next statement: of revenue share, and of the whole. */
  readonly rsDebt: number
  readonly rest: number
}

const roundHalfUp = (value: number): number => Math.sign(value) * Math.floor(Math.abs(value) + 0.5)

/** Settles the months in their order. */
export function settle(terms: Terms, months: readonly (readonly HeldAmount[])[]): Settled[] {
  const earned = new Map<string, { rs: number; forgiven: number }>()
  let [rsDebt, rest] = [0, 0]
  return months.map((held) => {
    let [rs, other] = [rsDebt, rest]
    for (const { isRs, cents } of held) if (!isRs) other += cents
    for (const [month, amounts] of Map.groupBy(
      held.filter(({ isRs }) => isRs),
      (one) => one.earned,
    )) {
      const before = earned.get(month) ?? { rs: 0, forgiven: 0 }
      const own = amounts.reduce((sum, { cents }) => sum + cents, 0)
      const forgiven = terms.rule === 'zero' ? Math.max(0, -(before.rs + own)) : 0
      earned.set(month, { rs: before.rs + own, forgiven })
      rs += own + forgiven - before.forgiven
    }
    rsDebt = Math.min(rs, 0)
    const sum = Math.max(rs, 0) + other
    const isCarried = sum < 0 || sum < terms.minimum
    rest = isCarried ? sum : 0
    const total = isCarried ? 0 : sum + roundHalfUp((sum * terms.vat) / 100)
    return { total, rsDebt, rest }
  })
}
