// Row scope of every scoped entity for every kind of role: own and foreign rows, by every generic call and every path.

import { isAllowed, type RoleKind } from '@tributary/contract/access'
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  ask,
  DETAILED,
  done,
  ENTITY_MODULES,
  idsOf,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  nextCode,
  refused,
  unique,
} from '../support/entity-calls.ts'
import { entityOf, makeBody } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeTwoSides, NARROW, SCOPED, type Side, seesForeign } from '../support/two-sides.ts'

let server: Server
let admin: SignedIn
let own: Side
let foreign: Side
let people: ReadonlyMap<RoleKind, SignedIn>
const holders = new Map<RoleKind, { role: RoleKind; permissions: never[] }>()

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  ;({ own, foreign, people } = await makeTwoSides(server, admin))
  for (const role of NARROW) {
    const { rows } = await server.services.postgres.pool.query('select permissions from user_role where kind = $1', [
      role,
    ])
    holders.set(role, { role, permissions: rows[0]?.permissions ?? [] })
  }
})

function personOf(role: RoleKind): SignedIn {
  const person = people.get(role)
  if (person === undefined) throw new Error(`nobody is ${role}`)
  return person
}

const may = (role: RoleKind, name: string, action: 'view' | 'lookup' | 'create' | 'edit' | 'remove'): boolean =>
  isAllowed(entityOf(name).access[action], holders.get(role) ?? { role, permissions: [] })

const isNobodys = (name: string, action: 'create' | 'edit' | 'remove'): boolean => {
  const requirement = entityOf(name).access[action]
  return (
    requirement !== 'everyone' && (requirement.roles ?? []).length === 0 && (requirement.permissions ?? []).length === 0
  )
}

const isHidden = (role: RoleKind, name: string): boolean => !seesForeign(role, name)

const CASES = NARROW.flatMap((role) => SCOPED.map((name) => ({ role, name })))

test.each(CASES)('$role reads own rows of $name and no others, counts included [PERM-07]', async ({ role, name }) => {
  const person = personOf(role)
  const [mine, theirs] = [own.rows[name] ?? 0, foreign.rows[name] ?? 0]
  const expected = may(role, name, 'view') ? 200 : 403
  const list = await ask(person, 'GET', `${name}?limit=-1`)
  expect(list.status).toBe(expected)
  expect((await ask(person, 'GET', `${name}/${mine}`, undefined, DETAILED)).status).toBe(expected)
  if (expected === 200) {
    const ids = idsOf(list.body)
    expect(ids).toContain(mine)
    expect(ids.includes(theirs)).toBe(!isHidden(role, name))
    expect(list.body.pagination).toMatchObject({ total: ids.length })
    expect((await ask(person, 'GET', `${name}/${theirs}`)).status).toBe(isHidden(role, name) ? 404 : 200)
    const asked = await done(person, 'GET', `${name}?filter[id][in][]=${theirs}&filter[id][in][]=${mine}`)
    expect(asked.pagination).toMatchObject({ total: isHidden(role, name) ? 1 : 2 })
  }
  const lookup = await ask(person, 'GET', `${name}?lookup=1&limit=-1`)
  expect(lookup.status).toBe(may(role, name, 'lookup') ? 200 : 403)
  if (lookup.status === 200)
    expect((lookup.body.options as Json[]).some(({ id }) => id === theirs)).toBe(!isHidden(role, name))
})

test.each(CASES)(
  '$role changes and deletes no foreign row of $name, and makes none [PERM-07]',
  async ({ role, name }) => {
    const person = personOf(role)
    const theirs = foreign.rows[name] ?? 0
    const expectations = { edit: 404, remove: 404 }
    for (const action of ['edit', 'remove'] as const) {
      const status = isNobodys(name, action) ? 404 : may(role, name, action) ? expectations[action] : 403
      const method = action === 'edit' ? 'PUT' : 'DELETE'
      // Staff may change any row of a shared directory; deleting one with partner offers is rejected.
      if (!isHidden(role, name) && may(role, name, action)) continue
      expect((await ask(person, method, `${name}/${theirs}`, action === 'edit' ? {} : undefined)).status, method).toBe(
        status,
      )
    }
    if (isNobodys(name, 'create') || /^partner(_group)?$/.test(name) || entityOf(name).scope.by === 'linked') return
    const body = await makeBody(foreign.pool, name)
    const made = await ask(person, 'POST', name, body)
    expect(made.status, JSON.stringify(made.body)).toBe(may(role, name, 'create') ? 422 : 403)
  },
)

test.each(
  ENTITY_NAMES.filter((name) =>
    Object.values(entityOf(name).fields).some((field) => field.hiddenFrom?.includes('PARTNER')),
  ),
)(
  '%s: what is hidden from partners never leaves, neither as value, filter, sort nor search [PERM-07]',
  async (name) => {
    const person = personOf('PARTNER')
    const hidden = Object.entries(entityOf(name).fields).filter(([, field]) => field.hiddenFrom?.includes('PARTNER'))
    if (!may('PARTNER', name, 'view')) return
    const { items } = await done(person, 'GET', `${name}?limit=-1`)
    for (const row of items as Json[]) for (const [field] of hidden) expect(row).not.toHaveProperty(field)
    for (const [field] of hidden) {
      expect((await ask(person, 'GET', `${name}?filter[${field}]=1`)).status, field).toBe(422)
      expect((await ask(person, 'GET', `${name}?order[${field}]=ASC`)).status, field).toBe(422)
    }
  },
)

