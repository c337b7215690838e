// The general report counted once more, naively, from raw records: no SQL, nothing of the product but the names of its contract.
// What it says is right by decisions: days in the business zone, money rounded half-up, ratios null by zero.
import { convert, ratio, type Units, units } from './reports-oracle-money.ts'
import { currencyOn, isCountryNeeded, modelOn, payFor, percentageOf, valuesOn } from './reports-oracle-terms.ts'
import {
  addDays,
  COUNTRIES,
  type Limit,
  type Link,
  MODELS,
  type Player,
  type Spend,
  type World,
} from './reports-world.ts'
import { inForce } from './reports-world-terms.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
export function businessDay(at: number, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(zone, format)
  return format.format(at)
}

export type Value = string | number

export interface Fact {
  kind: 'click' | 'day' | 'spend'
  day: string
  player: number | null
  dims: Record<string, Value>
  /** Whose player it is, where the click was another's. */
  owner?: Value
  /** For filters that mean any of several. */
  lists: Record<string, number[]>
  registeredDay: string
  firstDepositDay: string
  isQualified: boolean
  rateMissing: boolean
  /** The advertiser has reported the income of this day or a later one; absent if nobody would. */
  isReported?: boolean
  /** Spend of no link. */
  isWithoutLink?: boolean
  n: Record<string, bigint>
}

const NO_DAY = '1970-01-01'

export function toFacts(world: World): Fact[] {
  const lastReported = new Map<Value, string>()
  for (const { player, day } of world.reports) {
    const advertiser = byId(world.players, player)?.advertiser ?? 0
    const known = lastReported.get(advertiser)
    if (known === undefined || day > known) lastReported.set(advertiser, day)
  }
  const withReport = (fact: Fact): Fact => ({
    ...fact,
    isReported: fact.dims.advertiser === 0 || fact.day <= (lastReported.get(fact.dims.advertiser ?? 0) ?? ''),
  })
  const players = world.players.filter((player) => player.isActive).flatMap((player) => playerFacts(world, player))
  return [...[...clickFacts(world), ...players].map(withReport), ...spendFacts(world)]
}

/** The same facts with all that players did on the day, and under the dimensions, of the click that brought them. */
export function byClick(world: World): Fact[] {
  const clicks = new Map(
    clickFacts({ ...world, clicks: world.clicks.map((click) => ({ ...click, isBot: false })) }).map((fact) => [
      fact.dims.click,
      fact,
    ]),
  )
  return toFacts(world).flatMap((fact) => {
    if (fact.kind !== 'day') return [fact]
    const click = clicks.get(fact.dims.click ?? '')
    if (click === undefined) return []
    return [
      {
        ...fact,
        owner: fact.dims.partner ?? 0,
        day: click.day,
        dims: { ...click.dims, player_outer_id: fact.dims.player_outer_id ?? '' },
        lists: click.lists,
      },
    ]
  })
}

export const byId = <T extends { id: number }>(rows: T[], id: number | null | undefined): T | undefined =>
  rows.find((row) => row.id === id)

/** Everything that hangs on ids. */
function describe(
  world: World,
  ids: {
    offer: number
    advertiser: number
    partner: number
    link: number
    stream: number
    source: number
    country: number
  },
) {
  const offer = byId(world.offers, ids.offer)
  const partner = byId(world.partners, ids.partner)
  const managers = partner?.groups.flatMap((group) => group.managers) ?? []
  const main = managers.find((manager) => manager.isMain) ?? managers[0]
  return {
    dims: {
      offer: ids.offer,
      advertiser: ids.advertiser,
      product: offer?.product ?? 0,
      payment_model: offer === undefined ? 0 : offer.model + 1,
      partner: ids.partner,
      stream: ids.stream,
      partner_group: partner?.groups[0]?.group ?? 0,
      manager: main?.user ?? 0,
      affiliate_id:
        world.affiliates.find((row) => row.partner === ids.partner && row.advertiser === ids.advertiser)?.id ?? '',
      traffic_source: ids.source,
      country: ids.country,
    },
    lists: {
      partnerGroups: partner?.groups.map((group) => group.group) ?? [],
      managers: managers.map((manager) => manager.user),
      partnerTags: partner?.tags ?? [],
      offerTags: byId(world.links, ids.link)?.tags ?? [],
    },
  }
}

const ofLink = (world: World, link: Link | undefined) => {
  const offer = byId(world.offers, link?.offer)
  return {
    offer: offer?.id ?? 0,
    advertiser: offer?.advertiser ?? 0,
    partner: link?.partner ?? 0,
    link: link?.id ?? 0,
    stream: link?.stream ?? 0,
    source: link?.source ?? 0,
    country: offer?.country ?? 0,
  }
}

const texts = (site: string, sub: string) => ({
  site_id: site,
  sub_id: sub,
  site_id_sub_id: site === '' && sub === '' ? '' : `${site},${sub}`,
})

