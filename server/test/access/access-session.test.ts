// Sessions: tokens that expire, are rotated, stolen, forged or revoked.
import { SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { authService } from '../../src/access/auth-service.ts'
import { accessModule } from '../../src/api/access-module.ts'
import type { Server } from '../../src/server.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, send, signIn } from '../support/sign-in.ts'

let server: Server

beforeAll(async () => {
  server = await startTestApp({ modules: [accessModule] })
})

interface Pair {
  token: string
  refreshToken: string
}

const refresh = (refreshToken: string) => send(server.url, 'POST', 'token/refresh', { refreshToken })
const ask = (token: string) => send(server.url, 'GET', 'profile', undefined, { authorization: `Bearer ${token}` })
const logOut = ({ token, refreshToken }: Pair) =>
  send(server.url, 'POST', 'token/logout', { tokenData: { token, refreshToken } })
const sessionOf = ({ refreshToken }: Pair) => refreshToken.split('.')[0] ?? ''

async function refreshed(refreshToken: string): Promise<Pair> {
  const answer = await refresh(refreshToken)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Pair
}

/** The grace period runs on PostgreSQL's clock. */
async function ageRotation(person: SignedIn, seconds: number): Promise<void> {
  await server.services.postgres.pool.query(
    'update session set rotated_at = rotated_at - make_interval(secs => $2) where id = $1',
    [sessionOf(person), seconds],
  )
}

async function expectDead(pair: Pair): Promise<void> {
  expect((await ask(pair.token)).status).toBe(401)
  expect((await refresh(pair.refreshToken)).status).toBe(401)
}

test('a refresh returns a new pair that works [AUTH-13]', async () => {
  const person = await signIn(server, 'MANAGER')
  const next = await refreshed(person.refreshToken)
  expect(next.refreshToken).not.toBe(person.refreshToken)
  expect((await ask(next.token)).status).toBe(200)
  await ageRotation(person, 31)
  const third = await refreshed(next.refreshToken)
  expect(third.refreshToken).not.toBe(next.refreshToken)
})

test('tabs that refresh at the same time get one pair, and none is signed out [AUTH-13]', async () => {
  const person = await signIn(server, 'MANAGER')
  const pairs = await Promise.all(Array.from({ length: 6 }, () => refreshed(person.refreshToken)))
  expect(new Set(pairs.map((pair) => pair.refreshToken)).size).toBe(1)
  for (const pair of pairs) expect((await ask(pair.token)).status).toBe(200)
  const [first] = pairs
  // One tab has already used the new token before the slowest tab sends the old one.
  if (first === undefined) throw new Error('no tab')
  const ahead = await refreshed(first.refreshToken)
  const late = await refreshed(person.refreshToken)
  for (const pair of [ahead, late]) {
    expect((await ask(pair.token)).status).toBe(200)
    expect((await refreshed(pair.refreshToken)).token).toBeTruthy()
  }
})

test('a used refresh token ends the whole session after its grace period [AUTH-13]', async () => {
  const person = await signIn(server, 'MANAGER')
  const next = await refreshed(person.refreshToken)
  await ageRotation(person, 31)
  expect((await refresh(person.refreshToken)).status).toBe(401)
  await expectDead(next)
  await expectDead(person)
})

test('an older refresh token ends its session, too, and no other [AUTH-13]', async () => {
  const person = await signIn(server, 'MANAGER')
  const other = await signIn(server, 'MANAGER')
  const second = await refreshed(person.refreshToken)
  await ageRotation(person, 31)
  const third = await refreshed(second.refreshToken)
  expect((await refresh(person.refreshToken)).status).toBe(401)
  await expectDead(third)
  expect((await ask(other.token)).status).toBe(200)
})

test('an expired refresh token, one of no user, or none at all opens nothing [AUTH-13]', async () => {
  const person = await signIn(server, 'MANAGER')
  const { rows } = await server.services.postgres.pool.query(
    `update session set expires_at = now() - interval '1 second' where id = $1
     returning (select expires_at - created_at between '29 days 23:59' and '30 days 00:01' from session where id = $1) as lasted`,
    [sessionOf(person)],
  )
  expect(rows[0].lasted).toBe(true)
  await expectDead(person)
  const unknown = `00000000-0000-7000-8000-000000000000.${'A'.repeat(43)}`
  for (const text of [unknown, 'x', person.token, `${person.refreshToken}x`])
    expect((await refresh(text)).status).toBe(401)
  expect((await refresh('')).status).toBe(422)
  expect((await send(server.url, 'POST', 'token/refresh', { refreshToken: 'x', more: 1 })).status).toBe(422)
})

test('access tokens are valid for 15 minutes and carry only what they need [AUTH-13]', async () => {
  const person = await signIn(server, 'MANAGER')
  const claims = JSON.parse(Buffer.from(person.token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims.exp - claims.iat).toBe(900)
  expect(Object.keys(claims).sort((a, b) => a.localeCompare(b))).toEqual(['exp', 'iat', 'role', 'sid', 'sub'])
})

test('signing out revokes both tokens at once [AUTH-10]', async () => {
  const person = await signIn(server, 'MANAGER')
  expect((await logOut(person)).status).toBe(204)
  await expectDead(person)
  expect((await logOut(person)).status).toBe(204)
})

test('signing out works with an expired access token and rejects forged ones [AUTH-10]', async () => {
  const person = await signIn(server, 'MANAGER')
  const stale = await forge(person, { exp: '0 s' })
  expect((await logOut({ token: stale, refreshToken: 'x' })).status).toBe(204)
  await expectDead(person)

  const other = await signIn(server, 'MANAGER')
  expect((await logOut({ token: 'x', refreshToken: `${sessionOf(other)}.${'A'.repeat(43)}` })).status).toBe(401)
  expect((await ask(other.token)).status).toBe(200)
  expect((await logOut({ token: 'x', refreshToken: other.refreshToken })).status).toBe(204)
  await expectDead(other)
})

test('a disabled user is signed out at once, and so is a user whose role changed their permissions [AUTH-15]', async () => {
  const { db } = server.services.postgres
  const person = await signIn(server, 'MANAGER')
  await db
    .updateTable('user')
    .set({ permissions: ['click'] })
    .where('id', '=', person.id)
    .execute()
  expect(await (await ask(person.token)).json()).toMatchObject({ permissions: ['click'] })
  await db.updateTable('user').set({ enabled: false }).where('id', '=', person.id).execute()
  await expectDead(person)
})

interface Forgery {
  key?: Uint8Array
  alg?: string
  exp?: string
  sid?: string
  sub?: string
}

function forge(person: SignedIn, { key, alg = 'HS256', exp = '5 min', sid, sub }: Forgery): Promise<string> {
  return new SignJWT({ sid: sid ?? sessionOf(person), role: 'ADMIN' })
    .setProtectedHeader({ alg })
    .setSubject(sub ?? String(person.id))
    .setIssuedAt()
    .setExpirationTime(exp)
    .sign(key ?? authService.of(server.services).keys.accessToken)
}

test('forged, foreign and expired access tokens are rejected [AUTH-13]', async () => {
  const person = await signIn(server, 'MANAGER')
  const other = await signIn(server, 'ADMIN')
  const { keys } = authService.of(server.services)
  expect((await ask(await forge(person, {}))).status).toBe(200)
  const claims = { sid: sessionOf(person), role: 'ADMIN' }
  const none = new UnsecuredJWT(claims).setSubject(String(person.id)).setExpirationTime('5 min').encode()
  const endless = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(person.id))
    .sign(keys.accessToken)
  const [head, body, signature] = person.token.split('.')
  const bent = Buffer.from(JSON.stringify({ ...claims, sub: String(other.id), exp: 4e9 })).toString('base64url')
  const forged = {
    none,
    'none with a dot': `${none}AAAA`,
    'wrong key': await forge(person, { key: new Uint8Array(32) }),
    'key of another purpose': await forge(person, { key: keys.refreshToken }),
    'another algorithm': await forge(person, { alg: 'HS512' }),
    'session of another': await forge(person, { sid: sessionOf(other) }),
    'person of another': await forge(person, { sub: String(other.id) }),
    'without an end': endless,
    'bent claims': `${head}.${bent}.${signature}`,
    'signature cut': `${head}.${body}.`,
    'odd ids': await forge(person, { sid: 'x', sub: "1' or '1'='1" }),
    'huge id': await forge(person, { sub: '9'.repeat(30) }),
    'refresh token': person.refreshToken,
    empty: '',
  }
  for (const [name, token] of Object.entries(forged)) {
    const answer = await ask(token)
    expect([name, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([name, 401, 'unauthorized'])
  }
  const spent = await ask(await forge(person, { exp: '0 s' }))
  expect([spent.status, ((await spent.json()) as { code: string }).code]).toEqual([401, 'token_expired'])
  const basic = await send(server.url, 'GET', 'profile', undefined, { authorization: `Basic ${person.token}` })
  expect(basic.status).toBe(401)
})

test('a token that was read before expires, and ends with its session [AUTH-13] [AUTH-16]', async () => {
  const person = await signIn(server, 'MANAGER')
  const short = await forge(person, { exp: '2 s' })
  const answers = [await ask(short), await ask(short)]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  await expect
    .poll(async () => (await (await ask(short)).json()) as object, { timeout: 10_000 })
    .toMatchObject({ code: 'token_expired' })
  expect((await ask(person.token)).status).toBe(200)
  expect((await logOut(person)).ok).toBe(true)
  expect((await ask(person.token)).status).toBe(401)
})
