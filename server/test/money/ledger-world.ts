// Makes a random network earn: each offer pays in its own way, most players qualify and bring income, and AGENCY partner offers have spend.
import {
  addDays,
  DAYS,
  MODELS,
  type Offer,
  type PlayerReport,
  type Spend,
  type World,
} from '../reports/reports-world.ts'

const NO_LIMITS = { baseline: [], period: [], maxDays: [], bets: [] }

export function withMoney(world: World, start: string): World {
  const offers = world.offers.map((offer, index) => ({ ...offer, model: index % MODELS.length, cost: offer.cost + 1 }))
  // Two of three partner offers have no limits but a low baseline.
  const links = world.links.map((link) =>
    link.id % 3 === 0
      ? link
      : { ...link, baseline: 5, period: null, maxDays: null, bets: null, needsCountry: false, limits: NO_LIMITS },
  )
  const players = world.players.map((player) => {
    const link = links[(player.link ?? player.id % (links.length + 1)) - 1]
    const advertiser =
      link === undefined ? player.advertiser : (offers[link.offer - 1]?.advertiser ?? player.advertiser)
    const day = addDays(start, player.id % 9)
    return {
      ...player,
      link: link?.id ?? null,
      advertiser,
      registeredAt: player.id % 4 === 0 ? player.registeredAt : Date.parse(`${day}T12:00:00Z`),
      resolution: player.id % 5 === 0 ? player.resolution : null,
    }
  })
  const reports = players.map(
    ({ id }): PlayerReport => ({
      player: id,
      day: addDays(start, (id % 9) + (id % 4)),
      currency: (id % 2) + 1,
      count: 1,
      deposits: 20 + id,
      firstDay: 0,
      bets: 100,
      income: id * 7.77 - 30,
    }),
  )
  const isTold = ({ player, day }: PlayerReport): boolean =>
    reports.some((one) => one.player === player && one.day === day)
  const spends = spendOf(links, offers, start)
  const isSpent = (spend: Spend): boolean =>
    spends.some((one) => one.stream === spend.stream && one.country === spend.country)
  return {
    ...world,
    offers,
    links,
    players,
    reports: [...world.reports.filter((report) => !isTold(report)), ...reports],
    spends: [...world.spends.filter((spend) => !isSpent(spend)), ...spends].map((spend, index) => ({
      ...spend,
      id: index + 1,
    })),
  }
}

/** Three days of spend for each stream and country with an AGENCY partner offer. */
function spendOf(links: World['links'], offers: readonly Offer[], start: string): Spend[] {
  const places = new Map(
    links.flatMap(({ stream, offer: id }) => {
      const offer = offers[id - 1]
      return offer === undefined || MODELS[offer.model] !== 'AGENCY'
        ? []
        : [[`${stream} ${offer.country}`, { stream, country: offer.country }]]
    }),
  )
  return [...places.values()].flatMap(({ stream, country }) =>
    [1, 7, DAYS - 2].map(
      (days): Spend => ({
        id: 0,
        stream,
        site: null,
        country,
        day: addDays(start, days),
        sum: 100.05 + days,
        currency: (days % 2) + 1,
        isActive: true,
      }),
    ),
  )
}

/** With a rate of every day and no claims, so that months can be closed. */
export function withoutBlocks(world: World, start: string): World {
  const own = (currency: number): number => (currency === 3 ? 1 : currency)
  return {
    ...world,
    rates: [...world.rates, { day: addDays(start, -40), rate: 0.9 }],
    events: world.events.map((row) => ({ ...row, currency: own(row.currency ?? 1) })),
    reports: world.reports.map((row) => ({ ...row, currency: own(row.currency) })),
    spends: world.spends.map((row): Spend => ({ ...row, currency: own(row.currency), state: 'accepted' })),
  }
}