function dates(day: string) {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return { day, week: addDays(day, -weekday), month: `${day.slice(0, 7)}-01` }
}

function clickFacts(world: World): Fact[] {
  return world.clicks
    .filter((click) => !click.isBot)
    .map((click) => {
      const link = byId(world.links, click.link)
      const about = describe(world, ofLink(world, link))
      const day = businessDay(click.at, world.zone)
      return {
        kind: 'click',
        day,
        player: null,
        dims: {
          ...about.dims,
          ...texts(link?.site ?? '', click.sub ?? ''),
          ...dates(day),
          landing: click.landing ?? 0,
          promocode: click.promocode ?? '',
          actual_country: COUNTRIES.indexOf(click.ipCountry ?? '?') + 1,
          player_outer_id: '',
          media: mediaOf(link, world),
          click: click.id,
        },
        lists: about.lists,
        registeredDay: NO_DAY,
        firstDepositDay: NO_DAY,
        isQualified: false,
        rateMissing: false,
        n: { clicks: 1n, unique_clicks: click.isDuplicate ? 0n : 1n },
      }
    })
}

export const mediaOf = (link: Link | undefined, world: World): string =>
  link === undefined ? '' : `m${byId(world.offers, link.offer)?.advertiser}`

interface PlayerDay {
  count: bigint
  deposits: { amount: Units; currency: number }[]
  bets: { amount: Units; currency: number }[]
  income: { amount: Units; currency: number }
  firstDay: { amount: Units; currency: number }
  isReport: boolean
  earliest: { amount: Units; currency: number } | null
}

