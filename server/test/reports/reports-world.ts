// A random affiliate network as raw records: what a partner's traffic, players and bookkeepers left behind, before anybody counts.
import fc from 'fast-check'
import { type CommonRanges, type LinkRanges, type OfferRanges, type Range, termsWithin } from './reports-world-terms.ts'

export interface Offer {
  id: number
  advertiser: number
  country: number
  /** CPA, RS, CPA_RS, AGENCY. */
  model: number
  product: number | null
  currency: number
  cost: number
  /** Percentage of income. */
  share: number | null
  days: number | null
  baseline: number | null
  dated: OfferRanges
}
export interface Link {
  id: number
  offer: number
  partner: number
  stream: number
  source: number
  site: string
  sub: string | null
  currency: number
  baseline: number | null
  period: number | null
  maxDays: number | null
  bets: number | null
  needsCountry: boolean
  tags: number[]
  dated: LinkRanges
  /** Before the link's own limits, on the days of registration. */
  limits: Record<Limit, Range[]>
  isActive: boolean
}
export type Limit = 'baseline' | 'period' | 'maxDays' | 'bets'
export interface Partner {
  id: number
  /** In the order in which it joined; managers in the order in which they were added. */
  groups: { group: number; managers: { user: number; isMain: boolean }[] }[]
  tags: number[]
}
export interface Click {
  id: string
  at: number
  link: number
  landing: number | null
  isBot: boolean
  isDuplicate: boolean
  sub: string | null
  promocode: string | null
  ipCountry: string | null
}
export interface Player {
  id: number
  advertiser: number
  outer: string
  click: string | null
  link: number | null
  registeredAt: number | null
  actualCountry: number | null
  landing: number | null
  sub: string | null
  promocode: string | null
  resolution: 'approved' | 'not_approved' | null
  isActive: boolean
}
export interface PlayerEvent {
  player: number
  type: 'dep' | 'bet' | 'other'
  at: number
  amount: number
  currency: number | null
}
export interface PlayerReport {
  player: number
  day: string
  currency: number
  count: number
  deposits: number
  firstDay: number
  bets: number
  income: number
}
export interface Spend {
  id: number
  stream: number
  site: string | null
  country: number
  day: string
  sum: number
  currency: number
  isActive: boolean
  /** claimed: the sum is only claimed, which counts nowhere. */
  state?: 'accepted' | 'claimed' | 'disputed'
  source?: 'manual' | 'import' | 'sheet'
}
/** The accepted sum of a spend and its claim, as columns. No claim counts, so it is in a currency without a rate. */
export function sumsOf({
  sum,
  state = 'accepted',
}: Spend): Record<'sum' | 'claim_sum' | 'claim_currency_id', number | null> {
  const hasClaim = state !== 'accepted'
  return {
    sum: state === 'claimed' ? null : sum,
    claim_sum: hasClaim ? sum + 1000 : null,
    claim_currency_id: hasClaim ? 3 : null,
  }
}
export interface World {
  zone: string
  agencyPercentage: number
  dated: CommonRanges
  /** Of currency 2 against currency 1, the report's; currency 3 has none. */
  rates: { day: string; rate: number }[]
  products: number[]
  offers: Offer[]
  partners: Partner[]
  affiliates: { partner: number; advertiser: number; id: string }[]
  streams: { id: number; partner: number; source: number | null }[]
  links: Link[]
  clicks: Click[]
  players: Player[]
  events: PlayerEvent[]
  reports: PlayerReport[]
  spends: Spend[]
}

/** Codes of the countries 1, 2, 3. */
export const COUNTRIES = ['UA', 'PL', 'DE']
export const MODELS = ['CPA', 'RS', 'CPA_RS', 'AGENCY']

/** Weeks around a change of the clocks, in zones that change theirs by an hour, by half an hour, and not at all. */
const SCENES = [
  { zone: 'Europe/Kyiv', start: '2026-03-22' },
  { zone: 'Europe/Kyiv', start: '2026-10-19' },
  { zone: 'America/New_York', start: '2026-10-25' },
  { zone: 'Australia/Lord_Howe', start: '2026-03-28' },
  { zone: 'Asia/Kathmandu', start: '2025-12-26' },
]
export const DAYS = 16
const DAY_MS = 86_400_000

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const money = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000 }).map((units) => units / 100),
  fc.integer({ min: 0, max: 500_000 }).map((units) => units / 10_000),
)
const currency = oneOf(1, 1, 1, 2, 2, 3)
const text = oneOf('', 'a', 'B b', "o'x", 'ж,1', 'a\\', '{p1:String}')

