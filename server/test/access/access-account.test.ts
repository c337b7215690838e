// The user's own account: password recovery, recovery codes, sessions, API keys; and an admin's actions on others' accounts.
import { checkPassword } from '@tributary/contract/password'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { makeCode } from '../../src/access/two-factor.ts'
import { sendAccountNotices } from '../../src/jobs/send-account-notices.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { startTestApp } from '../support/harness.ts'
import { listen } from '../support/live-ear.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { makePerson, PASSWORD, type SignedIn, send, signIn, stopClock } from '../support/sign-in.ts'

let server: Server
let post: MailServer

beforeAll(async () => {
  post = await startMailServer()
  server = await startTestApp({ modules: MODULES, env: { SMTP_URL: post.url, PUBLIC_URL: 'https://office.test' } })
})

beforeEach(async () => {
  // All tests share one IP, so each starts without counted attempts.
  await server.services.postgres.pool.query('delete from access_attempt')
})

const call = (method: string, path: string, body?: unknown) => send(server.url, method, path, body)
const json = async (answer: Response) => (await answer.json()) as Record<string, never>

async function issuesOf(answer: Response): Promise<unknown> {
  expect(answer.status).toBe(422)
  return (await json(answer)).formErrors
}

/** Waits for the next link mailed to this address; other mails report changes. */
async function nextLink(email: string): Promise<string> {
  const links = () => post.mails.flatMap(({ to, text }) => (to?.[0]?.address === email ? linkIn(text) || [] : []))
  const seen = links().length
  return vi.waitFor(
    () => {
      const link = links()[seen]
      if (link === undefined) throw new Error('no mail with a link has come')
      return link
    },
    { timeout: 60_000, interval: 20 },
  )
}

async function askForLink(email: string): Promise<string> {
  const coming = nextLink(email)
  expect((await call('POST', 'profile/recover_password_mail', { email })).status).toBe(204)
  return coming
}

const linkIn = (text = '') => /https:\/\/office\.test\/auth\/recovery-password\/([\w-]{43})/.exec(text)?.[1] ?? ''
const reset = (token: string, password: string, password_repeat = password) =>
  call('POST', `profile/reset_password?token=${token}`, { password, password_repeat })
const logIn = (email: string, password: string, code?: string) =>
  call('POST', 'token?2fa=true', { email, password, ...(code === undefined ? {} : { code }) })

test('a mailed link sets a new password once and ends all sessions [AUTH-05] [AUTH-06] [AUTH-16]', async () => {
  const person = await signIn(server, 'MANAGER')
  const token = await askForLink(person.email)
  expect(await issuesOf(await reset(token, 'Other.Horse8', 'Other.Horse9'))).toMatchObject({
    password_repeat: ['The passwords must match'],
  })
  expect(await issuesOf(await reset(token, PASSWORD))).toEqual({ password: ['The password was used before'] })
  expect((await person.call('GET', 'profile')).status).toBe(200)
  expect((await reset(token, 'Other.Horse8')).status).toBe(204)
  expect((await person.call('GET', 'profile')).status).toBe(401)
  expect((await call('POST', 'token/refresh', { refreshToken: person.refreshToken })).status).toBe(401)
  expect((await logIn(person.email, PASSWORD)).status).toBe(400)
  expect(await json(await logIn(person.email, 'Other.Horse8'))).toEqual({ two_factor: 'code' })
  const again = await reset(token, 'Third.Horse9')
  expect([again.status, (await json(again)).code]).toEqual([400, 'wrong_token'])
  expect(await issuesOf(await reset(await askForLink(person.email), PASSWORD))).toEqual({
    password: ['The password was used before'],
  })
})

