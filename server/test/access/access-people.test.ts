// Who may create and change which users: roles, permissions and rows can only be given by users who have them, and never to oneself.

import type { RoleKind } from '@tributary/contract/access'
import { NO_PREFERENCES } from '@tributary/contract/calls/profile'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { startTestApp } from '../support/harness.ts'
import { PASSWORD, type SignedIn, send, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let leader: SignedIn
/** A partner, its user and a manager of the leader's group. */
let partner: number
let partnerUser: SignedIn
let manager: SignedIn
let group: number
/** The same of another group. */
let farPartner: number
let farUser: SignedIn
let farManager: SignedIn
const roles: Partial<Record<RoleKind, number>> = {}

const query = (text: string, values: unknown[] = []) => server.services.postgres.pool.query(text, values)

async function makeGroup(title: string, managerId: number): Promise<{ group: number; partner: number }> {
  const { rows } = await query(
    `with g as (insert into partner_group (title) values ($1) returning id), p as (insert into partner (title) values ($1) returning id)
     insert into partner_partner_group (partner_group_id, partner_id) select g.id, p.id from g, p returning id, partner_id, partner_group_id`,
    [title],
  )
  await query('insert into partner_group_manager (partner_partner_group_id, user_id) values ($1, $2)', [
    rows[0].id,
    managerId,
  ])
  return { group: rows[0].partner_group_id, partner: rows[0].partner_id }
}

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  ;[admin, leader, manager, farManager] = await Promise.all([
    signIn(server, 'ADMIN'),
    signIn(server, 'TEAM_LEADER'),
    signIn(server, 'MANAGER'),
    signIn(server, 'MANAGER'),
  ])
  ;({ group, partner } = await makeGroup('Near', manager.id))
  ;({ partner: farPartner } = await makeGroup('Far', farManager.id))
  await query('insert into partner_group_team_leader (partner_group_id, user_id) values ($1, $2)', [group, leader.id])
  partnerUser = await signIn(server, 'PARTNER', partner)
  farUser = await signIn(server, 'PARTNER', farPartner)
  for (const { id, kind } of (await query('select id, kind from user_role where built_in')).rows)
    roles[kind as RoleKind] = id
})

beforeEach(async () => {
  await query('delete from access_attempt')
})

let people = 0
const person = (role: RoleKind, more: object = {}) => {
  people += 1
  return { full_name: `New ${people}`, email: `new-${people}@tributary.test`, role: roles[role], ...more }
}
const read = async (answer: Response) => (await answer.json()) as Record<string, never>
const refusal = async (answer: Response) => {
  const body = await read(answer)
  return answer.status === 422 ? Object.keys(body.formErrors ?? {}) : answer.status
}

test('an admin creates a user with a password, who signs in with it; it is never returned or logged [ENT-20] [AUTH-15]', async () => {
  const body = person('MANAGER', { password: 'Given.Horse1', permissions: [] })
  const made = await admin.call('POST', 'user', body)
  expect(made.status).toBe(201)
  const row = await read(made)
  expect(row).toMatchObject({ enabled: true, permissions: [], role: { id: roles.MANAGER } })
  expect(row).not.toHaveProperty('password')
  const entered = await send(server.url, 'POST', 'token?2fa=true', { email: body.email, password: 'Given.Horse1' })
  expect(await read(entered)).toMatchObject({ two_factor: 'setup' })
  const { rows } = await query("select * from audit_log where entity = 'user' and entity_id = $1", [row.id])
  expect(JSON.stringify(rows)).not.toMatch(/Given|argon2/)
  expect(await refusal(await admin.call('POST', 'user', person('MANAGER', { password: 'short' })))).toEqual([
    'password',
  ])
  const again = await read(await admin.call('POST', 'user', { ...person('MANAGER'), email: body.email.toUpperCase() }))
  expect(again.formErrors).toEqual({ email: ['This email is already registered'] })
  expect(await refusal(await admin.call('PUT', `user/${row.id}`, { password: 'Given.Horse1' }))).toEqual(['password'])
  expect((await admin.call('PUT', `user/${row.id}`, { password: 'Given.Horse2' })).status).toBe(200)
  expect((await admin.call('GET', 'user?filter[password]=Given.Horse2')).status).toBe(422)
})