const offer = fc.record({
  advertiser: oneOf(1, 2),
  country: oneOf(1, 2),
  model: oneOf(0, 1, 2, 3),
  product: optional(oneOf(1, 2)),
  currency: oneOf(1, 2),
  cost: fc.integer({ min: 0, max: 60 }),
  share: optional(oneOf(12.5, 40)),
  days: optional(fc.integer({ min: 0, max: 5 })),
  baseline: optional(oneOf(10, 500)),
})

const partner = fc.record({
  groups: fc.uniqueArray(
    fc.record({
      group: oneOf(1, 2, 3),
      managers: fc.uniqueArray(fc.record({ user: oneOf(1, 2, 3), isMain: fc.boolean() }), {
        maxLength: 2,
        selector: ({ user }) => user,
      }),
    }),
    { maxLength: 2, selector: ({ group }) => group },
  ),
  tags: fc.uniqueArray(oneOf(1, 2), { maxLength: 2 }),
})

const PARTNERS = 4
const LINKS = 7
const STREAMS = 6
const PLAYERS = 22

export const worldArbitrary: fc.Arbitrary<World> = oneOf(...SCENES).chain(worldIn)

export interface Scene {
  zone: string
  /** The first of its days. */
  start: string
}

export function worldIn(scene: Scene): fc.Arbitrary<World> {
  const day = fc.integer({ min: 0, max: DAYS - 1 }).map((days) => addDays(scene.start, days))
  const instant = fc
    .tuple(
      fc.integer({ min: -1, max: DAYS }),
      fc.oneof(
        fc.integer({ min: 0, max: DAY_MS - 1 }),
        oneOf(0, 3_600_000, 79_200_000, 82_799_999, 82_800_000, 86_399_999),
      ),
    )
    .map(([days, time]) => Date.parse(`${scene.start}T00:00:00Z`) + days * DAY_MS + time)
  const terms = termsWithin(day, addDays)
  const limit = terms.range(fc.integer({ min: 0, max: 90 }))
  const record = fc.record({
    agencyPercentage: oneOf(0, 10, 7.1234),
    dated: terms.common,
    rates: fc.uniqueArray(fc.record({ day, rate: oneOf(0.5, 1.1, 0.33333333) }), {
      minLength: 1,
      maxLength: 3,
      selector: (rate) => rate.day,
    }),
    offers: fc.array(fc.tuple(offer, terms.offer), { minLength: 3, maxLength: 4 }),
    partners: fc.array(partner, { minLength: PARTNERS, maxLength: PARTNERS }),
    affiliates: fc.uniqueArray(
      fc.record({
        partner: fc.integer({ min: 1, max: PARTNERS }),
        advertiser: oneOf(1, 2),
        id: oneOf('aff-1', 'aff-2', 'x'),
      }),
      { maxLength: 5, selector: (row) => `${row.partner} ${row.advertiser}` },
    ),
    streams: fc.array(fc.record({ partner: fc.integer({ min: 1, max: PARTNERS }), source: optional(oneOf(1, 2)) }), {
      minLength: STREAMS,
      maxLength: STREAMS,
    }),
    links: fc.array(
      fc.record({
        offer: fc.nat(),
        stream: fc.integer({ min: 1, max: STREAMS }),
        source: oneOf(1, 2),
        sub: optional(oneOf('sa', 'sb')),
        currency: oneOf(1, 2),
        baseline: optional(oneOf(5, 100)),
        period: optional(fc.integer({ min: 0, max: 4 })),
        maxDays: optional(fc.integer({ min: 0, max: 9 })),
        bets: optional(oneOf(1, 50)),
        needsCountry: oneOf(false, false, true),
        tags: fc.uniqueArray(oneOf(1, 2), { maxLength: 2 }),
        dated: terms.link,
        limits: fc.record({ baseline: limit, period: limit, maxDays: limit, bets: limit }),
        isActive: oneOf(true, true, false),
      }),
      { minLength: LINKS, maxLength: LINKS },
    ),
    clicks: fc.array(
      fc.record({
        at: instant,
        link: fc.integer({ min: 1, max: LINKS }),
        landing: optional(oneOf(1, 2)),
        isBot: oneOf(false, false, false, true),
        isDuplicate: oneOf(false, false, true),
        sub: optional(text),
        promocode: optional(text),
        ipCountry: optional(oneOf(...COUNTRIES, 'XX')),
        noise: fc.bigInt({ min: 0n, max: (1n << 62n) - 1n }),
      }),
      { minLength: 20, maxLength: 70 },
    ),
    players: fc.array(
      fc.record({
        advertiser: oneOf(1, 2),
        click: optional(fc.nat()),
        link: optional(fc.integer({ min: 1, max: LINKS })),
        registeredAt: fc.option(instant, { nil: null, freq: 9 }),
        actualCountry: optional(oneOf(1, 2, 3)),
        landing: optional(oneOf(1, 2)),
        sub: optional(text),
        promocode: optional(text),
        resolution: oneOf(null, null, 'approved' as const, 'not_approved' as const),
        isActive: oneOf(true, true, true, true, false),
      }),
      { minLength: PLAYERS, maxLength: PLAYERS },
    ),
    events: fc.array(
      fc.record({
        player: fc.integer({ min: 1, max: PLAYERS }),
        type: oneOf('dep' as const, 'dep' as const, 'bet' as const, 'other' as const),
        at: instant,
        amount: money,
        currency: optional(currency),
      }),
      { minLength: 30, maxLength: 110 },
    ),
    reports: fc.uniqueArray(
      fc.record({
        player: fc.integer({ min: 1, max: PLAYERS }),
        day,
        currency,
        count: oneOf(0, 1, 2),
        deposits: money,
        firstDay: oneOf(0, 3.5),
        bets: oneOf(0, 7.77),
        income: fc.integer({ min: -3000, max: 9000 }).map((units) => units / 100),
      }),
      { maxLength: 25, selector: (report) => `${report.player} ${report.day}` },
    ),
    spends: fc.uniqueArray(
      fc.record({
        stream: fc.integer({ min: 1, max: STREAMS }),
        site: optional(fc.integer({ min: 1, max: LINKS })),
        country: oneOf(1, 2, 3),
        day,
        sum: money,
        currency,
        isActive: oneOf(true, true, true, false),
        state: oneOf<NonNullable<Spend['state']>>('accepted', 'accepted', 'claimed', 'disputed'),
        source: oneOf<NonNullable<Spend['source']>>('manual', 'import', 'sheet'),
      }),
      {
        minLength: 5,
        maxLength: 30,
        selector: (spend) => `${spend.stream} ${spend.site} ${spend.country} ${spend.day}`,
      },
    ),
  })
  return record.map((raw): World => {
    const streams = raw.streams.map((stream, index) => ({ ...stream, id: index + 1 }))
    const offers = raw.offers.map(([row, dated], index) => ({ ...row, dated, id: index + 1 }))
    const links = raw.links.map((link, index) => ({
      ...link,
      id: index + 1,
      offer: (link.offer % offers.length) + 1,
      partner: streams[link.stream - 1]?.partner ?? 1,
      site: `site${index + 1}`,
    }))
    const clicks = raw.clicks.map(({ noise, ...click }, index) => ({ ...click, id: clickId(click.at, index, noise) }))
    return {
      ...raw,
      zone: scene.zone,
      products: [1, 2],
      offers,
      partners: raw.partners.map((row, index) => ({ ...row, id: index + 1 })),
      streams,
      links,
      clicks,
      players: raw.players.map((player, index) => {
        const click = player.click === null ? undefined : clicks[player.click % clicks.length]
        const link = links[(click?.link ?? player.link ?? 0) - 1]
        const advertiser = link === undefined ? player.advertiser : (offers[link.offer - 1]?.advertiser ?? 1)
        return {
          ...player,
          id: index + 1,
          outer: `p${(index * 7) % PLAYERS}`,
          click: click?.id ?? null,
          link: link?.id ?? null,
          advertiser,
        }
      }),
      spends: raw.spends.map((spend, index) => ({
        ...spend,
        id: index + 1,
        site: spend.site === null ? null : `site${spend.site}`,
      })),
    }
  })
}

/** A UUIDv7 of that millisecond. */
function clickId(at: number, index: number, noise: bigint): string {
  const time = at.toString(16).padStart(12, '0')
  const serial = (index % 4096).toString(16).padStart(3, '0')
  const rest = ((2n << 62n) | noise).toString(16).padStart(16, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${serial}-${rest.slice(0, 4)}-${rest.slice(4)}`
}