test('a link expires after 60 minutes, with a newer password and with the account [AUTH-06]', async () => {
  const { pool } = server.services.postgres
  const person = await makePerson(server, 'MANAGER')
  const [late, older] = [await askForLink(person.email), await askForLink(person.email)]
  const { rows } = await pool.query(
    'select extract(epoch from expires_at - created_at) as seconds, hash from account_link where user_id = $1 limit 1',
    [person.id],
  )
  expect(Number(rows[0].seconds)).toBe(3600)
  expect(rows[0].hash.toString('utf8')).not.toContain(late)
  await pool.query("update account_link set expires_at = now() - interval '1 second' where hash = $1", [
    Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(late))),
  ])
  expect((await reset(late, 'Fresh.Horse1')).status).toBe(400)
  const newest = await askForLink(person.email)
  expect((await reset(newest, 'Fresh.Horse1')).status).toBe(204)
  expect((await reset(older, 'Fresh.Horse2')).status).toBe(400)
  const last = await askForLink(person.email)
  await pool.query('update "user" set enabled = false where id = $1', [person.id])
  expect((await reset(last, 'Fresh.Horse3')).status).toBe(400)
  expect((await reset('x'.repeat(43), 'Fresh.Horse3')).status).toBe(400)
  await pool.query('delete from access_attempt')
  expect(await issuesOf(await call('POST', 'profile/recover_password_mail', { email: person.email }))).toEqual({
    email: ['Email not found. Try again!'],
  })
})

test('mails are limited per account, and guessed links per IP [AUTH-14]', async () => {
  stopClock()
  const person = await makePerson(server, 'MANAGER')
  const statuses: number[] = []
  for (let round = 0; round < 5; round++)
    statuses.push((await call('POST', 'profile/recover_password_mail', { email: person.email })).status)
  expect(statuses).toEqual([204, 204, 204, 204, 429])
  const guesses: number[] = []
  for (let round = 0; round < 32; round++)
    guesses.push((await reset(`${round}`.padEnd(43, 'x'), 'Fresh.Horse1')).status)
  expect(guesses.filter((status) => status === 400)).toHaveLength(30)
  expect(guesses.at(-1)).toBe(429)
})

test('the rules of a password apply wherever one is set [AUTH-07]', async () => {
  const person = await signIn(server, 'MANAGER')
  const bad = ['Ab1!xyz', 'abcdefg1!', 'ABCDEFG1!', 'Abcdefgh!', 'Abcdefgh1', 'Abcdefg1!ж', 'Abc defg1!', 'Password1!']
  const token = await askForLink(person.email)
  for (const password of bad) {
    expect([password, checkPassword(password).length > 0]).toEqual([password, true])
    expect(Object.keys((await issuesOf(await reset(token, password))) as object)).toEqual(['password'])
    const own = { current_password: PASSWORD, password, password_repeat: password }
    expect(Object.keys((await issuesOf(await person.call('PUT', 'profile/password', own))) as object)).toEqual([
      'password',
    ])
  }
  const other = await signIn(server, 'MANAGER')
  const wrong = { current_password: 'Nothing.7x', password: 'New.Horse77', password_repeat: 'New.Horse77' }
  expect(await issuesOf(await other.call('PUT', 'profile/password', wrong))).toHaveProperty('current_password')
  const device = await logIn(other.email, PASSWORD)
  expect(device.status).toBe(200)
  expect((await other.call('PUT', 'profile/password', { ...wrong, current_password: PASSWORD })).status).toBe(204)
  // The session that changed the password stays.
  expect((await other.call('GET', 'profile')).status).toBe(200)
})

test('recovery codes come with the second factor, work once each, and are stored hashed [AUTH-03] [AUTH-15]', async () => {
  stopClock()
  const person = await makePerson(server, 'MANAGER')
  const { pool } = server.services.postgres
  await pool.query('update "user" set totp_secret = null, totp_last_step = null where id = $1', [person.id])
  const setup = await json(await logIn(person.email, PASSWORD))
  const first = await json(await logIn(person.email, PASSWORD, makeCode(setup.secret ?? '', new Date())))
  const codes = first.recovery_codes as unknown as string[]
  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  const [code = ''] = codes
  const entered = await json(await logIn(person.email, PASSWORD, code.toUpperCase()))
  expect(Object.keys(entered).sort((a, b) => a.localeCompare(b))).toEqual(['refreshToken', 'token'])
  expect((await logIn(person.email, PASSWORD, code)).status).toBe(400)
  const { rows } = await pool.query('select encode(hash, $2) as hash from recovery_code where user_id = $1', [
    person.id,
    'escape',
  ])
  for (const row of rows) expect(codes.some((one) => row.hash.includes(one.slice(0, 5)))).toBe(false)
  const foreign = await makePerson(server, 'MANAGER')
  expect((await logIn(foreign.email, PASSWORD, codes[1])).status).toBe(400)
})

