// A random history of a network's money: what arrives late, is corrected or agreed anew, and the closes, reopenings and true-ups in between.
import fc from 'fast-check'
import { addDays, DAYS, type Limit, type Player, type Scene, type World, worldIn } from '../reports/reports-world.ts'
import {
  type CommonRanges,
  type LinkRanges,
  type OfferRanges,
  type OfferValues,
  type Range,
  termsWithin,
} from '../reports/reports-world-terms.ts'
import { withMoney, withoutBlocks } from './ledger-world.ts'

/** A change of the record. Numbers choose a row by its place, modulo. */
export type Change =
  | { readonly of: 'event'; row: number; type: 'dep' | 'bet'; at: number; amount: number; currency: number }
  | { readonly of: 'report'; row: number; day: string; currency: number; deposits: number; income: number }
  | { readonly of: 'days'; row: number; by: number }
  | { readonly of: 'report withdrawn'; row: number }
  | { readonly of: 'assignment'; row: number; link: number }
  | { readonly of: 'resolution'; row: number; resolution: Player['resolution'] }
  | { readonly of: 'activity'; row: number }
  | { readonly of: 'spend'; row: number; day: string; sum: number; currency: number; isActive: boolean }
  | { readonly of: 'claims' }
  | { readonly of: 'partner offer'; row: number; dated: LinkRanges; limits: Record<Limit, Range[]>; isActive: boolean }
  | { readonly of: 'offer'; row: number; dated: OfferRanges; values: OfferValues; model: number }
  | { readonly of: 'settings'; dated: CommonRanges; percentage: number }
  | { readonly of: 'rate'; day: string; rate: number }
  | { readonly of: 'stream'; row: number; partner: number }
  | { readonly of: 'partner' }
  | { readonly of: 'zone'; zone: string }

/** What an accountant does. Month 0 is the first of the two. */
export type Act =
  | { readonly do: 'close'; month: 0 | 1; group: number | null }
  | { readonly do: 'reopen'; row: number; partner: number | null }
  | { readonly do: 'true up' }
  | { readonly do: 'adjust'; partner: number; month: 0 | 1; cents: number; currency: number }

export interface Round {
  readonly changes: readonly Change[]
  /** How far the changes have come when the accountant acts: into the record, into the facts, or under the watermark. */
  readonly seen: 'recorded' | 'projected' | 'known'
  readonly act: Act
}

export interface History {
  readonly world: World
  readonly months: readonly [string, string]
  readonly rounds: readonly Round[]
}

/** Weeks around a change of clocks and the end of a month, in a year whose months are all over. */
const scenesOf = (year: number): Scene[] => [
  { zone: 'Europe/Kyiv', start: `${year}-03-22` },
  { zone: 'Europe/Kyiv', start: `${year}-10-19` },
  { zone: 'America/New_York', start: `${year}-10-25` },
  { zone: 'Australia/Lord_Howe', start: `${year}-03-28` },
  { zone: 'Asia/Kathmandu', start: `${year - 1}-12-26` },
]

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const cents = (min: number, max: number) => fc.integer({ min, max }).map((amount) => amount / 100)

