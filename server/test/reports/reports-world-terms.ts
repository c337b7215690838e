// Dated terms of a random network: ranges of days on which other terms hold than those of the offer, the link, the payment model or the settings.
import fc from 'fast-check'

export interface Range<T = number> {
  from: string
  to: string | null
  value: T
}

/** The terms of an offer that one range replaces together. */
export interface OfferValues {
  cost: number | null
  share: number | null
  currency: number
  days: number | null
  baseline: number | null
}

export interface OfferRanges {
  /** Indexes of payment models. */
  models: Range[]
  values: Range<OfferValues>[]
}

export interface LinkRanges {
  costs: Range[]
  shares: Range[]
  agency: Range[]
  currencies: Range[]
  countries: Range<boolean>[]
}

export type PriceDay = 'qualification' | 'registration'
export interface ModelTerms {
  share: number | null
  priceDay: PriceDay
}

export interface CommonRanges {
  /** By the index of the payment model. */
  models: { now: ModelTerms; ranges: Range<ModelTerms>[] }[]
  agency: Range[]
}

export function inForce<T>(ranges: readonly Range<T>[], day: string): Range<T> | undefined {
  return ranges.find((range) => range.from <= day && (range.to === null || day <= range.to))
}

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const percent = fc.integer({ min: 0, max: 700 }).map((tenths) => tenths / 10)
const currency = fc.constantFrom(1, 2)
const values: fc.Arbitrary<OfferValues> = fc.record({
  cost: optional(fc.integer({ min: 0, max: 60 })),
  share: optional(percent),
  currency,
  days: optional(fc.integer({ min: 0, max: 5 })),
  baseline: optional(fc.constantFrom(10, 500)),
})
const modelTerms: fc.Arbitrary<ModelTerms> = fc.record({
  share: optional(percent),
  priceDay: fc.constantFrom<PriceDay[]>('qualification', 'registration'),
})

export interface TermArbitraries {
  readonly range: <T>(value: fc.Arbitrary<T>) => fc.Arbitrary<Range<T>[]>
  readonly offer: fc.Arbitrary<OfferRanges>
  readonly link: fc.Arbitrary<LinkRanges>
  readonly common: fc.Arbitrary<CommonRanges>
}

/** `dayOf`: a random day; `later`: the day so many days after another. */
export function termsWithin(day: fc.Arbitrary<string>, later: (day: string, days: number) => string): TermArbitraries {
  /** None, one, or one that follows another without a gap. */
  const range = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Range<T>[]> =>
    fc
      .tuple(day, optional(fc.integer({ min: 0, max: 6 })), fc.array(value, { maxLength: 2 }))
      .map(([from, length, [first, second]]) => {
        if (first === undefined) return []
        const to = later(from, length ?? 3)
        if (second === undefined) return [{ from, to: length === null ? null : to, value: first }]
        return [
          { from, to, value: first },
          { from: later(to, 1), to: null, value: second },
        ]
      })
  return {
    range,
    offer: fc.record({ models: range(fc.integer({ min: 0, max: 3 })), values: range(values) }),
    link: fc.record({
      costs: range(fc.integer({ min: 0, max: 90 })),
      shares: range(percent),
      agency: range(percent),
      currencies: range(currency),
      countries: range(fc.boolean()),
    }),
    common: fc.record({
      models: fc.array(fc.record({ now: modelTerms, ranges: range(modelTerms) }), { minLength: 4, maxLength: 4 }),
      agency: range(percent),
    }),
  }
}