test('a partner cannot learn of others by paths through shared rows [PERM-07]', async () => {
  const person = personOf('PARTNER')
  const { net } = own.pool
  const other = foreign.pool.net
  await done(admin, 'POST', 'offer_partner', linkOf({ ...other, offer: net.offer }, { site_id: 'secret-site' }))
  const total = async (query: string): Promise<unknown> => ((await done(person, 'GET', query)).pagination as Json).total
  // The network's own offer, and those that its spend, its agency percentage and its revenue share need.
  expect(await total('offer')).toBe(4)
  expect(await total(`offer?filter[offer_partners.partner]=${other.partner.id}`)).toBe(0)
  expect(await total('offer?filter[offer_partners.site_id]=secret-site')).toBe(0)
  expect(await total(`offer?filter[offer_partners.partner]=${net.partner.id}`)).toBe(4)
  const offer = await done(person, 'GET', `offer/${net.offer.id}`)
  expect((offer.offer_partners as Json[]).map(({ id }) => id)).toEqual([own.rows.offer_partner])
  expect(offer).not.toHaveProperty('advertiser')
  expect(offer.advertiser_country).toEqual({ id: net.presence.id, title: net.country.title })
  for (const path of [
    'advertiser',
    'advertiser.title',
    'advertiser_country.advertiser',
    'advertiser_country.media_id',
    'advertiser_country.domain',
    'partner_groups',
  ]) {
    expect((await ask(person, 'GET', `offer?filter[${path}]=1`)).status, path).toBe(422)
    expect((await ask(person, 'GET', `offer_partner?filter[offer.${path}]=1`)).status, path).toBe(422)
    expect((await ask(person, 'GET', `offer_partner?order[offer.${path}]=ASC`)).status, path).toBe(422)
  }
  const link = await done(person, 'GET', `offer_partner/${own.rows.offer_partner}`)
  for (const field of ['postbacks', 'advertiser_link', 'advertiser_link_template', 'tags'])
    expect(link).not.toHaveProperty(field)
  expect(link).toHaveProperty('partner_link')
})

test('a row that a user may not open cannot be queried through rows that they may', async () => {
  const manager = personOf('MANAGER')
  expect((await ask(manager, 'GET', 'advertiser')).status).toBe(403)
  expect((await ask(manager, 'GET', 'offer?filter[advertiser.crm_id]=1')).status).toBe(422)
  expect((await ask(manager, 'GET', 'offer?order[advertiser.default_cost]=ASC')).status).toBe(422)
  expect((await ask(manager, 'GET', 'offer?filter[advertiser.title][like]=a')).status).toBe(200)
  expect((await ask(manager, 'GET', 'advertiser?lookup=1')).status).toBe(200)
  expect((await ask(manager, 'GET', 'advertiser?lookup=1&filter[crm_id]=1')).status).toBe(422)
  expect((await ask(manager, 'GET', 'advertiser?lookup=1&order[default_cost]=ASC')).status).toBe(422)
  expect((await done(manager, 'GET', `user?lookup=1&query=${encodeURIComponent(admin.email)}`)).options).toEqual([])
  const partner = await done(manager, 'GET', `partner/${own.pool.net.partner.id}`)
  expect(partner).not.toHaveProperty('users')
})

test('a partner that a leader or manager creates goes into their group, where they see it [PERM-07]', async () => {
  for (const role of ['TEAM_LEADER', 'MANAGER'] as const) {
    const person = personOf(role)
    const partner = await done(person, 'POST', 'partner', { title: unique('Brought') })
    expect(partner).toMatchObject({
      state: 'unapproved',
      partner_partner_groups: [{ partner_group: { id: own.group.id } }],
    })
    expect((await ask(person, 'GET', `partner/${partner.id}`)).status).toBe(200)
  }
  const lonely = await signIn(server, 'MANAGER')
  expect(await refused(lonely, 'POST', 'partner', { title: unique('Nobody’s') })).toEqual({
    partner_partner_groups: ['Add the partner to a group first'],
  })
})

test("an admin's group filter limits every list to that group [PERM-06]", async () => {
  const headers = { 'group-filter': String(own.group.id) }
  const partners = idsOf(await done(admin, 'GET', 'partner?limit=-1', undefined, headers))
  expect(partners).toContain(own.pool.net.partner.id)
  expect(partners).not.toContain(foreign.pool.net.partner.id)
  expect((await ask(admin, 'GET', `offer_partner/${foreign.rows.offer_partner}`, undefined, headers)).status).toBe(404)
  expect(idsOf(await done(admin, 'GET', 'partner?limit=-1', undefined, { 'group-filter': '0' }))).toContain(
    foreign.pool.net.partner.id,
  )
})