test('a user sees their sessions and ends any of them, nobody else’s [AUTH-17] [AUTH-10]', async () => {
  const person = await signIn(server, 'MANAGER')
  const stranger = await signIn(server, 'MANAGER')
  const { pool } = server.services.postgres
  const second = await pool.query(
    `insert into session (user_id, refresh_hash, user_agent, ip, expires_at) values ($1, 'x', 'Phone', '10.1.2.3', now() + interval '1 day') returning id`,
    [person.id],
  )
  const { id } = second.rows[0]
  const { items } = await json(await person.call('GET', 'profile/sessions'))
  expect(
    (items as unknown as { id: string; current: boolean; ip: string }[]).map((one) => [one.current, one.ip]),
  ).toEqual(
    expect.arrayContaining([
      [true, expect.stringMatching(/127\.0\.0\.1|::1/)],
      [false, '10.1.2.3'],
    ]),
  )
  expect((await stranger.call('DELETE', `profile/sessions/${id}`)).status).toBe(404)
  expect((await person.call('DELETE', 'profile/sessions/nonsense')).status).toBe(404)
  expect((await person.call('DELETE', `profile/sessions/${id}`)).status).toBe(204)
  expect((await pool.query('select ended_at from session where id = $1', [id])).rows[0].ended_at).not.toBeNull()
  expect((await person.call('DELETE', 'profile/sessions')).status).toBe(204)
  expect((await person.call('GET', 'profile')).status).toBe(200)
})

test('an admin resets a second factor, ends sessions and invites; others do not [AUTH-17]', async () => {
  const admin = await signIn(server, 'ADMIN')
  const leader = await signIn(server, 'TEAM_LEADER')
  const person = await signIn(server, 'MANAGER')
  for (const [method, path] of [
    ['POST', 'reset_two_factor'],
    ['POST', 'view_as'],
    ['DELETE', 'sessions'],
  ] as const)
    expect((await leader.call(method, `user/${person.id}/${path}`)).status).toBe(403)
  expect((await leader.call('POST', `user/${person.id}/invitation`)).status).toBe(403)
  expect((await admin.call('POST', `user/${person.id}/reset_two_factor`)).status).toBe(204)
  expect((await person.call('GET', 'profile')).status).toBe(401)
  expect(await json(await logIn(person.email, PASSWORD))).toMatchObject({ two_factor: 'setup' })
  const coming = nextLink(person.email)
  expect((await admin.call('POST', `user/${person.id}/invitation`)).status).toBe(204)
  expect((await reset(await coming, 'Invited.Horse1')).status).toBe(204)
  const { rows } = await server.services.postgres.pool.query(
    "select cause from audit_log where entity = 'user' and entity_id = $1 and action = 'access' and user_id = $2 order by id",
    [person.id, admin.id],
  )
  expect(rows.map((row) => row.cause)).toEqual(['the second factor was reset', 'an invitation was sent'])
})

