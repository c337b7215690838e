// The ledger recounted naively: what each partner's months owe by the raw rows of a network, what has to be booked after each step, and what a
// partner's balance is. It knows no SQL and nothing of the product.

import { businessDay, byId, linkOfSpend, playerDays, qualifiedOn, toFacts } from '../reports/reports-oracle.ts'
import { ratio, type Units, units } from '../reports/reports-oracle-money.ts'
import { modelOn, payFor, percentageOf } from '../reports/reports-oracle-terms.ts'
import { MODELS, type World } from '../reports/reports-world.ts'

/** 'partner month offerPartner stream trafficSource country advertiser kind currency' */
export type KeyText = string
export const monthText = (partner: number, month: string): string => `${partner} ${month}`
export const monthOfKey = (key: KeyText): string => key.split(' ').slice(0, 2).join(' ')

/** What a key owes, in cents; and the players of a CPA key with their prices in cents. */
export interface OwedKey {
  readonly cents: bigint
  readonly players: ReadonlyMap<number, bigint>
}

const toCents = (amount: Units): bigint => ratio(amount, 100n)

export function oweAll(world: World): Map<KeyText, OwedKey> {
  const shares = new Map<KeyText, Units>()
  const players = new Map<KeyText, Map<number, bigint>>()
  const add = (key: KeyText, amount: Units): void => void shares.set(key, (shares.get(key) ?? 0n) + amount)
  for (const player of world.players.filter(({ isActive }) => isActive)) {
    const link = byId(world.links, player.link)
    const offer = byId(world.offers, link?.offer)
    if (link === undefined || offer === undefined) continue
    const keyOf = (day: string, kind: string, currency: number): KeyText =>
      [
        link.partner,
        day.slice(0, 7),
        link.id,
        link.stream,
        link.source,
        offer.country,
        player.advertiser,
        kind,
        currency,
      ].join(' ')
    const days = playerDays(world, player)
    const qualified = qualifiedOn(world, player, days)
    const registered = player.registeredAt === null ? null : businessDay(player.registeredAt, world.zone)
    if (qualified !== null && player.resolution !== 'not_approved') {
      const { price } = payFor(world, offer, link, {
        day: qualified,
        registered: registered ?? qualified,
        isPaid: true,
      })
      if (price !== null && price.amount !== 0n) {
        const key = keyOf(qualified, 'cpa', price.currency)
        players.set(key, (players.get(key) ?? new Map<number, bigint>()).set(player.id, toCents(price.amount)))
      }
    }
    for (const [day, { income }] of days) {
      const { percent } = payFor(world, offer, link, { day, registered: registered ?? day, isPaid: false })
      const amount = ratio(income.amount * units(percent), 1_000_000n)
      if (amount !== 0n) add(keyOf(day, 'rs', income.currency), amount)
    }
  }
  for (const spend of world.spends.filter(({ isActive, state }) => isActive && state !== 'claimed')) {
    const link = linkOfSpend(world, spend)
    const offer = byId(world.offers, link?.offer)
    const partner = byId(world.streams, spend.stream)?.partner
    if (link === undefined || offer === undefined || MODELS[modelOn(offer, spend.day)] !== 'AGENCY') continue
    const amount = ratio(units(spend.sum) * (1_000_000n + units(percentageOf(world, link, spend.day))), 1_000_000n)
    const key = [
      partner,
      spend.day.slice(0, 7),
      link.id,
      spend.stream,
      link.source,
      spend.country,
      offer.advertiser,
      'agency',
      spend.currency,
    ]
    if (amount !== 0n) add(key.join(' '), amount)
  }
  const none: ReadonlyMap<number, bigint> = new Map()
  return new Map([
    ...[...shares].map(([key, amount]) => [key, { cents: toCents(amount), players: none }] as const),
    ...[...players].map(([key, prices]) => {
      const cents = [...prices.values()].reduce((sum, price) => sum + price, 0n)
      return [key, { cents, players: prices }] as const
    }),
  ])
}

/** Whether an amount of the partners in the month lacks a rate. */
export const lacksRate = (world: World, month: string, partners: readonly number[]): boolean =>
  toFacts(world).some(
    ({ kind, day, dims, rateMissing }) =>
      kind !== 'click' && rateMissing && day.startsWith(month) && partners.includes(Number(dims.partner ?? 0)),
  )

export const hasClaims = (world: World, month: string, partners: readonly number[]): boolean =>
  world.spends.some(
    ({ isActive, state = 'accepted', day, stream }) =>
      isActive &&
      state !== 'accepted' &&
      day.startsWith(month) &&
      partners.includes(byId(world.streams, stream)?.partner ?? 0),
  )

interface Close {
  readonly id: number
  readonly month: string
  readonly group: number | null
  /** Partners for whom it stands. */
  readonly standing: Set<number>
}

interface Adjustment {
  readonly partner: number
  readonly month: string
  readonly currency: number
  readonly cents: bigint
}

const monthAfter = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** What an entry has to say beside its amount. */
export interface Booking {
  readonly source: string
  readonly booked: string
}

/** The ledger as it has to be. */
export class NaiveLedger {
  readonly closes: Close[] = []
  readonly booked = new Map<KeyText, OwedKey>()
  readonly adjustments: Adjustment[] = []
  /** By 'month currency', in hundred-millionths: frozen when the month is first booked. */
  readonly #rates = new Map<string, bigint>()
  readonly #reopened = new Set<string>()

  isClosed(partner: number, month: string): boolean {
    return this.closes.some((close) => close.month === month && close.standing.has(partner))
  }