export function playerDays(world: World, player: Player): Map<string, PlayerDay> {
  const link = byId(world.links, player.link)
  const days = new Map<string, PlayerDay>()
  const empty = (): PlayerDay => ({
    count: 0n,
    deposits: [],
    bets: [],
    income: { amount: 0n, currency: 1 },
    firstDay: { amount: 0n, currency: 1 },
    isReport: false,
    earliest: null,
  })
  const events = world.events.filter((event) => event.player === player.id && event.type !== 'other')
  for (const event of events
    .map((event, index) => ({ ...event, index }))
    .sort((a, b) => a.at - b.at || a.index - b.index)) {
    const day = businessDay(event.at, world.zone)
    const known = days.get(day) ?? empty()
    days.set(day, known)
    const told = { amount: units(event.amount), currency: event.currency ?? currencyOn(link, day) }
    if (event.type === 'bet') known.bets.push(told)
    else {
      known.count += 1n
      known.deposits.push(told)
      known.earliest ??= told
    }
  }
  for (const report of world.reports.filter((row) => row.player === player.id)) {
    const told = (value: number) => ({ amount: units(value), currency: report.currency })
    days.set(report.day, {
      count: BigInt(report.count),
      deposits: [told(report.deposits)],
      bets: [told(report.bets)],
      income: told(report.income),
      firstDay: told(report.firstDay),
      isReport: true,
      earliest: days.get(report.day)?.earliest ?? null,
    })
  }
  return new Map([...days].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function qualifiedOn(world: World, player: Player, days: Map<string, PlayerDay>): string | null {
  const link = byId(world.links, player.link)
  const offer = byId(world.offers, link?.offer)
  if (player.registeredAt === null || link === undefined || offer === undefined) return null
  const registered = businessDay(player.registeredAt, world.zone)
  const offered = valuesOn(offer, registered)
  if (isCountryNeeded(link, registered) && player.actualCountry !== offer.country) return null
  const limit = (name: Limit) => inForce(link.limits[name], registered)?.value ?? link[name]
  const baseline = limit('baseline') ?? offered.baseline
  const baselineCurrency = limit('baseline') === null ? offered.currency : currencyOn(link, registered)
  const [period, maxDays, needed] = [limit('period') ?? offered.days, limit('maxDays'), limit('bets')]
  let [deposits, bets] = [0n, 0n]
  for (const day of [...new Set([registered, ...days.keys()])].sort()) {
    if (day < registered) continue
    const told = days.get(day)
    if (period === null || day <= addDays(registered, period))
      for (const deposit of told?.deposits ?? [])
        deposits += convert(world, deposit.amount, deposit.currency, baselineCurrency, day) ?? 0n
    for (const bet of told?.bets ?? [])
      bets += convert(world, bet.amount, bet.currency, currencyOn(link, registered), day) ?? 0n
    const isEnough = (baseline === null || deposits >= units(baseline)) && (needed === null || bets >= units(needed))
    // A player with no limits at all qualifies by registering.
    if (isEnough) return maxDays === null || day <= addDays(registered, maxDays) ? day : null
  }
  return null
}

function playerFacts(world: World, player: Player): Fact[] {
  const link = byId(world.links, player.link)
  const offer = byId(world.offers, link?.offer)
  const days = playerDays(world, player)
  const qualified = qualifiedOn(world, player, days)
  const registered = player.registeredAt === null ? null : businessDay(player.registeredAt, world.zone)
  const firstDeposit = [...days].find(([, told]) => told.count > 0n)?.[0] ?? null
  const about = describe(world, { ...ofLink(world, link), advertiser: player.advertiser })
  const facts: Fact[] = []
  for (const day of new Set([...days.keys(), ...[registered, qualified].filter((day) => day !== null)])) {
    const told = days.get(day)
    let rateMissing = false
    const inReport = (sum: { amount: Units; currency: number }): Units => {
      const converted = convert(world, sum.amount, sum.currency, 1, day)
      if (converted === null) rateMissing = true
      return converted ?? 0n
    }
    const total = (list: { amount: Units; currency: number }[]) => list.reduce((sum, one) => sum + inReport(one), 0n)
    const deposits = total(told?.deposits ?? [])
    const bets = total(told?.bets ?? [])
    const income = told === undefined ? 0n : inReport(told.income)
    const saidFirstDay = told === undefined ? 0n : inReport(told.firstDay)
    const isFirst = day === firstDeposit
    const firstDay = saidFirstDay === 0n ? deposits : saidFirstDay
    const earliest =
      told?.earliest == null ? null : (convert(world, told.earliest.amount, told.earliest.currency, 1, day) ?? 0n)
    const first = told?.isReport === true && told.count === 1n ? deposits : (earliest ?? firstDay)
    const isEmpty =
      told === undefined || (told.count === 0n && deposits === 0n && bets === 0n && income === 0n && !rateMissing)
    if (isEmpty && day !== registered && day !== qualified) continue
    const isPaid = day === qualified && player.resolution !== 'not_approved'
    const { price, percent } = payFor(world, offer, link, { day, registered: registered ?? day, isPaid })
    const cpa = price === null ? 0n : inReport(price)
    facts.push({
      kind: 'day',
      day,
      player: player.id,
      dims: {
        ...about.dims,
        ...texts(link?.site ?? '', player.sub ?? ''),
        ...dates(day),
        landing: player.landing ?? 0,
        promocode: player.promocode ?? '',
        actual_country: player.actualCountry ?? 0,
        player_outer_id: player.outer,
        media: mediaOf(link, world),
        click: player.click ?? '',
      },
      lists: about.lists,
      registeredDay: registered ?? NO_DAY,
      firstDepositDay: firstDeposit ?? NO_DAY,
      isQualified: qualified !== null,
      rateMissing,
      n: {
        registrations: day === registered ? 1n : 0n,
        new_deposits: isFirst ? 1n : 0n,
        qualified_players: day === qualified ? 1n : 0n,
        deposits_count: told?.count ?? 0n,
        deposits_amount: deposits,
        first_day_amount: isFirst ? firstDay : 0n,
        first_amount: isFirst ? first : 0n,
        bets,
        income,
        player_spend: cpa + ratio(income * units(percent), 1_000_000n),
      },
    })
  }
  return facts
}

/** The partner offer of a spend: of its stream and country, and of its site if it names one. */
export function linkOfSpend(world: World, { stream, country, site }: Spend): Link | undefined {
  return world.links
    .filter(
      (link) =>
        link.stream === stream &&
        byId(world.offers, link.offer)?.country === country &&
        (site === null || link.site === site),
    )
    .sort((a, b) => Number(b.isActive) - Number(a.isActive) || a.id - b.id)[0]
}

function spendFacts(world: World): Fact[] {
  return world.spends
    .filter((spend) => spend.isActive && spend.state !== 'claimed')
    .map((spend) => {
      const link = linkOfSpend(world, spend)
      const stream = byId(world.streams, spend.stream)
      const about = describe(world, {
        ...ofLink(world, link),
        partner: stream?.partner ?? 0,
        stream: spend.stream,
        source: link?.source ?? stream?.source ?? 0,
        country: spend.country,
      })
      const base = convert(world, units(spend.sum), spend.currency, 1, spend.day)
      const offer = byId(world.offers, link?.offer)
      const isAgency = offer !== undefined && MODELS[modelOn(offer, spend.day)] === 'AGENCY'
      return {
        kind: 'spend',
        day: spend.day,
        player: null,
        dims: {
          ...about.dims,
          ...texts(spend.site ?? link?.site ?? '', link?.sub ?? ''),
          ...dates(spend.day),
          landing: 0,
          promocode: '',
          actual_country: 0,
          player_outer_id: '',
          media: mediaOf(link, world),
          click: '',
        },
        lists: about.lists,
        registeredDay: NO_DAY,
        firstDepositDay: NO_DAY,
        isQualified: false,
        rateMissing: base === null,
        isWithoutLink: link === undefined,
        n: {
          entered_spend: isAgency
            ? ratio((base ?? 0n) * (1_000_000n + units(percentageOf(world, link, spend.day))), 1_000_000n)
            : (base ?? 0n),
        },
      }
    })
}