test('individual permissions override the template, even an empty set; null restores the template [PERM-05] [ENT-20]', async () => {
  const keys = async () => (await read(await manager.call('GET', 'profile'))).permissions
  const template = await keys()
  expect((await admin.call('PUT', `user/${manager.id}`, { permissions: [] })).status).toBe(200)
  expect(await keys()).toEqual([])
  expect((await admin.call('PUT', `user/${manager.id}`, { permissions: ['click'] })).status).toBe(200)
  expect(await keys()).toEqual(['click'])
  expect((await admin.call('PUT', `user/${manager.id}`, { permissions: null })).status).toBe(200)
  expect(await keys()).toEqual(template)
})

test('a permission without the one it needs, or of another kind’s tree, is rejected for roles and users [PERM-01] [PERM-04]', async () => {
  for (const [role, permissions] of [
    ['MANAGER', ['partners_edit']],
    ['MANAGER', ['FULL_ACCESS']],
    ['PARTNER', ['partners_view']],
    ['PARTNER', ['cohort_analysis_view']],
    ['TEAM_LEADER', ['partners_spend_view', 'partners_spend_partner_edit']],
  ] as const) {
    const more = role === 'PARTNER' ? { permissions, partner } : { permissions }
    expect([role, permissions, await refusal(await admin.call('POST', 'user', person(role, more)))]).toEqual([
      role,
      permissions,
      ['permissions'],
    ])
    const template = { title: `T ${permissions.join()} ${role}`, kind: role, permissions }
    expect(await refusal(await admin.call('POST', 'user_role', template))).toEqual(['permissions'])
  }
  const made = await admin.call('POST', 'user_role', {
    title: 'Reader',
    kind: 'MANAGER',
    permissions: ['partners_view'],
  })
  expect(made.status).toBe(201)
  const { id } = await read(made)
  expect(await refusal(await admin.call('PUT', `user_role/${id}`, { kind: 'ADMIN' }))).toEqual(['kind'])
  expect(await read(await admin.call('POST', 'user_role', { title: 'Second admin', kind: 'ADMIN' }))).toMatchObject({
    permissions: ['FULL_ACCESS'],
  })
  expect((await admin.call('DELETE', `user_role/${id}`)).status).toBe(204)
})

test('built-in roles stay; a role in use cannot be deleted [ENT-21] [ENT-25]', async () => {
  const { rows } = await query(
    "insert into user_role (title, kind, built_in) values ('Nobody’s', 'MANAGER', true) returning id",
  )
  expect((await admin.call('DELETE', `user_role/${rows[0].id}`)).status).toBe(409)
  for (const id of Object.values(roles)) {
    expect((await admin.call('DELETE', `user_role/${id}`)).status).toBe(409)
    expect(await refusal(await admin.call('PUT', `user_role/${id}`, { active: false }))).toEqual(['active'])
    expect(await refusal(await admin.call('PUT', `user_role/${id}`, { built_in: false }))).toEqual(['built_in'])
  }
  const { id } = await read(await admin.call('POST', 'user_role', { title: 'Held', kind: 'MANAGER', permissions: [] }))
  await admin.call('POST', 'user', person('MANAGER', { role: id }))
  expect((await admin.call('DELETE', `user_role/${id}`)).status).toBe(409)
  for (const who of [leader, manager, partnerUser]) {
    expect((await who.call('POST', 'user_role', { title: 'x', kind: 'ADMIN' })).status).toBe(403)
    expect((await who.call('PUT', `user_role/${id}`, { permissions: ['FULL_ACCESS'] })).status).toBe(403)
    expect((await who.call('DELETE', `user_role/${id}`)).status).toBe(403)
  }
})