function roundArbitrary({ start }: Scene, first: boolean): fc.Arbitrary<Round> {
  const day = fc.integer({ min: 0, max: DAYS - 1 }).map((days) => addDays(start, days))
  const at = fc
    .tuple(fc.integer({ min: -1, max: DAYS }), oneOf(0, 3_600_000, 50_000_000, 79_200_000, 82_799_999, 86_399_999))
    .map(([days, time]) => Date.parse(`${addDays(start, days)}T00:00:00Z`) + time)
  const row = fc.nat({ max: 1000 })
  const currency = oneOf(1, 1, 1, 2)
  const terms = termsWithin(day, addDays)
  const limit = terms.range(fc.integer({ min: 0, max: 90 }))
  const percent = oneOf(null, 0, 12.5, 40)
  const of = <T extends Change['of']>(name: T) => fc.constant(name)
  const change: fc.Arbitrary<Change> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        of: of('event'),
        row,
        type: oneOf('dep' as const, 'bet' as const),
        at,
        amount: cents(0, 90_000),
        currency,
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        of: of('report'),
        row,
        day,
        currency,
        deposits: cents(0, 20_000),
        income: cents(-300_000, 900_000),
      }),
    },
    { weight: 8, arbitrary: fc.record({ of: of('days'), row, by: oneOf(-12, -6, 6, 12) }) },
    { weight: 2, arbitrary: fc.record({ of: of('report withdrawn'), row }) },
    { weight: 3, arbitrary: fc.record({ of: of('assignment'), row, link: fc.nat({ max: 7 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        of: of('resolution'),
        row,
        resolution: oneOf(null, 'approved' as const, 'not_approved' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ of: of('activity'), row }) },
    {
      weight: 4,
      arbitrary: fc.record({
        of: of('spend'),
        row,
        day,
        sum: cents(0, 90_000),
        currency,
        isActive: oneOf(true, true, false),
      }),
    },
    { weight: 1, arbitrary: fc.record({ of: of('claims') }) },
    {
      weight: 3,
      arbitrary: fc.record({
        of: of('partner offer'),
        row,
        dated: terms.link,
        limits: fc.record({ baseline: limit, period: limit, maxDays: limit, bets: limit }),
        isActive: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        of: of('offer'),
        row,
        dated: terms.offer,
        model: fc.integer({ min: 0, max: 3 }),
        values: fc.record({
          cost: fc.integer({ min: 0, max: 60 }),
          share: percent,
          currency: oneOf(1, 2),
          days: oneOf(null, 3),
          baseline: oneOf(null, 10, 500),
        }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ of: of('settings'), dated: terms.common, percentage: oneOf(0, 10, 7.1234) }) },
    { weight: 1, arbitrary: fc.record({ of: of('rate'), day, rate: oneOf(0.5, 1.1, 0.33333333) }) },
    { weight: 1, arbitrary: fc.record({ of: of('stream'), row, partner: fc.nat({ max: 10 }) }) },
    { weight: 1, arbitrary: fc.record({ of: of('partner') }) },
    {
      weight: 1,
      arbitrary: fc.record({ of: of('zone'), zone: oneOf('Europe/Kyiv', 'America/New_York', 'Asia/Kathmandu') }),
    },
  )
  const month = oneOf<0 | 1>(0, 1)
  const act: fc.Arbitrary<Act> = fc.oneof(
    {
      weight: first ? 100 : 4,
      arbitrary: fc.record({ do: fc.constant('close' as const), month, group: oneOf(null, null, null, 1, 2) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('reopen' as const),
        row,
        partner: fc.option(fc.nat({ max: 10 }), { nil: null }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('true up' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('adjust' as const),
        partner: fc.nat({ max: 10 }),
        month,
        cents: fc.integer({ min: 1, max: 99_999 }),
        currency,
      }),
    },
  )
  return fc.record({
    changes: fc.array(change, { minLength: first ? 0 : 1, maxLength: first ? 0 : 3 }),
    seen: first
      ? fc.constant('known' as const)
      : oneOf<Round['seen']>('known', 'known', 'known', 'projected', 'recorded'),
    act,
  })
}

/** `year`: all months of it are over. */
export const historyArbitrary = (year: number, rounds: number): fc.Arbitrary<History> =>
  oneOf(...scenesOf(year)).chain((scene) =>
    fc
      .record({
        world: worldIn(scene),
        /** A missing rate and open claims block every close. */
        isBlocked: oneOf(false, false, false, false, false, true),
        first: roundArbitrary(scene, true),
        second: roundArbitrary(scene, true),
        rounds: fc.array(roundArbitrary(scene, false), { minLength: rounds, maxLength: rounds }),
      })
      .map(({ world, isBlocked, first, second, rounds: later }) => ({
        world: isBlocked ? withMoney(world, scene.start) : withoutBlocks(withMoney(world, scene.start), scene.start),
        months: [scene.start.slice(0, 7), addDays(scene.start, DAYS - 1).slice(0, 7)] as const,
        rounds: [first, second, ...later],
      })),
  )
