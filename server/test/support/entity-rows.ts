// Valid rows for every entity of the registry, generated from its fields, for generated tests.

import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { Field, TextField } from '@tributary/contract/field'
import { addDays } from '@tributary/contract/period'
import { isWritable } from '@tributary/contract/validate'
import {
  completeNetwork,
  done,
  type Json,
  linkOf,
  makeSpendGround,
  type NetworkMaker,
  nextCode,
  openNetwork,
  unique,
} from './entity-calls.ts'
import type { SignedIn } from './sign-in.ts'

export const entityOf = (name: string): Entity => ENTITIES[name as EntityName]

type Body = Record<string, unknown>

/** Rows to refer to: those of a new network and others, each created when it is needed. */
export interface Pool {
  readonly admin: SignedIn
  readonly make: NetworkMaker
  /** Ids of rows to refer to instead of new ones, by entity. */
  readonly known: Record<string, number>
}

export const makePool = (admin: SignedIn): Pool => ({ admin, make: openNetwork(admin), known: {} })

/** The id of a manager that the test has created. */
async function findManager(admin: SignedIn): Promise<number> {
  const { options } = await done(admin, 'GET', 'user?lookup=1&filter[role.kind]=MANAGER&filter[enabled]=1')
  return (options as Json[])[0]?.id ?? 0
}

/** The id of a team leader. */
async function findLeader(admin: SignedIn): Promise<number> {
  const { options } = await done(admin, 'GET', 'user?lookup=1&filter[role.kind]=TEAM_LEADER&filter[enabled]=1')
  const known = (options as Json[])[0]
  if (known !== undefined) return known.id
  const roles = await done(admin, 'GET', 'user_role?lookup=1&filter[kind]=TEAM_LEADER')
  const role = (roles.options as Json[])[0]?.id
  const body = { full_name: unique('Leader'), email: `${unique('leader').replace(' ', '-')}@site.test`, role }
  return (await done(admin, 'POST', 'user', body)).id
}

async function referTo(pool: Pool, to: string, from: string): Promise<number> {
  const { admin, make } = pool
  if (from === 'partner_group_manager' && to === 'user') return findManager(admin)
  if (from === 'partner_group' && to === 'user') return findLeader(admin)
  if (from === 'offer_partner_agency_percentage_history')
    return (await makeSpendGround(admin, [], await completeNetwork(make))).link.id
  if (from === 'offer_partner_rs_share_history')
    return (await makeSpendGround(admin, [], await completeNetwork(make), 2)).link.id
  const known: Record<string, () => Promise<Json>> = {
    currency: make.currency,
    landing: make.landing,
    advertiser: make.advertiser,
    advertiser_country: make.presence,
    offer: make.offer,
    traffic_source: make.source,
    partner: make.partner,
    partner_stream: make.stream,
  }
  if (to === 'user') return admin.id
  if (to === 'payment_model') return 1
  return pool.known[to] ?? (await (known[to]?.() ?? makeRow(pool, to))).id
}

export async function makeRow(pool: Pool, name: string): Promise<Json> {
  return done(pool.admin, 'POST', name, await makeBody(pool, name))
}

/** Returns every field that a request may set, with a valid value, without collections. */
/** Histories whose rows share one owner, so each row gets a day of its own. */
const SHARED_HISTORIES = new Set(['payment_model_share_history', 'agency_percentage_history'])
let sharedDays = 0

export async function makeBody(pool: Pool, name: string): Promise<Body> {
  if (name === 'offer_partner')
    return linkOf(await completeNetwork(pool.make), {
      sub_id: 'sub',
      baseline: '1.5',
      country_requirement: true,
      promo_codes: ['A1'],
    })
  if (name === 'partner_spend') return makeSpend(pool)
  const body: Body = {}
  // The role of a user decides about its other fields.
  if (name === 'user') return makeUser(pool)
  for (const [key, field] of Object.entries(entityOf(name).fields)) {
    if (isWritable(field, true) && field.kind !== 'children') body[key] = await makeValue(pool, name, key, field)
  }
  if (SHARED_HISTORIES.has(name)) body.date_from = body.date_to = addDays('2030-01-01', sharedDays++)
  return body
}

/** Spend needs an AGENCY partner offer on a day with activity. */
async function makeSpend({ admin, make }: Pool): Promise<Body> {
  const { link, spend } = await makeSpendGround(admin, ['2026-04-01'], await completeNetwork(make))
  return { ...spend, site_id: link.site_id, sum: '2.5' }
}

async function makeUser({ admin, make }: Pool): Promise<Body> {
  const roles = await done(admin, 'GET', 'user_role?lookup=1&filter[kind]=PARTNER')
  return {
    full_name: unique('Person'),
    email: `${unique('person').replace(' ', '-')}@site.test`,
    password: 'Valid.Horse1',
    enabled: true,
    role: (roles.options as Json[])[0]?.id,
    partner: (await make.partner()).id,
    permissions: ['dashboard'],
    language: 'ru',
  }
}

async function makeValue(pool: Pool, name: string, key: string, field: Field): Promise<unknown> {
  switch (field.kind) {
    case 'text':
      return makeText(key, field)
    case 'integer':
      return Math.max(field.min ?? 0, 7)
    case 'decimal':
      return '2.5'
    case 'boolean':
      return true
    case 'date':
      return key === 'date_to' ? '2026-04-30' : '2026-04-01'
    case 'choice':
      return field.options.at(-1)
    case 'choices':
      return field.options.slice(0, 2)
    case 'texts':
      return ['one', 'two']
    case 'reference':
      return referTo(pool, field.to, name)
    case 'references':
      return [await referTo(pool, field.to, name)]
    case 'datetime':
    case 'uuid':
    case 'json':
    case 'children':
    case 'derived':
      return null
  }
}

function makeText(key: string, field: TextField): string {
  switch (field.format ?? 'plain') {
    case 'country':
      return nextCode()
    case 'zone':
      return 'Europe/Berlin'
    case 'time':
      return '23:59'
    case 'month':
      return '2026-04'
    case 'domain':
    case 'url':
      return 'https://site.test/path'
    case 'template':
      return 'https://site.test/?c={click_id}'
    case 'token':
      return unique('t')
        .replace(' ', '')
        .slice(-(field.max ?? 20))
    case 'number':
      return unique('1').replace(/\D/g, '')
    case 'spreadsheet':
      return `spreadsheet-of-a-test-${unique('').replace(/\W/g, '')}`
    case 'words':
      return 'Анна Мария O’Neil'
    case 'email':
    case 'plain':
    case 'entity':
    case 'cause':
    case 'long':
      return unique(key).slice(0, field.max ?? 255)
  }
}

/** Another value of a field that may be changed by itself; undefined if the entity has none. */
export function otherValue(name: string): [string, unknown] | undefined {
  // Another site ID would belong to another partner offer.
  if (name === 'partner_spend') return ['sum', '3.2500']
  for (const [key, field] of Object.entries(entityOf(name).fields)) {
    if (!isWritable(field, false) || field.fixed) continue
    if (field.kind === 'text' && field.format !== 'country' && field.format !== 'zone')
      return [key, makeText(key, field).replace('site.test', 'other.test')]
    if (field.kind === 'decimal') return [key, '3.2500']
    if (field.kind === 'integer') return [key, 8]
    if (field.kind === 'boolean') return [key, false]
    if (field.kind === 'texts') return [key, ['three']]
    if (key === 'date_to') return [key, '2026-05-15']
  }
  return entityOf(name).hasActive ? ['active', false] : undefined
}
