// Signing in over HTTP with a real PostgreSQL.
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { authService } from '../../src/access/auth-service.ts'
import { addPerson } from '../../src/access/first-admin.ts'
import { makeCode, openSecret } from '../../src/access/two-factor.ts'
import { accessModule } from '../../src/api/access-module.ts'
import type { Server } from '../../src/server.ts'
import { startTestApp } from '../support/harness.ts'
import { makePerson, PASSWORD, send, signIn, stopClock } from '../support/sign-in.ts'

let server: Server

/** Counts password hashes. */
const work = vi.hoisted(() => ({ hashes: 0 }))
vi.mock('@node-rs/argon2', async (load) => {
  const argon = await load<typeof import('@node-rs/argon2')>()
  const verify: typeof argon.verify = (...given) => {
    work.hashes += 1
    return argon.verify(...given)
  }
  return { ...argon, verify }
})

const FIRST = {
  ADMIN_EMAIL: 'first@tributary.test',
  ADMIN_PASSWORD: PASSWORD,
  ADMIN_TOTP_SECRET: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
}

beforeAll(async () => {
  server = await startTestApp({ modules: [accessModule], env: FIRST })
})

beforeEach(async () => {
  stopClock()
  // All tests share one IP, so each starts without counted wrong guesses.
  await server.services.postgres.pool.query('delete from access_attempt')
})

const attempt = (body: unknown, headers?: Record<string, string>) =>
  send(server.url, 'POST', 'token?2fa=true', body, headers)
const codeAt = (secret: string, seconds = 0) => makeCode(secret, new Date(Date.now() + seconds * 1000))

async function readJson(answer: Response): Promise<Record<string, unknown>> {
  return (await answer.json()) as Record<string, unknown>
}

async function makeNewcomer(email: string): Promise<number> {
  const { keys } = authService.of(server.services)
  return addPerson(server.services.postgres.db, keys, { fullName: 'New', email, password: PASSWORD, role: 'MANAGER' })
}

async function readUser(id: number) {
  return server.services.postgres.db
    .selectFrom('user')
    .select(['password_hash', 'totp_secret', 'totp_last_step'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

test('the first admin is created from the environment and signs in with both factors [AUTH-02]', async () => {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, ADMIN_TOTP_SECRET: secret } = FIRST
  const first = await attempt({ email, password })
  expect([first.status, await first.json()]).toEqual([200, { two_factor: 'code' }])
  const second = await attempt({ email, password, code: codeAt(secret) })
  expect(second.status).toBe(200)
  expect(await second.json()).toEqual({ token: expect.any(String), refreshToken: expect.any(String) })
})

test('the profile contains role, permissions, partner and groups [AUTH-11]', async () => {
  const { pool } = server.services.postgres
  const { rows } = await pool.query(`insert into partner (title) values ('Profile partner') returning id`)
  const partner = await signIn(server, 'PARTNER', rows[0].id)
  const profile = await readJson(await partner.call('GET', 'profile'))
  expect(profile).toMatchObject({
    id: partner.id,
    email: partner.email,
    partner: { id: rows[0].id, title: 'Profile partner' },
  })
  expect(profile).toMatchObject({
    role: { kind: 'PARTNER', title: 'Partner' },
    partner_groups: [],
    business_time_zone: 'Europe/Kyiv',
  })
  expect(profile.permissions).toContain('offer_view')
  expect(profile.permissions).not.toContain('partners_view')

  const leader = await signIn(server, 'TEAM_LEADER')
  const group = await pool.query(`insert into partner_group (title) values ('Led') returning id`)
  await pool.query('insert into partner_group_team_leader (partner_group_id, user_id) values ($1, $2)', [
    group.rows[0].id,
    leader.id,
  ])
  const led = await readJson(await leader.call('GET', 'profile'))
  expect(led).toMatchObject({ partner: null, partner_groups: [{ id: group.rows[0].id, title: 'Led' }] })

  const admin = await signIn(server, 'ADMIN')
  expect((await readJson(await admin.call('GET', 'profile'))).permissions).toContain('FULL_ACCESS')
})

test('a wrong password, an unknown email and a disabled user get the same answer [AUTH-04]', async () => {
  const known = await makePerson(server, 'MANAGER')
  const disabled = await makePerson(server, 'MANAGER')
  await server.services.postgres.db.updateTable('user').set({ enabled: false }).where('id', '=', disabled.id).execute()
  const answers = await Promise.all([
    attempt({ email: known.email, password: 'Wrong.Horse7' }),
    attempt({ email: 'nobody@tributary.test', password: PASSWORD }),
    attempt({ email: disabled.email, password: PASSWORD }),
  ])
  for (const answer of answers) {
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'wrong_credentials', message: 'Wrong email or password!' })
  }
  const russian = await attempt({ email: known.email, password: 'Wrong.Horse7' }, { 'accept-language': 'ru' })
  const { message } = await readJson(russian)
  expect(message).toMatch(/[а-я]/)
})

