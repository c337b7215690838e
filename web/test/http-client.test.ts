import { afterEach, expect, test } from 'vitest'
import { createHttp, type Http } from '../src/data/http-client.ts'
import { HttpError } from '../src/data/http-error.ts'
import { type KeyStore, memoryStore } from '../src/lib/storage.ts'
import { createTokenStore, type TokenChange, type TokenStore } from '../src/state/token-store.ts'
import { type ApiStand, FIRST, startApi } from './api-stand.ts'

const stands: ApiStand[] = []
afterEach(async () => {
  await Promise.all(stands.splice(0).map((stand) => stand.stop()))
})

async function stand(routes: Parameters<typeof startApi>[0] = {}): Promise<ApiStand> {
  const started = await startApi(routes)
  stands.push(started)
  return started
}

/** One browser tab: its own client on storage that tabs share. */
function openTab(
  url: string,
  storage: KeyStore,
  lock = lockOf(),
  timeoutMs = 20_000,
): { http: Http; tokens: TokenStore; changes: TokenChange[] } {
  const tokens = createTokenStore(storage)
  const changes: TokenChange[] = []
  tokens.subscribe((change) => changes.push(change))
  const http = createHttp({
    baseUrl: url,
    tokens,
    lock,
    language: () => 'ru',
    groupFilter: () => 7,
    say: {
      noResponse: () => 'no response',
      timeout: () => 'time-out 524',
      unexpected: (status) => `unexpected ${status}`,
    },
    timeoutMs,
  })
  return { http, tokens, changes }
}

/** Does what Web Locks do for the tabs of a browser: runs work one after the other. */
function lockOf(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }
}

function signedIn(): KeyStore {
  const storage = memoryStore()
  createTokenStore(storage).save(FIRST)
  return storage
}

async function failure(work: Promise<unknown>): Promise<HttpError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof HttpError)) throw new Error(`expected an HttpError, got ${String(error)}`)
  return error
}

test('a call carries Accept, Accept-Language, bearer, group-filter and additional-groups; a look-up requests no groups [API-02] [PERM-06] [I18N-01]', async () => {
  const api = await stand()
  const { http } = openTab(api.url, signedIn())
  await http.get('offer', { query: { active: true, query: '', ids: [1, 2], filter: { id: { in: [3] } } } })
  await http.get('offer', { lookup: true })
  const [list, lookup] = api.seen
  expect(list?.headers).toMatchObject({
    accept: 'application/json',
    'accept-language': 'ru',
    authorization: 'Bearer access-1',
    'group-filter': '7',
    'additional-groups': 'detailed',
  })
  expect(decodeURIComponent(list?.url ?? '')).toBe('/offer?active=1&ids[]=1&ids[]=2&filter[id][in][]=3')
  expect(lookup?.headers['additional-groups']).toBeUndefined()
})

test('many calls with an expired token start one refresh, wait for it and are repeated with the new token [AUTH-09]', async () => {
  const api = await stand()
  const { http, tokens, changes } = openTab(api.url, signedIn())
  api.expire()
  const answers = await Promise.all(
    ['offer', 'partner', 'landing', 'click'].map((path) => http.get<{ path: string }>(path)),
  )
  expect(answers.map(({ path }) => path)).toEqual(['/offer', '/partner', '/landing', '/click'])
  expect(api.seen.filter(({ url }) => url === '/token/refresh')).toHaveLength(1)
  expect(api.seen.at(-1)?.headers.authorization).toBe('Bearer access-2')
  expect(tokens.read()).toEqual({ token: 'access-2', refreshToken: 'refresh-2' })
  expect(changes).toEqual(['saved'])
})

test('a repeated call sends the same body [AUTH-09]', async () => {
  const api = await stand()
  const { http } = openTab(api.url, signedIn())
  api.expire()
  await http.post('offer', { title: 'Poker' })
  expect(api.seen.filter(({ url }) => url === '/offer').map(({ body }) => body)).toEqual([
    { title: 'Poker' },
    { title: 'Poker' },
  ])
})

test('two tabs whose token expires at once rotate it once and stay signed in [AUTH-13]', async () => {
  const api = await stand()
  const storage = signedIn()
  const lock = lockOf()
  const tabs = [openTab(api.url, storage, lock), openTab(api.url, storage, lock)]
  api.expire()
  const answers = await Promise.all(tabs.flatMap(({ http }) => [http.get('offer'), http.get('partner')]))
  expect(answers).toHaveLength(4)
  expect(api.rotations()).toBe(1)
  expect(tabs.flatMap(({ changes }) => changes)).toEqual(['saved'])
})