test('a changed password, second factor or email is mailed to the user, and retried until the mail is accepted [AUTH-16]', async () => {
  const { services } = server
  const admin = await signIn(server, 'ADMIN')
  const person = await signIn(server, 'MANAGER')
  const change = async (body: object) =>
    expect((await admin.call('PATCH', `user/${person.id}`, body)).status).toBeLessThan(300)
  const tell = () =>
    sendAccountNotices.run(
      {},
      { services, signal: AbortSignal.timeout(20_000), id: '1', attempt: 1, isLastAttempt: true },
    )
  const received = () =>
    post.mails
      .filter(({ to }) => to?.[0]?.address === person.email)
      .map(({ subject, text }) => [subject, text?.split(' ')[0]])
  await change({ full_name: 'Somebody Else' })
  await tell()
  expect(received()).toEqual([])
  post.refuse(true)
  await change({ password: 'Changed.Horse1' })
  await tell()
  post.refuse(false)
  await tell()
  await expect.poll(received, { timeout: 30_000 }).toEqual([['Tributary: Your password was changed', 'Hello']])
  expect((await admin.call('POST', `user/${person.id}/reset_two_factor`)).status).toBe(204)
  await change({ language: 'ru', email: `moved-${person.email}` })
  await tell()
  await expect.poll(received, { timeout: 30_000 }).toHaveLength(3)
  expect(received().slice(1)).toEqual([
    ['Tributary: сброшен второй фактор входа', 'Здравствуйте,'],
    ['Tributary: изменён адрес почты', 'Здравствуйте,'],
  ])
  await tell()
  expect(received()).toHaveLength(3)
})

test('sign-ins and rejected sign-ins are in the audit log, without the input [AUTH-15]', async () => {
  const person = await signIn(server, 'MANAGER')
  await logIn(person.email, 'Wrong.Horse1')
  await logIn(person.email, PASSWORD, '000000')
  await logIn('nobody@tributary.test', 'Wrong.Horse1')
  const { rows } = await server.services.postgres.pool.query(
    "select cause, after, request_id from audit_log where action = 'access' and (entity_id = $1 or entity_id is null) order by id",
    [person.id],
  )
  expect(rows.map((row) => row.cause)).toEqual([
    'signed in',
    'sign-in refused: wrong password',
    'sign-in refused: wrong code',
    'sign-in refused: wrong password',
  ])
  expect(rows.every((row) => row.request_id !== null && row.after.ip !== undefined)).toBe(true)
  expect(JSON.stringify(rows)).not.toMatch(/Horse|000000|nobody/)
})

async function makeKey(owner: SignedIn): Promise<{ id: number; key: string }> {
  const expires_on = new Date(Date.now() + 86_400_000 * 30).toISOString().slice(0, 10)
  const answer = await owner.call('POST', 'api_key', { title: 'Script', expires_on })
  expect(answer.status).toBe(201)
  return (await answer.json()) as { id: number; key: string }
}

