// Qualification equals a naive model that checks every day, for any terms, histories, deposits and bets.

import { addDays } from '@tributary/contract/period'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitsOn, nextQualification, type QualifyingDay, qualifiedOn } from '../../src/facts/players/qualification.ts'
import type {
  Dated,
  OfferPartnerTerms,
  OfferTerms,
  OfferValues,
  PaymentModelTerms,
  Range,
  Rates,
} from '../../src/facts/terms.ts'
import { rateOn } from '../../src/facts/terms.ts'

const START = '2026-03-20'
const EUR = 1
const USD = 2
const ZZZ = 3

const rates: Rates = {
  reportCurrencyId: EUR,
  table: new Map([[USD, { days: ['2026-03-01', '2026-03-29'], rates: [50_000_000n, 200_000_000n] }]]),
}

/** Ranges that do not overlap, some with an open end, and a value for all other days. */
const dated = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Dated<T>> => {
  const parts = fc.array(fc.record({ gap: fc.nat(5), length: fc.integer({ min: 1, max: 10 }), value }), {
    maxLength: 3,
  })
  return fc.tuple(parts, fc.boolean(), value).map(([all, isOpen, otherwise]) => {
    let day = addDays(START, -8)
    const ranges = all.map(({ gap, length, value }, index): Range<T> => {
      const from = addDays(day, gap)
      const to = addDays(from, length - 1)
      day = addDays(to, 1)
      return { from, to: isOpen && index === all.length - 1 ? null : to, value }
    })
    return { ranges, otherwise }
  })
}

const units = (largest: number): fc.Arbitrary<bigint> => fc.nat(largest).map(BigInt)
const currency = fc.constantFrom(EUR, USD)

const link: fc.Arbitrary<OfferPartnerTerms> = fc.record({
  id: fc.constant(1),
  offerId: fc.constant(1),
  currencyId: dated(currency),
  costs: fc.constant([]),
  shares: fc.constant([]),
  baseline: dated(fc.option(units(60))),
  periodDays: dated(fc.option(fc.nat(12))),
  maxDays: dated(fc.option(fc.nat(12))),
  bets: dated(fc.option(units(40))),
  needsCountry: dated(fc.boolean()),
})

const cpa: PaymentModelTerms = {
  type: 'CPA',
  share: { ranges: [], otherwise: null },
  priceDay: { ranges: [], otherwise: 'qualification' },
}
const values: fc.Arbitrary<OfferValues> = fc.record({
  cost: fc.constant(10n),
  share: fc.constant(null),
  currencyId: currency,
  days: fc.option(fc.nat(12)),
  baseline: fc.option(units(60)),
})
const offer: fc.Arbitrary<OfferTerms> = fc.record({
  id: fc.constant(1),
  countryId: fc.constant(7),
  model: fc.constant({ ranges: [], otherwise: cpa }),
  values: dated(values),
})

const amount = fc.record({ amount: fc.nat(30).map(BigInt), currencyId: fc.constantFrom(EUR, USD, ZZZ) })
const days: fc.Arbitrary<QualifyingDay[]> = fc
  .uniqueArray(
    fc.record({
      offset: fc.integer({ min: -2, max: 14 }),
      deposits: fc.array(amount, { maxLength: 3 }),
      bets: fc.array(amount, { maxLength: 2 }),
    }),
    { selector: ({ offset }) => offset, maxLength: 8 },
  )
  .map((list) =>
    list.sort((a, b) => a.offset - b.offset).map(({ offset, ...told }) => ({ day: addDays(START, offset), ...told })),
  )

/** Rounds half-up, like the product. */
const round = (top: bigint, bottom: bigint): bigint => (2n * top + bottom) / (2n * bottom)

function inCurrency({ amount, currencyId }: { amount: bigint; currencyId: number }, to: number, day: string): bigint {
  if (currencyId === to) return amount
  const [from, into] = [rateOn(rates, currencyId, day), rateOn(rates, to, day)]
  return from === null || into === null ? 0n : round(amount * from, into)
}

/** The value of the range that contains the day of registration, else the other one. */
function atStart<T>({ ranges, otherwise }: Dated<T>): T {
  const holding = ranges.filter(({ from, to }) => from <= START && START <= (to ?? '9999-12-31'))
  return holding.length === 0 ? otherwise : (holding[0] as Range<T>).value
}

/** Applies the rule day by day. */
function naive(
  terms: OfferPartnerTerms,
  { values: dates, countryId }: OfferTerms,
  told: readonly QualifyingDay[],
  country: number,
): string | null {
  const of = atStart(dates)
  const own = atStart(terms.baseline)
  const baseline = own ?? of.baseline
  const baselineCurrency = own === null ? of.currencyId : atStart(terms.currencyId)
  const period = atStart(terms.periodDays) ?? of.days
  const bets = atStart(terms.bets)
  const most = atStart(terms.maxDays)
  for (let offset = 0; offset <= 40; offset++) {
    const day = addDays(START, offset)
    if (most !== null && offset > Number(most)) return null
    const until = told.filter((one) => one.day >= START && one.day <= day)
    const inPeriod = until.filter((one) => period === null || one.day <= addDays(START, Number(period)))
    const deposited = inPeriod.flatMap((one) => one.deposits.map((paid) => inCurrency(paid, baselineCurrency, one.day)))
    const staked = until.flatMap((one) => one.bets.map((bet) => inCurrency(bet, atStart(terms.currencyId), one.day)))
    const sum = (list: bigint[]): bigint => list.reduce((a, b) => a + b, 0n)
    const holds =
      (baseline === null || sum(deposited) >= baseline) &&
      (bets === null || sum(staked) >= bets) &&
      (!atStart(terms.needsCountry) || country === countryId)
    if (holds) return day
  }
  return null
}

test('a player qualifies on the first day on which all rules are met, by the values of the registration day [PLY-04] [MON-04]', () => {
  fc.assert(
    fc.property(link, offer, days, fc.constantFrom(7, 8), (terms, of, told, country) => {
      const candidate = { registeredDay: START, actualCountryId: country, offerCountryId: of.countryId, days: told }
      expect(qualifiedOn(candidate, limitsOn(START, terms, of), rates)).toBe(naive(terms, of, told, country))
    }),
    { numRuns: 3000 },
  )
})

test('a player who no longer meets the rules loses the mark until they meet them again [PLY-04]', () => {
  expect(nextQualification('unqualified', null)).toBe('unqualified')
  expect(nextQualification('unqualified', START)).toBe('qualified')
  expect(nextQualification('qualified', null)).toBe('lost')
  expect(nextQualification('lost', null)).toBe('lost')
  expect(nextQualification('lost', START)).toBe('qualified')
})