  /** Members of the group, or all, for whom the month is open. */
  openPartners(world: World, month: string, group: number | null): number[] {
    return world.partners
      .filter(
        ({ id, groups }) => (group === null || groups.some((one) => one.group === group)) && !this.isClosed(id, month),
      )
      .map(({ id }) => id)
  }

  close(close: Close): void {
    this.closes.push(close)
  }

  reopen({ id }: Close, partner: number | null): void {
    const close = this.closes.find((one) => one.id === id)
    for (const one of partner === null ? [...(close?.standing ?? [])] : [partner])
      if (close?.standing.delete(one) === true) this.#reopened.add(monthText(one, close.month))
  }

  /** A partner who appears is closed for the months of the global closes that stand. */
  join(partner: number): void {
    const open = new Map(
      this.closes
        .filter(({ group, standing }) => group === null && standing.size > 0)
        .map((close) => [close.month, close]),
    )
    for (const close of open.values()) close.standing.add(partner)
  }

  /** `closed`: the close that is being written, else true-ups of all partners. Returns by key what each new entry has to say. */
  book(known: World, world: World, closed: Close | null): Map<KeyText, Booking> {
    const owed = oweAll(known)
    const partners = closed === null ? null : closed.standing
    const standing = this.closes.flatMap((close) => [...close.standing].map((partner) => ({ partner, close })))
    const months = new Map(
      standing
        .filter(({ partner }) => partners === null || partners.has(partner))
        .map(({ partner, close }) => [monthText(partner, close.month), { partner, close }]),
    )
    const entries = new Map<KeyText, Booking>()
    for (const key of new Set([...owed.keys(), ...this.booked.keys()])) {
      const found = months.get(monthOfKey(key))
      if (found === undefined) continue
      const { partner, close } = found
      const [is, was] = [owed.get(key) ?? NOTHING, this.booked.get(key) ?? NOTHING]
      if (isSame(is, was)) continue
      const isFirst = close === closed && !this.#reopened.has(monthText(partner, close.month))
      entries.set(key, {
        source: close !== closed ? 'true_up' : isFirst ? 'close' : 'reclose',
        booked: isFirst ? close.month : this.#nextMonth(partner),
      })
      this.booked.set(key, is)
      for (const player of is.players.keys())
        for (const left of this.#release(player, key, (one) => months.has(monthOfKey(one))))
          entries.set(left, { source: 'true_up', booked: this.#nextMonth(partner) })
    }
    for (const key of entries.keys()) this.#freeze(world, key.split(' ')[1] ?? '')
    return entries
  }

  /** After the last month that is closed for the partner. */
  #nextMonth(partner: number): string {
    const closed = this.closes.filter(({ standing }) => standing.has(partner)).map(({ month }) => month)
    return monthAfter(closed.sort().at(-1) ?? '')
  }

  /** A player who is booked by a key counts no more in reopened months of the partner offer. Returns their keys. */
  #release(player: number, key: KeyText, isBookedNow: (key: KeyText) => boolean): KeyText[] {
    const link = key.split(' ')[2]
    const left = [...this.booked.keys()].filter(
      (one) =>
        one !== key && one.split(' ')[2] === link && !isBookedNow(one) && this.booked.get(one)?.players.has(player),
    )
    for (const one of left) {
      const { cents, players } = this.booked.get(one) ?? NOTHING
      const rest = new Map(players)
      rest.delete(player)
      this.booked.set(one, { cents: cents - (players.get(player) ?? 0n), players: rest })
    }
    return left
  }

  #freeze(world: World, month: string): void {
    const rate = lastRate(world, month)
    if (rate !== null && !this.#rates.has(month)) this.#rates.set(month, rate)
  }

  /** Cents of the report currency: each key's total by the rate of its month, and adjustments. Amounts without a rate count as nothing. */
  balance(world: World, partner: number): bigint {
    const totals = new Map<string, bigint>()
    for (const [key, { cents }] of this.booked) {
      const [owner, month, link, , , , , kind, currency] = key.split(' ')
      if (Number(owner) !== partner) continue
      const converted = [month, link, kind, currency].join(' ')
      totals.set(converted, (totals.get(converted) ?? 0n) + cents)
    }
    const own = this.adjustments.filter((one) => one.partner === partner)
    const earned = [...totals].map(([key, cents]) =>
      this.#convert(world, cents, key.slice(0, 7), Number(key.split(' ')[3])),
    )
    return [...earned, ...own.map(({ cents, month, currency }) => this.#convert(world, cents, month, currency))].reduce(
      (sum, one) => sum + one,
      0n,
    )
  }

  #convert(world: World, cents: bigint, month: string, currency: number): bigint {
    if (currency === 1) return cents
    const rate = currency === 2 ? (this.#rates.get(month) ?? lastRate(world, month)) : null
    return rate === null ? 0n : ratio(cents * rate, 100_000_000n)
  }
}

const NOTHING: OwedKey = { cents: 0n, players: new Map() }

const isSame = (a: OwedKey, b: OwedKey): boolean =>
  a.cents === b.cents &&
  a.players.size === b.players.size &&
  [...a.players].every(([player, price]) => b.players.get(player) === price)

/** Of currency 2 on the last day of the month, in hundred-millionths. */
function lastRate(world: World, month: string): bigint | null {
  const known = world.rates.filter(({ day }) => day.slice(0, 7) <= month).sort((a, b) => (a.day < b.day ? 1 : -1))
  return known[0] === undefined ? null : BigInt(Math.round(known[0].rate * 100_000_000))
}
