// Partner groups decide whose partners a team leader sees: who sees and leads which group, and all attempts to take over a group or a
// foreign partner.
import { beforeAll, describe, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, idsOf, type Json, refused, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeTwoSides, type Side } from '../support/two-sides.ts'

let server: Server
let admin: SignedIn
let leader: SignedIn
let manager: SignedIn
let partner: SignedIn
let own: Side
let foreign: Side
/** Leads another group. */
let stranger: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  const sides = await makeTwoSides(server, admin)
  ;({ own, foreign } = sides)
  const personOf = (role: 'TEAM_LEADER' | 'MANAGER' | 'PARTNER'): SignedIn => {
    const person = sides.people.get(role)
    if (person === undefined) throw new Error(`nobody is ${role}`)
    return person
  }
  leader = personOf('TEAM_LEADER')
  manager = personOf('MANAGER')
  partner = personOf('PARTNER')
  stranger = await signIn(server, 'TEAM_LEADER')
  await done(admin, 'PUT', `partner_group/${foreign.group.id}`, { team_leaders: [stranger.id] })
})

const optionIds = async (person: SignedIn, path: string): Promise<unknown[]> =>
  ((await done(person, 'GET', path)).options as Json[]).map(({ id }) => id)
const missing = (field: string) => ({ [field]: ['This record does not exist'] })
const seesForeignPartner = async (person: SignedIn): Promise<boolean> =>
  (await ask(person, 'GET', `partner/${foreign.pool.net.partner.id}`)).status === 200

describe('who sees which groups', () => {
  test('an admin sees all groups, a leader those they lead, a manager those of their memberships [PERM-07]', async () => {
    const path = 'partner_group?lookup=1&limit=-1'
    expect(await optionIds(admin, path)).toEqual(expect.arrayContaining([own.group.id, foreign.group.id]))
    expect(await optionIds(leader, path)).toEqual([own.group.id])
    expect(await optionIds(manager, path)).toEqual([own.group.id])
    expect(idsOf(await done(leader, 'GET', 'partner_group?limit=-1'))).toEqual([own.group.id])
    const filtered = { 'group-filter': String(own.group.id) }
    expect(idsOf(await done(admin, 'GET', 'partner_group?limit=-1', undefined, filtered))).toContain(foreign.group.id)
    expect((await ask(partner, 'GET', path)).status).toBe(403)
  })

  test('a foreign group is not shown by any offer, user or membership, and found by no filter [PERM-07]', async () => {
    const { offer } = own.pool.net
    await done(admin, 'PUT', `offer/${offer.id}`, { partner_groups: [own.group.id, foreign.group.id] })
    expect((await done(leader, 'GET', `offer/${offer.id}`)).partner_groups).toMatchObject([{ id: own.group.id }])
    const total = async (query: string) => ((await done(leader, 'GET', query)).pagination as Json).total
    expect(await total(`offer?filter[partner_groups]=${own.group.id}`)).toBe(1)
    expect(await total(`offer?filter[partner_groups]=${foreign.group.id}`)).toBe(0)
    expect(await total(`offer?filter[partner_groups.title]=${encodeURIComponent(String(foreign.group.title))}`)).toBe(0)
    expect((await done(leader, 'GET', `user/${stranger.id}`)).partner_groups).toEqual([])
    const second = await done(admin, 'POST', 'partner_partner_group', {
      partner: own.pool.net.partner.id,
      partner_group: foreign.group.id,
    })
    const read = await done(leader, 'GET', `partner/${own.pool.net.partner.id}`)
    expect((read.partner_partner_groups as Json[]).map(({ id }) => id)).toEqual([own.member.id])
    expect((await ask(leader, 'GET', `partner_partner_group/${second.id}`)).status).toBe(404)
    const history = await done(leader, 'GET', `audit_log/history/partner/${own.pool.net.partner.id}`)
    expect(JSON.stringify(history)).not.toContain(foreign.group.title)
    expect(JSON.stringify(await done(leader, 'GET', `audit_log/history/offer/${offer.id}`))).not.toContain(
      foreign.group.title,
    )
    await done(admin, 'DELETE', `partner_partner_group/${second.id}`)
  })
})