test('a wrong code has its own message, whatever its form [AUTH-04]', async () => {
  const { email } = await makePerson(server, 'MANAGER')
  for (const code of ['000000', 'abc', '']) {
    const answer = await attempt({ email, password: PASSWORD, code })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'wrong_code', message: 'Invalid or outdated code!' })
  }
})

test('an invalid email or password is an error of its field [AUTH-04]', async () => {
  const answer = await attempt({ email: 'not-an-address', password: '' })
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({
    formErrors: { email: ['Invalid email'], password: ['Invalid password'] },
  })
  const bad = [
    { email: 5, password: {} },
    { email: 'a@b.test' },
    [],
    'text',
    { email: 'a@b.test', password: 'x', extra: 1 },
  ]
  for (const body of bad) expect((await attempt(body)).status, JSON.stringify(body)).toBe(422)
  expect((await send(server.url, 'POST', 'token', { email: 'a@b.test', password: 'x' })).status).toBe(422)
  const broken = await fetch(`${server.url}/api/token?2fa=true`, {
    method: 'POST',
    body: '{',
    headers: { 'content-type': 'application/json' },
  })
  expect(broken.status).toBe(400)
})

test('an unknown email costs the same work as a known one [AUTH-15]', async () => {
  const known = await makePerson(server, 'MANAGER')
  const unset = await makeNewcomer('unset@tributary.test')
  await server.services.postgres.pool.query('update "user" set password_hash = null where id = $1', [unset])
  for (const email of [known.email, 'nobody@tributary.test', 'unset@tributary.test']) {
    work.hashes = 0
    expect((await attempt({ email, password: 'Wrong.Horse7' })).status).toBe(400)
    // A hash takes most of the time; all other work is some hundred times less.
    expect([email, work.hashes]).toEqual([email, 1])
  }
})

test('a user without a second factor sets it up with the first right code [AUTH-03]', async () => {
  const email = 'newcomer@tributary.test'
  const id = await makeNewcomer(email)
  const first = await readJson(await attempt({ email, password: PASSWORD }))
  expect(first).toMatchObject({ two_factor: 'setup', secret: expect.stringMatching(/^[A-Z2-7]{32}$/) })
  const secret = String(first.secret)
  const url = new URL(String(first.otpauth_url))
  expect(url.protocol).toBe('otpauth:')
  expect([url.searchParams.get('secret'), url.searchParams.get('issuer')]).toEqual([secret, 'Tributary'])
  expect(decodeURIComponent(url.pathname)).toContain(email)

  const again = await readJson(await attempt({ email, password: PASSWORD }))
  expect(again.secret).toBe(secret)
  expect((await attempt({ email, password: PASSWORD, code: '123456' })).status).toBe(400)
  expect((await readUser(id)).totp_last_step).toBeNull()

  expect((await attempt({ email, password: PASSWORD, code: codeAt(secret) })).status).toBe(200)
  expect(await readJson(await attempt({ email, password: PASSWORD }))).toEqual({ two_factor: 'code' })
})