test('a team leader manages their managers and partners’ users, gives only own permissions, and manages nobody else [PERM-07] [PERM-08]', async () => {
  expect((await leader.call('POST', 'user', person('PARTNER', { partner }))).status).toBe(201)
  expect((await leader.call('POST', 'user', person('MANAGER'))).status).toBe(201)
  expect(await refusal(await leader.call('POST', 'user', person('PARTNER', { partner: farPartner })))).toEqual([
    'partner',
  ])
  for (const role of ['ADMIN', 'TEAM_LEADER'] as const)
    expect(await refusal(await leader.call('POST', 'user', person(role)))).toEqual(['role'])
  expect((await leader.call('PUT', `user/${manager.id}`, { full_name: 'Renamed' })).status).toBe(200)
  expect((await leader.call('PUT', `user/${partnerUser.id}`, { full_name: 'Renamed' })).status).toBe(200)
  expect(await refusal(await leader.call('PUT', `user/${manager.id}`, { role: roles.ADMIN }))).toEqual(['role'])
  for (const far of [admin, leader, farManager])
    expect((await leader.call('PUT', `user/${far.id}`, { email: 'mine@tributary.test' })).status).toBe(403)
  expect((await leader.call('GET', `user/${farUser.id}`)).status).toBe(404)
  expect((await leader.call('PUT', `user/${farUser.id}`, { password: 'Taken.Horse1' })).status).toBe(404)
  expect((await leader.call('POST', `user/${farUser.id}/invitation`)).status).toBe(404)
  expect((await leader.call('POST', `user/${admin.id}/invitation`)).status).toBe(403)
  await query(`update "user" set permissions = '{click}' where id = $1`, [leader.id])
  expect(await refusal(await leader.call('PUT', `user/${manager.id}`, { permissions: ['click', 'players'] }))).toEqual([
    'permissions',
  ])
  expect((await leader.call('PUT', `user/${manager.id}`, { permissions: ['click'] })).status).toBe(200)
  await query('update "user" set permissions = null where id = $1', [leader.id])
  for (const who of [manager, partnerUser]) {
    expect((await who.call('POST', 'user', person('MANAGER'))).status).toBe(403)
    expect((await who.call('PUT', `user/${who.id}`, { role: roles.ADMIN })).status).toBe(403)
    expect((await who.call('GET', `user/${who.id}`)).status).toBe(403)
  }
})

test('nobody raises their own permissions or disables the last admin; fields of a user must fit the kind of role [PERM-07] [AUTH-16]', async () => {
  for (const [field, value] of [
    ['enabled', false],
    ['permissions', ['FULL_ACCESS']],
    ['role', roles.MANAGER],
  ] as const)
    expect([field, await refusal(await admin.call('PUT', `user/${admin.id}`, { [field]: value }))]).toEqual([
      field,
      expect.arrayContaining([field]),
    ])
  expect(await refusal(await admin.call('POST', 'user', person('PARTNER')))).toEqual(['partner'])
  expect(await refusal(await admin.call('POST', 'user', person('MANAGER', { partner })))).toEqual(['partner'])
  expect(await refusal(await admin.call('POST', 'user', person('MANAGER', { partner_groups: [group] })))).toEqual([
    'partner_groups',
  ])
  const second = await signIn(server, 'ADMIN')
  expect((await second.call('PUT', `user/${admin.id}`, { enabled: false })).status).toBe(200)
  expect((await admin.call('GET', 'profile')).status).toBe(401)
  await query('update "user" set enabled = true where id = $1', [admin.id])
  admin = Object.assign(admin, await signIn(server, 'ADMIN'))
})

test('a password set by someone else, and being disabled, end every session [AUTH-16]', async () => {
  const one = await signIn(server, 'MANAGER')
  expect((await admin.call('PUT', `user/${one.id}`, { password: 'Other.Horse9' })).status).toBe(200)
  expect((await one.call('GET', 'profile')).status).toBe(401)
  const two = await signIn(server, 'MANAGER')
  await admin.call('PUT', `user/${two.id}`, { enabled: false })
  await admin.call('PUT', `user/${two.id}`, { enabled: true })
  expect((await two.call('GET', 'profile')).status).toBe(401)
  const refused = await send(server.url, 'POST', 'token?2fa=true', { email: one.email, password: PASSWORD })
  expect(refused.status).toBe(400)
})