describe('taking over a group', () => {
  test('a leader cannot read, rename, deactivate or delete a foreign group, nor become its leader [PERM-07]', async () => {
    const path = `partner_group/${foreign.group.id}`
    expect((await ask(leader, 'GET', path)).status).toBe(404)
    for (const body of [{ team_leaders: [leader.id] }, { title: unique('Mine') }, { active: false }])
      for (const method of ['PUT', 'PATCH']) expect((await ask(leader, method, path, body)).status).toBe(404)
    expect((await ask(leader, 'DELETE', path)).status).toBe(404)
    const outcome = await done(leader, 'PUT', 'partner_group/activate?activate=0', { ids: [foreign.group.id] })
    expect(outcome).toMatchObject({ changed: 0, absent: 1 })
    expect((await done(admin, 'GET', path)).team_leaders).toMatchObject([{ id: stranger.id }])
    expect(await seesForeignPartner(leader)).toBe(false)
  })

  test('only an admin changes leaders; unchanged ones may be sent again [PERM-07]', async () => {
    const path = `partner_group/${own.group.id}`
    for (const leaders of [[stranger.id], [leader.id, stranger.id], []])
      expect(await refused(leader, 'PATCH', path, { team_leaders: leaders })).toEqual({
        team_leaders: ['This field cannot be changed'],
      })
    const repeated = await done(leader, 'PATCH', path, { team_leaders: [leader.id], status: 'busy' })
    expect(repeated).toMatchObject({ status: 'busy', team_leaders: [{ id: leader.id }] })
    const own_groups = { partner_groups: [own.group.id, foreign.group.id] }
    expect((await ask(leader, 'PATCH', `user/${leader.id}`, own_groups)).status).toBe(403)
    expect((await ask(leader, 'PATCH', `user/${stranger.id}`, { partner_groups: [] })).status).toBe(403)
  })

  test('a group that a leader creates is led by them and nobody else [PERM-07]', async () => {
    const made = await done(leader, 'POST', 'partner_group', {
      title: unique('Led'),
      partner_partner_groups: [{ partner: own.pool.net.partner.id }],
    })
    expect(made.team_leaders).toMatchObject([{ id: leader.id }])
    expect((await done(leader, 'GET', `partner_group/${made.id}`)).team_leaders).toMatchObject([{ id: leader.id }])
    const himself = { title: unique('Led'), team_leaders: [leader.id] }
    expect((await done(leader, 'POST', 'partner_group', himself)).team_leaders).toMatchObject([{ id: leader.id }])
    expect(
      await refused(leader, 'POST', 'partner_group', { title: unique('Led'), team_leaders: [leader.id, stranger.id] }),
    ).toEqual({ team_leaders: ['This field cannot be changed'] })
    const nobodys = await done(admin, 'POST', 'partner_group', { title: unique('Nobody’s') })
    expect(nobodys.team_leaders).toEqual([])
  })

  test('foreign rows of a list stay when the list is saved [PERM-07]', async () => {
    const { offer } = own.pool.net
    const groups = async () => (await done(admin, 'GET', `offer/${offer.id}`)).partner_groups as Json[]
    await done(admin, 'PUT', `offer/${offer.id}`, { partner_groups: [own.group.id, foreign.group.id] })
    await done(leader, 'PUT', `offer/${offer.id}`, { partner_groups: [] })
    expect((await groups()).map(({ id }) => id)).toEqual([foreign.group.id])
    await done(leader, 'PUT', `offer/${offer.id}`, { partner_groups: [own.group.id] })
    expect((await groups()).map(({ id }) => id)).toEqual([own.group.id, foreign.group.id])
    await done(admin, 'PUT', `offer/${offer.id}`, { partner_groups: [own.group.id] })
    expect(await refused(leader, 'PUT', `offer/${offer.id}`, { partner_groups: [foreign.group.id] })).toEqual(
      missing('partner_groups'),
    )
  })
})