test('a code sent before the secret was issued is wrong [AUTH-03]', async () => {
  const email = 'early@tributary.test'
  await makeNewcomer(email)
  expect((await attempt({ email, password: PASSWORD, code: '123456' })).status).toBe(400)
})

test('codes are valid one step early or late, and once each [AUTH-03]', async () => {
  const { email, secret } = await makePerson(server, 'MANAGER')
  const enter = async (seconds: number) =>
    (await attempt({ email, password: PASSWORD, code: codeAt(secret, seconds) })).status
  expect(await enter(-60)).toBe(400)
  expect(await enter(-30)).toBe(200)
  expect(await enter(-30)).toBe(400)
  expect(await enter(0)).toBe(200)
  expect(await enter(30)).toBe(200)
  expect(await enter(30)).toBe(400)
  expect(await enter(60)).toBe(400)
})

test('of many parallel requests with one code exactly one signs in [AUTH-03]', async () => {
  const { email, secret } = await makePerson(server, 'MANAGER')
  const body = { email, password: PASSWORD, code: codeAt(secret) }
  const answers = await Promise.all(Array.from({ length: 4 }, () => attempt(body)))
  expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400])
})

test('passwords are argon2id, second factors encrypted, refresh tokens hashed [AUTH-15]', async () => {
  const person = await signIn(server, 'MANAGER')
  const { password_hash: kept, totp_secret: sealed } = await readUser(person.id)
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(sealed?.includes(person.secret)).toBe(false)
  const { keys } = authService.of(server.services)
  if (sealed === null) throw new Error('there is no second factor')
  expect(openSecret(keys.twoFactor, person.id, sealed)).toBe(person.secret)
  expect(() => openSecret(keys.twoFactor, person.id + 1, sealed)).toThrow('cannot be opened')
  const { rows } = await server.services.postgres.pool.query(
    'select s::text as row from session s where user_id = $1',
    [person.id],
  )
  const value = person.refreshToken.split('.')[1] ?? ''
  expect(rows[0].row).not.toContain(value)
  expect(rows[0].row).not.toContain(Buffer.from(value, 'base64url').toString('hex'))
})

test('signing in does not change the version of the user’s row [AUTH-02]', async () => {
  const person = await signIn(server, 'MANAGER')
  const { rows } = await server.services.postgres.pool.query('select version from "user" where id = $1', [person.id])
  expect(rows[0].version).toBe(1)
})

test('after five wrong passwords the account is locked, even for the right one [AUTH-14]', async () => {
  const { email } = await makePerson(server, 'MANAGER')
  const wrong = await Promise.all(Array.from({ length: 8 }, () => attempt({ email, password: 'Wrong.Horse7' })))
  const statuses = wrong.map((answer) => answer.status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(3)
  const right = await attempt({ email: email.toUpperCase(), password: PASSWORD })
  expect(right.status).toBe(429)
  const { code, retry_after: wait } = await readJson(right)
  expect(code).toBe('too_many_requests')
  expect(wait).toBe(60)
  expect(right.headers.get('retry-after')).toBe(String(wait))
})

test('after five wrong codes the account is locked, even for the right password [AUTH-14]', async () => {
  const { email, secret } = await makePerson(server, 'MANAGER')
  const enter = async (code?: string) => (await attempt({ email, password: PASSWORD, ...(code && { code }) })).status
  for (let round = 0; round < 5; round++) {
    expect(await enter('000000')).toBe(400)
    if (round < 4) expect(await enter()).toBe(200)
  }
  expect(await enter(codeAt(secret))).toBe(429)
  expect(await enter()).toBe(429)
})

test('one IP has a limit over all accounts [AUTH-14]', async () => {
  let last = 0
  for (let round = 0; round < 40 && last !== 429; round++) {
    last = (await attempt({ email: `spread-${round}@tributary.test`, password: 'Wrong.Horse7' })).status
  }
  expect(last).toBe(429)
})