test('a rejected refresh signs out, and the failed call says why [AUTH-09]', async () => {
  const api = await stand()
  const { http, tokens, changes } = openTab(api.url, signedIn())
  api.expire()
  api.refuseRefresh(401)
  const errors = await Promise.all([failure(http.get('offer')), failure(http.get('partner'))])
  expect(errors.map(({ status }) => status)).toEqual([401, 401])
  expect(tokens.read()).toBeNull()
  expect(changes).toEqual(['expired'])
})

test('a server that fails to refresh does not end the session [AUTH-09]', async () => {
  const api = await stand()
  const { http, tokens } = openTab(api.url, signedIn())
  api.expire()
  api.refuseRefresh(503)
  expect((await failure(http.get('offer'))).status).toBe(503)
  expect(tokens.read()).toEqual(FIRST)
})

test('401 on logout clears the session without a refresh [AUTH-09] [AUTH-10]', async () => {
  const api = await stand()
  const { http, tokens } = openTab(api.url, signedIn())
  await failure(http.post('token/logout', { tokenData: FIRST }))
  expect(tokens.read()).toBeNull()
  expect(api.seen.map(({ url }) => url)).toEqual(['/token/logout'])
})

test('a failed response with a body rejects with its message, code and request id; 422 carries the fields [FORM-05] [API-05]', async () => {
  const body = {
    code: 'invalid',
    message: 'Please check',
    request_id: 'r-9',
    formErrors: { title: ['Too long', 'Taken'] },
  }
  const api = await stand({ '/offer': (_, answer) => answer.writeHead(422).end(JSON.stringify(body)) })
  const error = await failure(openTab(api.url, signedIn()).http.post('offer', {}))
  expect(error).toMatchObject({
    code: 'invalid',
    status: 422,
    message: 'Please check',
    requestId: 'r-9',
    formErrors: body.formErrors,
  })
})

test('429 says how long to wait [AUTH-14]', async () => {
  const body = { code: 'too_many_requests', message: 'Wait', request_id: 'r-9', retry_after: 30 }
  const api = await stand({ '/offer': (_, answer) => answer.writeHead(429).end(JSON.stringify(body)) })
  expect((await failure(openTab(api.url, signedIn()).http.get('offer'))).retryAfter).toBe(30)
})

test('no response, a time-out and a proxy’s page each have their own message [FORM-05]', async () => {
  const api = await stand({
    '/slow': () => undefined,
    '/proxy': (_, answer) => answer.writeHead(502).end('<html>Bad gateway</html>'),
    '/cut': (_, answer) => answer.destroy(),
    '/late': (_, answer) => answer.writeHead(524).end('<html>timeout</html>'),
    '/long': (_, answer) => answer.writeHead(504).end('{"code":"timeout","message":"The request took too long"}'),
  })
  const { http } = openTab(api.url, signedIn())
  const hasty = openTab(api.url, signedIn(), lockOf(), 300)
  expect(await failure(hasty.http.get('slow'))).toMatchObject({ code: 'timeout', status: 524, message: 'time-out 524' })
  expect(await failure(http.get('late'))).toMatchObject({ code: 'timeout', message: 'time-out 524' })
  expect(await failure(http.get('long'))).toMatchObject({ code: 'timeout', status: 504, message: 'time-out 524' })
  expect(await failure(http.get('cut'))).toMatchObject({ code: 'no_response', status: 0, message: 'no response' })
  expect(await failure(http.get('proxy'))).toMatchObject({ code: 'unreadable', status: 502, message: 'unexpected 502' })
})

test('an aborted call rejects with the reason of its signal, not with an error to show [REP-12]', async () => {
  const api = await stand({ '/slow': () => undefined })
  const control = new AbortController()
  const call = openTab(api.url, signedIn()).http.get('slow', { signal: control.signal })
  setTimeout(() => control.abort(), 20)
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
})

test('204 resolves with undefined', async () => {
  const api = await stand({ '/offer/1': (_, answer) => answer.writeHead(204).end() })
  await expect(openTab(api.url, signedIn()).http.delete('offer/1')).resolves.toBeUndefined()
})