describe('drawing a foreign partner into one’s own group', () => {
  const theirs = () => foreign.pool.net.partner.id

  test('by a membership, alone or within a group [PERM-07]', async () => {
    expect(
      await refused(leader, 'POST', 'partner_partner_group', { partner: theirs(), partner_group: own.group.id }),
    ).toEqual(missing('partner'))
    const rows = { partner_partner_groups: [{ partner: theirs() }] }
    expect(await refused(leader, 'PATCH', `partner_group/${own.group.id}`, rows)).toEqual({
      partner_partner_groups: { 0: missing('partner') },
    })
    expect(await refused(leader, 'POST', 'partner_group', { title: unique('Led'), ...rows })).toEqual({
      partner_partner_groups: { 0: missing('partner') },
    })
    // The membership of the foreign partner cannot be moved, neither by its own id nor as a row of a group.
    const moved = { partner_group: own.group.id }
    expect((await ask(leader, 'PATCH', `partner_partner_group/${foreign.member.id}`, moved)).status).toBe(404)
    const adopted = { partner_partner_groups: [{ id: foreign.member.id, _status: 'updated', active: true }] }
    expect(await refused(leader, 'PATCH', `partner_group/${own.group.id}`, adopted)).toEqual({
      partner_partner_groups: { 0: missing('id') },
    })
    expect(await refused(leader, 'PATCH', `partner_group/${own.group.id}`, { partners: [theirs()] })).toHaveProperty(
      'partners',
    )
    expect(await seesForeignPartner(leader)).toBe(false)
  })

  test('by the partner itself, or the memberships within it [PERM-07]', async () => {
    const rows = { partner_partner_groups: [{ partner_group: own.group.id }] }
    expect((await ask(leader, 'PATCH', `partner/${theirs()}`, rows)).status).toBe(404)
    // An own partner cannot be moved into a foreign group either.
    const away = { partner_partner_groups: [{ partner_group: foreign.group.id }] }
    expect(await refused(leader, 'PATCH', `partner/${own.pool.net.partner.id}`, away)).toEqual({
      partner_partner_groups: { 0: missing('partner_group') },
    })
    expect(await refused(leader, 'POST', 'partner', { title: unique('New'), ...away })).toEqual({
      partner_partner_groups: { 0: missing('partner_group') },
    })
    expect(await seesForeignPartner(leader)).toBe(false)
  })

  test('by reactivating a former membership, alone or in bulk [PERM-07]', async () => {
    const former = await done(admin, 'POST', 'partner_partner_group', {
      partner: theirs(),
      partner_group: own.group.id,
      active: false,
    })
    const path = `partner_partner_group/${former.id}`
    expect((await ask(leader, 'PATCH', path, { active: true })).status).toBe(404)
    const outcome = await done(leader, 'PUT', 'partner_partner_group/activate?activate=1', { ids: [former.id] })
    expect(outcome).toMatchObject({ changed: 0, absent: 1 })
    const nested = { partner_partner_groups: [{ id: former.id, active: true }] }
    expect(await refused(leader, 'PATCH', `partner_group/${own.group.id}`, nested)).toEqual({
      partner_partner_groups: { 0: missing('id') },
    })
    expect(await seesForeignPartner(leader)).toBe(false)
    await done(admin, 'DELETE', path)
  })

  test('by restoring a version from the history [PERM-07]', async () => {
    const member = await done(admin, 'POST', 'partner_partner_group', {
      partner: theirs(),
      partner_group: own.group.id,
    })
    expect(await seesForeignPartner(leader)).toBe(true)
    await done(admin, 'PATCH', `partner_partner_group/${member.id}`, { active: false })
    await done(admin, 'DELETE', `partner_partner_group/${member.id}`)
    await done(admin, 'PATCH', `partner_group/${own.group.id}`, { team_leaders: [leader.id, stranger.id] })
    await done(admin, 'PATCH', `partner_group/${own.group.id}`, { team_leaders: [leader.id] })
    const { rows } = await server.services.postgres.pool.query<{ id: number; entity: string }>(
      `select id, entity from audit_log where (entity = 'partner_partner_group' and entity_id = $1)
        or (entity = 'partner_group' and entity_id = any($2)) order by id`,
      [member.id, [own.group.id, foreign.group.id]],
    )
    expect(rows.length).toBeGreaterThan(5)
    for (const { id } of rows)
      for (const side of ['before', 'after']) await ask(leader, 'POST', `audit_log/${id}/restore`, { side })
    expect(await seesForeignPartner(leader)).toBe(false)
    expect((await done(admin, 'GET', `partner_group/${own.group.id}`)).team_leaders).toMatchObject([{ id: leader.id }])
    expect((await done(admin, 'GET', `partner_group/${foreign.group.id}`)).team_leaders).toMatchObject([
      { id: stranger.id },
    ])
  })

  test('by people: users of the foreign partner, managers of their membership, leaders [PERM-07]', async () => {
    const roleOf = async (kind: string): Promise<number> => {
      const { rows } = await server.services.postgres.pool.query(
        'select id from user_role where kind = $1 and built_in',
        [kind],
      )
      return rows[0].id
    }
    const person = (more: object) => ({ full_name: 'New', email: `${unique('new').replace(' ', '')}@x.test`, ...more })
    expect(await refused(leader, 'POST', 'user', person({ role: await roleOf('PARTNER'), partner: theirs() }))).toEqual(
      missing('partner'),
    )
    const led = person({ role: await roleOf('TEAM_LEADER'), partner_groups: [foreign.group.id] })
    expect(await refused(leader, 'POST', 'user', led)).toMatchObject({ role: expect.anything() })
    expect(
      await refused(leader, 'POST', 'partner_group_manager', {
        partner_partner_group: foreign.member.id,
        user: manager.id,
      }),
    ).toEqual(missing('partner_partner_group'))
    const users = { users: [{ id: partner.id, _status: 'updated', partner: theirs() }] }
    expect((await ask(leader, 'PATCH', `partner/${own.pool.net.partner.id}`, users)).status).toBe(422)
    expect(await seesForeignPartner(leader)).toBe(false)
    expect(await seesForeignPartner(manager)).toBe(false)
  })

  test('by rows of partners: streams, partner offers, players [PERM-07]', async () => {
    const { net } = own.pool
    const link = {
      offer: net.offer.id,
      stream: foreign.pool.net.stream.id,
      traffic_source: net.source.id,
      site_id: 'x1',
    }
    for (const [path, body] of [
      ['partner_stream', { partner: theirs(), title: 'S' }],
      ['offer_partner', { ...link, partner: theirs() }],
      ['partner_info', { partner: theirs(), type: 'email', value: 'a@b.test' }],
      [
        'partner_budget',
        {
          partner: theirs(),
          advertiser: net.advertiser.id,
          country: net.country.id,
          month: '2026-01-01',
          planned: '1',
        },
      ],
    ] as const)
      expect(await refused(leader, 'POST', path, body)).toHaveProperty('partner')
    const player = `player/${own.rows.player}`
    expect(await refused(leader, 'PATCH', player, { offer_partner: foreign.rows.offer_partner })).toHaveProperty(
      'offer_partner',
    )
  })

  test('a manager moves no partner into a foreign group, and no foreign partner into theirs [PERM-07]', async () => {
    expect(
      await refused(manager, 'PATCH', `partner_partner_group/${own.member.id}`, { partner_group: foreign.group.id }),
    ).toEqual(missing('partner_group'))
    expect(
      await refused(manager, 'POST', 'partner_partner_group', { partner: theirs(), partner_group: own.group.id }),
    ).toEqual(missing('partner'))
    expect(await seesForeignPartner(manager)).toBe(false)
  })
})
