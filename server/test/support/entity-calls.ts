// Calls of entity tests, and a small network created through the API.

import { COUNTRY_CODES } from '@tributary/contract/country-codes'
import { DEFAULT_ZONE, startOfDay } from '@tributary/contract/period'
import { expect } from 'vitest'
import { accessModule } from '../../src/api/access-module.ts'
import { entityModule } from '../../src/api/entity-routes.ts'
import type { ServerModule } from '../../src/server-module.ts'
import type { SignedIn } from './sign-in.ts'

export const ENTITY_MODULES: readonly ServerModule[] = [accessModule, entityModule]
export const DETAILED = { 'additional-groups': 'detailed' }

export type Json = Record<string, unknown> & { id: number; version: number }

export interface Reply {
  status: number
  body: Json
}

/** False for files and for answers without a body. */
const isJson = (answer: Response): boolean => answer.headers.get('content-type')?.includes('json') === true

export async function ask(
  person: SignedIn,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Reply> {
  const answer = await person.call(method, path, body, headers)
  const text = await answer.text()
  return { status: answer.status, body: isJson(answer) && text !== '' ? JSON.parse(text) : { id: 0, version: 0 } }
}

/** Sends a call and expects success. */
export async function done(
  person: SignedIn,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = DETAILED,
): Promise<Json> {
  const reply = await ask(person, method, path, body, headers)
  expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBeLessThan(300)
  return reply.body
}

/** The field errors of a rejection. */
export async function refused(person: SignedIn, method: string, path: string, body?: unknown): Promise<unknown> {
  const reply = await ask(person, method, path, body)
  expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBe(422)
  return reply.body.formErrors
}

export const idsOf = (list: Json): number[] => (list.items as Json[]).map((row) => row.id)

let names = 0
/** A text that no other row has. */
export const unique = (stem: string): string => `${stem} ${process.pid}-${names++}`

export interface Network {
  currency: Json
  country: Json
  landing: Json
  advertiser: Json
  presence: Json
  offer: Json
  source: Json
  partner: Json
  stream: Json
}

let countries = 0
/** The code of a country, different from recently used ones. */
export const nextCode = (): string => COUNTRY_CODES[countries++ % COUNTRY_CODES.length] ?? 'DE'

/** Countries by admin: codes are unique, and long files need more networks than there are codes. */
const countriesOf = new WeakMap<SignedIn, Json[]>()
const COUNTRIES_MAX = 120

/** Creates a country; returns an earlier one once there are many. */
async function makeCountry(admin: SignedIn, currency: Json): Promise<Json> {
  const made = countriesOf.get(admin) ?? []
  countriesOf.set(admin, made)
  const earlier = made.length < COUNTRIES_MAX ? undefined : made[names % COUNTRIES_MAX]
  if (earlier !== undefined) return earlier
  const country = await done(admin, 'POST', 'country', {
    title: unique('Land'),
    code: nextCode(),
    currency: currency.id,
  })
  made.push(country)
  return country
}

/** What makes the rows of a network: each once, with what it needs. */
export type NetworkMaker = { readonly [Name in keyof Network]: () => Promise<Network[Name]> }

/** A network whose rows are created when they are asked for. */
export function openNetwork(admin: SignedIn): NetworkMaker {
  const once = (make: () => Promise<Json>): (() => Promise<Json>) => {
    let made: Promise<Json> | undefined
    return () => {
      made ??= make()
      return made
    }
  }
  const currency = once(() => done(admin, 'POST', 'currency', { title: unique('Euro'), value: `E${names}` }))
  const country = once(async () => makeCountry(admin, await currency()))
  const landing = once(() => done(admin, 'POST', 'landing', { title: unique('Start'), value: 'welcome/?a=1' }))
  const advertiser = once(async () =>
    done(admin, 'POST', 'advertiser', {
      title: unique('Brand'),
      default_domain: 'https://brand.test',
      default_currency: (await currency()).id,
      allowed_landings: [(await landing()).id],
      countries: [{ country: (await country()).id, media_id: 'm-77', domain: 'https://land.brand.test' }],
      default_landings: [{ landing: (await landing()).id }],
    }),
  )
  const presence = once(async () => firstOf(await advertiser(), 'countries'))
  const offer = once(async () =>
    makeOffer(admin, { currency: await currency(), advertiser: await advertiser(), presence: await presence() }),
  )
  const source = once(() => done(admin, 'POST', 'traffic_source', { title: unique('Search') }))
  const partner = once(() =>
    done(admin, 'POST', 'partner', { title: unique('Affiliate'), state: 'approved', streams: [{ title: 'Main' }] }),
  )
  const stream = once(async () => firstOf(await partner(), 'streams'))
  return { currency, country, landing, advertiser, presence, offer, source, partner, stream }
}

function firstOf(row: Json, children: string): Json {
  const [first] = row[children] as Json[]
  if (first === undefined) throw new Error(`the row has no ${children}`)
  return first
}

/** Creates one of each entity that a partner offer needs, approved and complete. */
export const makeNetwork = (admin: SignedIn): Promise<Network> => completeNetwork(openNetwork(admin))

/** Creates the rows that nobody has asked for, one after another. */
export async function completeNetwork(make: NetworkMaker): Promise<Network> {
  return {
    currency: await make.currency(),
    country: await make.country(),
    landing: await make.landing(),
    advertiser: await make.advertiser(),
    presence: await make.presence(),
    offer: await make.offer(),
    source: await make.source(),
    partner: await make.partner(),
    stream: await make.stream(),
  }
}

export function makeOffer(
  admin: SignedIn,
  { advertiser, presence, currency }: Pick<Network, 'advertiser' | 'presence' | 'currency'>,
  more: Record<string, unknown> = {},
): Promise<Json> {
  return done(admin, 'POST', 'offer', {
    title: unique('Offer'),
    advertiser: advertiser.id,
    advertiser_country: presence.id,
    payment_model: 1,
    currency: currency.id,
    cost: '50',
    state: 'approved',
    ...more,
  })
}

/** The body of a valid partner offer. */
export const linkOf = ({ offer, partner, stream, source }: Network, more: Record<string, unknown> = {}) => ({
  offer: offer.id,
  partner: partner.id,
  stream: stream.id,
  traffic_source: source.id,
  site_id: unique('site').replace(' ', '-'),
  ...more,
})

export interface SpendGround {
  net: Network
  link: Json
  /** The body of a valid spend. */
  spend: { stream: number; country: number; date: string; sum: string; currency: number }
}

/** Creates an AGENCY partner offer with its own stream and offer, and a registration on each of the days. */
export async function makeSpendGround(
  admin: SignedIn,
  days: readonly string[],
  within?: Network,
  model = 4,
): Promise<SpendGround> {
  const around = within ?? (await makeNetwork(admin))
  const stream = await done(admin, 'POST', 'partner_stream', { partner: around.partner.id, title: unique('Ads') })
  const net = { ...around, stream, offer: await makeOffer(admin, around, { payment_model: model }) }
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net, { state: 'approved' }))
  for (const day of days) await register(admin, net, link, day)
  const spend = {
    stream: net.stream.id,
    country: net.country.id,
    date: days[0] ?? '',
    sum: '10',
    currency: net.currency.id,
  }
  return { net, link, spend }
}

/** Creates a player who registers through the partner offer on the day. */
export const register = (admin: SignedIn, net: Network, link: Json, day: string): Promise<Json> =>
  done(admin, 'POST', 'player', {
    advertiser: net.advertiser.id,
    outer_id: unique('player'),
    offer_partner: link.id,
    registered_at: new Date(startOfDay(day, DEFAULT_ZONE)).toISOString(),
  })