test("an offer passes the admin's group filter if the group or a partner of it has it [PERM-06]", async () => {
  const { net } = own.pool
  const named = await makeOffer(admin, net)
  await done(admin, 'PUT', `partner_group/${own.group.id}`, { offers: [named.id] })
  const other = await makeOffer(admin, net)
  const headers = { 'group-filter': String(own.group.id) }
  const ofPartner = `offer?limit=-1&order[id]=ASC&filter[offer_partners.partner]=${net.partner.id}`
  const expected = [...idsOf(await done(admin, 'GET', ofPartner)), named.id]
  expect(expected).toContain(own.rows.offer)
  expect(idsOf(await done(admin, 'GET', 'offer?limit=-1&order[id]=ASC', undefined, headers))).toEqual(expected)
  const lookup = await done(admin, 'GET', 'offer?lookup=1&limit=-1&order[id]=ASC', undefined, headers)
  expect((lookup.options as Json[]).map(({ id }) => id)).toEqual(expected)
  expect(lookup.pagination).toMatchObject({ total: expected.length })
  for (const [id, status] of [
    [own.rows.offer, 200],
    [named.id, 200],
    [other.id, 404],
    [foreign.rows.offer, 404],
  ])
    expect((await ask(admin, 'GET', `offer/${id}`, undefined, headers)).status).toBe(status)
  // References to offers show only those in the filter.
  await done(admin, 'PUT', `partner_group/${foreign.group.id}`, { offers: [named.id, other.id] })
  const group = await done(admin, 'GET', `partner_group/${foreign.group.id}`, undefined, headers)
  expect((group.offers as Json[]).map(({ id }) => id)).toEqual([named.id])
  // Directories do not belong to groups.
  for (const name of ['landing', 'product', 'traffic_source', 'advertiser'])
    expect((await ask(admin, 'GET', `${name}?lookup=1`, undefined, headers)).body.pagination).toEqual(
      (await ask(admin, 'GET', `${name}?lookup=1`)).body.pagination,
    )
})

test('a partner finds only the landings, products and traffic sources of their own partner offers [PERM-07]', async () => {
  const person = await signIn(server, 'PARTNER', own.pool.net.partner.id)
  await server.services.postgres.pool.query('update "user" set permissions = $2 where id = $1', [
    person.id,
    ['landing_view', 'traffic_source_view'],
  ])
  for (const name of ['landing', 'product', 'traffic_source']) {
    const [mine, theirs] = [own.rows[name], foreign.rows[name]]
    const { options, pagination } = await done(person, 'GET', `${name}?lookup=1&limit=-1`)
    expect([name, (options as Json[]).map(({ id }) => id)]).toEqual([name, [mine]])
    expect(pagination).toMatchObject({ total: 1 })
    expect((await done(person, 'GET', `${name}?lookup=1&filter[id]=${theirs}`)).options).toEqual([])
    if (name === 'product') continue
    expect((await ask(person, 'GET', `${name}/${mine}`)).status).toBe(200)
    expect((await ask(person, 'GET', `${name}/${theirs}`)).status).toBe(404)
    expect(idsOf(await done(person, 'GET', `${name}?limit=-1`))).toEqual([mine])
  }
})

test('a partner offer without landings has the default ones of its country [PERM-07]', async () => {
  const net = await makeNetwork(admin)
  const person = await signIn(server, 'PARTNER', net.partner.id)
  const abroad = await done(admin, 'POST', 'country', {
    title: unique('Land'),
    code: nextCode(),
    currency: net.currency.id,
  })
  const [home, away] = [
    await done(admin, 'POST', 'landing', { title: unique('Home'), value: 'home' }),
    await done(admin, 'POST', 'landing', { title: unique('Away'), value: 'away' }),
  ]
  await done(admin, 'PUT', `advertiser/${net.advertiser.id}`, {
    allowed_landings: [net.landing.id, home.id, away.id],
    default_landings: [
      { country: net.country.id, landing: home.id },
      { country: abroad.id, landing: away.id },
    ],
  })
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  const seen = async () =>
    ((await done(person, 'GET', 'landing?lookup=1&limit=-1&order[id]=ASC')).options as Json[]).map(({ id }) => id)
  expect(await seen()).toEqual([net.landing.id, home.id])
  await done(admin, 'PUT', `offer_partner/${link.id}`, { landings: [away.id] })
  expect(await seen()).toEqual([away.id])
})

test('a manager without manager access reads partner offers and changes none [PERM-07]', async () => {
  const person = await signIn(server, 'MANAGER')
  await server.services.postgres.pool.query(
    `update "user" set permissions = '{offer_view,partners_view}' where id = $1`,
    [person.id],
  )
  await done(admin, 'POST', 'partner_group_manager', { partner_partner_group: own.member.id, user: person.id })
  expect((await ask(person, 'GET', `offer_partner/${own.rows.offer_partner}`)).status).toBe(200)
  expect((await ask(person, 'PUT', `offer_partner/${own.rows.offer_partner}`, { sub_id: 'x' })).status).toBe(403)
  expect((await ask(person, 'POST', 'offer_partner', linkOf(own.pool.net))).status).toBe(403)
})