test('an API key opens its owner’s rows, no account, and ends when revoked, expired or with its owner [API-04]', async () => {
  const { pool } = server.services.postgres
  const owner = await signIn(server, 'ADMIN')
  const { id, key } = await makeKey(owner)
  const by = (bearer: string, method: string, path: string, body?: unknown) =>
    send(server.url, method, path, body, { authorization: `Bearer ${bearer}` })
  expect(await json(await by(key, 'GET', 'profile'))).toMatchObject({ id: owner.id })
  expect((await by(key, 'GET', 'currency')).status).toBe(200)
  expect((await by(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`, 'GET', 'profile')).status).toBe(401)
  for (const [method, path] of [
    ['GET', 'profile/sessions'],
    ['POST', 'api_key'],
    ['GET', 'api_key'],
    ['GET', 'user'],
    ['POST', `user/${owner.id}/view_as`],
    ['PUT', 'profile/password'],
  ] as const)
    expect([path, (await by(key, method, path)).status]).toEqual([path, 403])
  const { rows } = await pool.query('select * from api_key where id = $1', [id])
  expect(JSON.stringify(rows)).not.toContain(key.slice(13))
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  expect(await json(await owner.call('POST', 'api_key', { title: 'Till then', expires_at }))).toMatchObject({
    expires_at,
    user: { id: owner.id },
    active: true,
    version: 1,
    key: expect.any(String),
  })
  const endless = await json(await owner.call('POST', 'api_key', { title: 'As long as may be' }))
  expect(Date.parse(String(endless.expires_at)) - Date.now()).toBeGreaterThan(365 * 86_400_000)
  for (const wrong of ['soon', '2020-01-01', '2999-01-01'])
    expect((await owner.call('POST', 'api_key', { title: 'x', expires_at: wrong })).status).toBe(422)
  expect(rows[0].last_used_at).not.toBeNull()
  const stranger = await signIn(server, 'ADMIN')
  expect((await stranger.call('DELETE', `api_key/${id}`)).status).toBe(404)
  expect((await owner.call('PUT', `api_key/${id}`, { active: false })).status).toBe(200)
  expect((await by(key, 'GET', 'profile')).status).toBe(401)
  await owner.call('PUT', `api_key/${id}`, { active: true })
  await pool.query("update api_key set expires_at = now() - interval '1 second' where id = $1", [id])
  expect((await by(key, 'GET', 'profile')).status).toBe(401)
  await pool.query('update api_key set expires_at = null where id = $1', [id])
  expect((await by(key, 'GET', 'profile')).status).toBe(200)
  expect((await owner.call('DELETE', `api_key/${id}`)).status).toBe(204)
  expect((await by(key, 'GET', 'profile')).status).toBe(401)
  const other = await makeKey(owner)
  await pool.query('update "user" set enabled = false where id = $1', [owner.id])
  expect((await by(other.key, 'GET', 'profile')).status).toBe(401)
})

test('an API key has a limit of calls per minute [API-04]', async () => {
  stopClock()
  const owner = await signIn(server, 'MANAGER')
  const { key } = await makeKey(owner)
  const statuses = new Set<number>()
  for (let round = 0; round < 40; round++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        send(server.url, 'GET', 'api_key', undefined, { authorization: `Bearer ${key}` }),
      ),
    )
    for (const { status } of answers) statuses.add(status)
  }
  expect([...statuses].sort((a, b) => a - b)).toEqual([403, 429])
})

test('an admin views as another user: sees what they see, changes nothing, and the audit log records it [PERM-07] [AUTH-16]', async () => {
  const { pool } = server.services.postgres
  const admin = await signIn(server, 'ADMIN')
  const { rows } = await pool.query("insert into partner (title) values ('Seen') returning id")
  const person = await signIn(server, 'PARTNER', rows[0].id)
  const ear = await listen(admin)
  expect((await admin.call('POST', `user/${admin.id}/view_as`)).status).toBe(409)
  expect((await admin.call('POST', `user/${person.id}/view_as`)).status).toBe(204)
  expect(await json(await admin.call('GET', 'profile'))).toMatchObject({ id: person.id, viewed_by: { id: admin.id } })
  expect((await admin.call('GET', 'currency')).status).toBe(403)
  // An admin's group filter does not apply while the admin views as a partner.
  expect((await admin.call('GET', 'offer_partner', undefined, { 'group-filter': 'x' })).status).toBe(200)
  for (const [method, path, body] of [
    ['POST', 'api_key', { title: 'x', expires_on: '2030-01-01' }],
    ['PUT', 'profile/password', {}],
    ['DELETE', 'profile/sessions', undefined],
    ['PUT', 'api_key/1', { title: 'x' }],
  ] as const) {
    const refused = await admin.call(method, path, body)
    expect([path, refused.status, (await json(refused)).code]).toEqual([path, 403, 'view_only'])
  }
  // The user's own session is unchanged.
  expect(await json(await person.call('GET', 'profile'))).toMatchObject({ id: person.id, viewed_by: null })
  await pool.query("update session set viewing_until = now() - interval '1 second' where user_id = $1", [admin.id])
  expect(await json(await admin.call('GET', 'profile'))).toMatchObject({ id: admin.id, viewed_by: null })
  await pool.query("update session set viewing_until = now() + interval '1 hour' where user_id = $1", [admin.id])
  expect((await admin.call('DELETE', 'profile/view_as')).status).toBe(204)
  expect(await json(await admin.call('GET', 'profile'))).toMatchObject({ id: admin.id, viewed_by: null })
  const log = await pool.query(
    "select user_id, cause from audit_log where action = 'access' and entity_id = $1 and user_id = $2 order by id",
    [person.id, admin.id],
  )
  expect(log.rows.map((row) => row.cause)).toEqual([
    'an admin looks on as this user',
    'an admin no longer looks on as this user',
  ])
  const received = () => ear.heard.filter((one) => one.startsWith('permissions')).length
  await expect.poll(received, { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
  ear.leave()
})