test('fields that nobody may set are rejected by name, in every form [PERM-07]', async () => {
  const { id } = await read(await admin.call('POST', 'user', person('MANAGER')))
  for (const field of ['password_hash', 'totp_secret', 'totp_last_step', 'role_id', 'id', 'created_at', 'constructor'])
    expect([field, await refusal(await admin.call('PUT', `user/${id}`, { [field]: 1 }))]).toEqual([field, [field]])
  const polluted = await fetch(`${server.url}/api/user/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: '{"__proto__":{"enabled":false},"full_name":"x"}',
  })
  expect(polluted.status).toBe(400)
  expect(({} as { enabled?: unknown }).enabled).toBeUndefined()
})

test('the first steps of an installation tick themselves from what exists, and name what they need from the directory, for admins alone [NAV-10]', async () => {
  const read = async () => (await admin.call('GET', 'start_steps')).json()
  expect(await read()).toEqual({ done: ['partner'], missing: ['currency', 'country', 'traffic_source'] })
  await query(
    `with c as (insert into currency (title, value) values ('Euro', 'EUR') returning id)
     insert into advertiser (title, default_domain, default_currency_id) select 'First', 'https://first.example', id from c`,
  )
  expect(await read()).toEqual({ done: ['advertiser', 'partner'], missing: ['country', 'traffic_source'] })
  expect((await manager.call('GET', 'start_steps')).status).toBe(403)
})

test('preferences are one’s own, change one by one, and reject what is no path or state [NAV-10] [REP-09] [AUTH-11]', async () => {
  const one = await signIn(server, 'MANAGER')
  const other = await signIn(server, 'MANAGER')
  const read = async (person: SignedIn) =>
    ((await (await person.call('GET', 'profile')).json()) as { preferences: unknown }).preferences
  const save = async (body: unknown) => (await one.call('PUT', 'profile/preferences', body)).status
  expect(await read(one)).toEqual(NO_PREFERENCES)
  expect(await save({ favourites: ['/clicks', '/general-report'] })).toBe(204)
  expect(await save({ areas: { traffic: 'folded' } })).toBe(204)
  const dashboard = {
    sections: { order: ['alerts', 'tiles'], hidden: ['countries'] },
    tiles: { order: [], hidden: ['roi'] },
  }
  expect(await save({ dashboard })).toBe(204)
  expect(await save({ start_hidden: true })).toBe(204)
  const saved = {
    favourites: ['/clicks', '/general-report'],
    areas: { traffic: 'folded' },
    dashboard,
    start_hidden: true,
  }
  expect(await read(one)).toEqual(saved)
  expect(await read(other)).toEqual(NO_PREFERENCES)
  for (const wrong of [
    { favourites: ['javascript:alert(1)'] },
    { favourites: ['//evil.example'] },
    { favourites: Array.from({ length: 51 }, () => '/clicks') },
    { areas: { traffic: 'gone' } },
    { dashboard: { sections: { order: [], hidden: [] } } },
    { dashboard: { sections: { order: ['x'.repeat(41)], hidden: [] }, tiles: { order: [], hidden: [] } } },
    { start_hidden: 'yes' },
    { something: 1 },
  ])
    expect(await save(wrong), JSON.stringify(wrong)).toBe(422)
  expect(await read(one)).toEqual(saved)
  // What another version of the product stored and this one does not understand is empty.
  await server.services.postgres.pool.query(
    `update user_preference set value = '{"favourites": 7, "areas": {"traffic": "folded"}, "dashboard": {"tiles": ["roi"]}, "later": []}' where user_id = $1`,
    [one.id],
  )
  expect(await read(one)).toEqual({ ...NO_PREFERENCES, areas: { traffic: 'folded' } })
})
