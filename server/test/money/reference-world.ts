// The partner of the reference example: four partner offers with their terms, players, income and spend, made through the API.
import {
  addDays,
  DEFAULT_ZONE,
  lastDayOf,
  monthAfter,
  monthBefore,
  startOfDay,
  today,
} from '@tributary/contract/period'
import {
  done,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  type Network,
  register,
  unique,
} from '../support/entity-calls.ts'
import { PASSWORD, type SignedIn } from '../support/sign-in.ts'

export const THIRD = today(DEFAULT_ZONE).slice(0, 7)
export const SECOND = monthBefore(THIRD)
export const FIRST = monthBefore(SECOND)
export const FOURTH = monthAfter(THIRD)
export const day = (month: string, number: number): string => `${month}-${String(number).padStart(2, '0')}`

export interface ReferenceWorld {
  readonly net: Network
  readonly euro: number
  readonly usd: number
  readonly partner: number
  readonly links: Readonly<Record<'A' | 'B' | 'C' | 'D', Json>>
  /** Report entry of A3, and the player who brings B's income. */
  readonly a3: Json
  readonly incomePlayer: number
  readonly spend22: number
}

/** Reports a day of a player; returns the report entry. */
export const report = (admin: SignedIn, player: number, on: string, figures: object): Promise<Json> =>
  done(admin, 'POST', 'player_report', { player, report_date: on, ...figures })

/** An approved player who registers and qualifies on the day; returns the report entry. */
export async function qualify(admin: SignedIn, net: Network, link: Json, on: string): Promise<Json> {
  const { id } = await register(admin, net, link, on)
  const entry = await report(admin, id, on, { deposits_count: 1, deposits: '50' })
  await done(admin, 'PUT', 'player/bulk_update', { ids: [id], payment_resolution: 'approved' })
  return entry
}

export async function makeReferenceWorld(admin: SignedIn): Promise<ReferenceWorld> {
  const net = await makeNetwork(admin)
  const euro = net.currency.id
  await done(admin, 'POST', 'setting', { report_currency: euro })
  const { id: usd } = await done(admin, 'POST', 'currency', { title: unique('Dollar'), value: 'USD' })
  for (const [date, rate] of [
    [day(FIRST, 1), '0.9'],
    [lastDayOf(FIRST), '0.92'],
  ])
    await done(admin, 'POST', 'currency_rate', { currency: usd, date, rate })
  await done(admin, 'PUT', `advertiser/${net.advertiser.id}`, { default_crm_project_id: 'project-1' })
  await done(admin, 'PUT', `partner/${net.partner.id}/billing`, {
    currency: euro,
    legal_name: 'Company',
    hold_days: 14,
    current_password: PASSWORD,
  })
  const links = await makeLinks(admin, net, usd)
  const world = { net, euro, usd, partner: net.partner.id, links }
  return { ...world, ...(await earnFirstMonth(admin, world)) }
}

async function makeLinks(admin: SignedIn, net: Network, usd: number): Promise<ReferenceWorld['links']> {
  const make = async (payment_model: number, terms: object, dated: Record<string, number>): Promise<Json> => {
    const stream = await done(admin, 'POST', 'partner_stream', { partner: net.partner.id, title: unique('Stream') })
    const offer = await makeOffer(admin, net, { payment_model, ...terms })
    const more = { state: 'approved', baseline: '10' }
    const link = await done(admin, 'POST', 'offer_partner', linkOf({ ...net, stream, offer }, more))
    for (const [name, value] of Object.entries(dated))
      await done(admin, 'POST', `offer_partner_${name}_history`, {
        offer_partner: link.id,
        value,
        date_from: day(FIRST, 16),
      })
    return { ...link, stream }
  }
  await done(admin, 'POST', 'agency_percentage_history', { value: 10, date_from: day(FIRST, 1) })
  return {
    A: await make(1, {}, { cost: 60 }),
    B: await make(2, { cost: null, rs_share: '25' }, { rs_share: 30 }),
    C: await make(3, { cost: '40', rs_share: '20', currency: usd }, {}),
    D: await make(4, {}, { agency_percentage: 12 }),
  }
}

type Earned = Pick<ReferenceWorld, 'a3' | 'incomePlayer' | 'spend22'>

/** A10 qualifies one day before the last: its hold ends in the middle of the second month. */
async function earnFirstMonth(
  admin: SignedIn,
  { net, links: { A, B, C, D }, usd }: Omit<ReferenceWorld, keyof Earned>,
): Promise<Earned> {
  for (const on of [1, 2, 4, 5, 6]) await qualify(admin, net, A, day(FIRST, on))
  const a3 = await qualify(admin, net, A, day(FIRST, 8))
  for (const on of [16, 17, 18]) await qualify(admin, net, A, day(FIRST, on))
  await qualify(admin, net, A, addDays(lastDayOf(FIRST), -1))
  const { id: incomePlayer } = await register(admin, net, B, day(FIRST, 1))
  await report(admin, incomePlayer, day(FIRST, 5), { income: '1234.57' })
  await report(admin, incomePlayer, day(FIRST, 16), { income: '-200.10' })
  for (const on of [3, 4, 5]) await qualify(admin, net, C, day(FIRST, on))
  const hybrid = await register(admin, net, C, day(FIRST, 1))
  await report(admin, hybrid.id, day(FIRST, 9), { income: '612.53', currency: usd })
  for (const on of [3, 22, 24]) await register(admin, net, D, day(FIRST, on))
  const spend = (on: number, sum: string) =>
    done(admin, 'POST', 'partner_spend', {
      stream: (D.stream as Json).id,
      country: net.country.id,
      date: day(FIRST, on),
      sum,
      currency: net.currency.id,
    })
  await spend(3, '1000')
  return { a3, incomePlayer, spend22: (await spend(22, '500.05')).id }
}

/** Noon of a day, for the clock of the process. */
export const noonOf = (on: string): Date => new Date(startOfDay(on, DEFAULT_ZONE) + 43_200_000)
