// Behaviour of every request: shape of errors, ids, health, headers, screens, graceful shutdown.

import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ERRORS } from '@tributary/contract/error'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError, invalidField } from '../../src/lib/app-error.ts'
import type { ServerModule } from '../../src/server-module.ts'
import { makeDirectory, startTestApp } from '../support/harness.ts'

const BODY = z.strictObject({
  title: z.string().min(2).max(5),
  count: z.int().positive(),
  kind: z.enum(['a', 'b']).optional(),
  nested: z.strictObject({ email: z.email() }).optional(),
})

const finished: string[] = []
const arrived = Promise.withResolvers<void>()

const probe: ServerModule = {
  name: 'probe',
  roles: ['api'],
  start: async () => ({ stop: async () => void finished.push('part') }),
  routes(app) {
    app.post(
      '/probe',
      { schema: { body: BODY, querystring: z.strictObject({ page: z.coerce.number().optional() }) } },
      (request) => request.body,
    )
    app.get('/probe/secret', () => {
      throw new Error('the password is hunter2')
    })
    app.get('/probe/field', () => {
      throw invalidField('title', 'max_length', { max: 5 })
    })
    app.get('/probe/busy', () => {
      throw new AppError('too_many_requests', { retry_after: 7 })
    })
    app.get('/probe/gone', async (_request) => {
      throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
    })
    app.get('/probe/slow', async () => {
      arrived.resolve()
      await sleep(300)
      finished.push('request')
      return { slow: true }
    })
    app.get('/probe/:id', { schema: { params: z.object({ id: z.coerce.number() }) } }, (request) => request.params)
  },
  bareRoutes: (app) => void app.get('/c/:id', (_request, reply) => reply.redirect('/there', 302)),
}

const screensDirectory = makeDirectory()
mkdirSync(join(screensDirectory, 'assets'))
writeFileSync(join(screensDirectory, 'index.html'), '<!doctype html><title>screens</title>')
writeFileSync(join(screensDirectory, 'assets/app-1a2b.js'), `${'0;'.repeat(2000)}`)

const server = await startTestApp({ modules: [probe], screensDirectory })
const { url, services } = server
const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/probe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('errors', () => {
  test('a body is validated as it is: nothing is dropped or converted [API-05]', async () => {
    const good = { title: 'abc', count: 1 }
    expect(await (await post(good)).json()).toEqual(good)
    const converted = await post({ title: 'abc', count: '1' })
    expect(converted.status).toBe(422)
    const unknown = await post({ ...good, extra: 1, __proto__x: 2 })
    expect(unknown.status).toBe(422)
    expect(await unknown.json()).toMatchObject({
      code: 'invalid',
      formErrors: { extra: ['Unknown field'], __proto__x: ['Unknown field'] },
    })
  })

  test('422 names every field, nested ones below their parent, in the requested language [API-05]', async () => {
    const reply = await post(
      { title: 'x', kind: 'c', nested: { email: 'no' } },
      { 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.8' },
    )
    const body = (await reply.json()) as { message: string; formErrors: { nested: { email: string[] } } }
    expect(reply.status).toBe(422)
    expect(body).toMatchObject({ code: 'invalid', request_id: reply.headers.get('x-request-id') })
    expect(Object.keys(body.formErrors).toSorted()).toEqual(['count', 'kind', 'nested', 'title'])
    expect(Object.keys(body.formErrors.nested)).toEqual(['email'])
    expect(body.message).toMatch(/[а-яё]/i)
    expect(body.formErrors.nested.email[0]).toMatch(/[а-яё]/i)
    const english = await (await post({ title: 'toolong', count: 1 })).json()
    expect(english).toMatchObject({ formErrors: { title: ['No more than 5 characters'] } })
  })

  test('422 lists the first 20 issues and counts the others [API-05]', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`k${index}`, index]))
    const body = (await (await post({ title: 'abc', count: 1, ...unknown })).json()) as {
      formErrors: object
      reasons: unknown[]
      omitted: number
    }
    expect([Object.keys(body.formErrors).length, body.reasons.length, body.omitted]).toEqual([20, 20, 70])
    const few = (await (await post({ title: 'x' })).json()) as object
    expect(few).not.toHaveProperty('omitted')
  })

  test('422 shows the beginning of an unknown field’s name [API-05]', async () => {
    const body = await (await post({ title: 'abc', count: 1, ['x'.repeat(5000)]: 1 })).json()
    expect(body).toMatchObject({ formErrors: { ['x'.repeat(100)]: ['Unknown field'] } })
  })

  test.each([
    ['{"title":', 400, 'bad_request'],
    ['', 400, 'bad_request'],
    ['null', 422, 'invalid'],
    ['[]', 422, 'invalid'],
    ['"text"', 422, 'invalid'],
    ['{"__proto__":{"a":1}}', 400, 'bad_request'],
    [`{"title":"${'x'.repeat(1_100_000)}"}`, 413, 'too_large'],
    ['{"title":"\\ud800","count":1e999}', 422, 'invalid'],
  ])('a body that is no request is 4xx, never 5xx: %.20s [API-05]', async (body, status, code) => {
    const reply = await post(body)
    expect(reply.status).toBe(status)
    expect(await reply.json()).toMatchObject({ code, message: expect.any(String), request_id: expect.any(String) })
  })

  test('another content type, an unknown path and a malformed one have their codes [API-05]', async () => {
    expect(await (await post('a=1', { 'content-type': 'text/plain' })).json()).toMatchObject({
      code: 'unsupported_media',
    })
    expect(await (await fetch(`${url}/api/nothing`)).json()).toMatchObject({ code: 'not_found' })
    expect(await (await fetch(`${url}/api/nothing`, { headers: { accept: 'text/html' } })).json()).toMatchObject({
      code: 'not_found',
    })
    expect(await (await fetch(`${url}/nothing`)).json()).toMatchObject({ code: 'not_found' })
    expect(await (await fetch(`${url}/api/probe/none`)).json()).toMatchObject({
      code: 'invalid',
      formErrors: { id: expect.any(Array) },
    })
  })

  test.each(['/%', '/api/%zz', '/api/probe/%E0%A4%A', `/api/probe/${'9'.repeat(5000)}`])(
    'a malformed address is 4xx: %.24s [API-05]',
    async (path) => {
      const reply = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      expect(reply).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(JSON.parse(reply.slice(reply.indexOf('{')))).toMatchObject({
        code: expect.stringMatching(/bad_request|not_found/),
        request_id: expect.any(String),
      })
    },
  )

  test.each([
    ['nonsense\r\n\r\n', '400'],
    ['GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', '400'],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`, '431'],
  ])('what is not HTTP is answered in the same form [API-05]', async (text, status) => {
    const reply = await raw(text)
    expect(reply.startsWith(`HTTP/1.1 ${status}`)).toBe(true)
    expect(JSON.parse(reply.slice(reply.indexOf('{')))).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      request_id: expect.any(String),
    })
  })

  test('an unexpected failure reveals nothing [API-05]', async () => {
    const reply = await fetch(`${url}/api/probe/secret`)
    const text = await reply.text()
    expect(reply.status).toBe(500)
    expect(text).not.toMatch(/hunter2|password|stack|at /)
    expect(JSON.parse(text)).toMatchObject({ code: 'internal', request_id: reply.headers.get('x-request-id') })
  })

  test('errors carry their details: fields, time to wait [API-05]', async () => {
    expect(await (await fetch(`${url}/api/probe/field`)).json()).toMatchObject({
      code: 'invalid',
      formErrors: { title: ['No more than 5 characters'] },
    })
    const busy = await fetch(`${url}/api/probe/busy`)
    expect(busy.headers.get('retry-after')).toBe('7')
    expect(await busy.json()).toMatchObject({
      code: 'too_many_requests',
      retry_after: 7,
      message: expect.stringContaining('7'),
    })
    const gone = await fetch(`${url}/api/probe/gone`)
    expect(gone.status).toBe(ERRORS.unavailable)
    expect(await gone.json()).toMatchObject({ code: 'unavailable', retry_after: expect.any(Number) })
  })

  test('a valid request id of the sender is used [API-05]', async () => {
    const kept = await fetch(`${url}/api/nothing`, { headers: { 'x-request-id': 'trace-12345678' } })
    expect(await kept.json()).toMatchObject({ request_id: 'trace-12345678' })
    const replaced = await fetch(`${url}/api/nothing`, { headers: { 'x-request-id': 'a b"<script>' } })
    expect(await replaced.json()).toMatchObject({ request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })
})

describe('health', () => {
  test.each(['/health', '/api/health'])('%s/live and /ready answer without a token [SYS-04]', async (path) => {
    expect((await fetch(`${url}${path}/live`)).status).toBe(200)
    expect(await (await fetch(`${url}${path}/ready`)).json()).toEqual({ status: 'ready' })
  })

  test('/ready names the missing service [SYS-04]', async () => {
    let isDown = true
    services.readiness.add('mail', async () => {
      if (isDown) throw new Error('down')
    })
    const reply = await fetch(`${url}/api/health/ready`)
    expect(reply.status).toBe(503)
    expect(await reply.json()).toMatchObject({ missing: ['mail'] })
    isDown = false
    expect((await fetch(`${url}/api/health/ready`)).status).toBe(200)
  })

  test('a statement whose caller leaves counts as cancelled, not as failed [SYS-04]', async () => {
    const { clickhouse, metrics } = services
    const count = async (outcome: string) => {
      const lines = (await metrics.metrics()).split('\n')
      const line = lines.find((text) => text.includes(`query_seconds_count{kind="background",outcome="${outcome}"}`))
      return Number(line?.split(' ').at(-1) ?? 0)
    }
    const before = [await count('cancelled'), await count('failed')]
    const left = new AbortController()
    const answer = clickhouse.table('select sleep(1)', {}, { signal: left.signal })
    left.abort(new Error('left'))
    await expect(answer).rejects.toThrow('left')
    await expect(clickhouse.table('select none_of_these')).rejects.toThrow(/none_of_these/)
    expect([await count('cancelled'), await count('failed')]).toEqual(before.map((number) => number + 1))
  })

  test('metrics cover clicks, inbox, facts, postbacks, jobs, connections, disk and back-ups [SYS-04]', async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'tributary_nodejs_eventloop_lag_seconds',
        'tributary_process_resident_memory_bytes',
        'tributary_postgres_connections',
        'tributary_clickhouse_query_seconds',
        'tributary_clickhouse_queries',
        'tributary_disk_bytes',
        'tributary_inbox_clicks',
        'tributary_inbox_age_seconds',
        'tributary_jobs',
        'tributary_postbacks_waiting',
        'tributary_backup_moment_seconds',
        'tributary_backup_failures',
      ]),
    )
  })

  test('metrics are Prometheus text, by route and not by path [SYS-04]', async () => {
    await fetch(`${url}/api/probe/17`)
    const text = await (await fetch(`${url}/metrics`)).text()
    expect(text).toMatch(/^# HELP tributary_process_cpu_user_seconds_total/m)
    expect(text).toMatch(
      /tributary_http_request_seconds_count\{method="GET",route="\/api\/probe\/:id",status="200"\} \d/,
    )
    expect(text).not.toContain('/probe/17')
  })
})

describe('headers and screens', () => {
  test('the API and the screens have security headers, the tracker has none', async () => {
    const api = await fetch(`${url}/api/probe/1`)
    expect(api.headers.get('cache-control')).toBe('no-store')
    const policy = api.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self'(;|$)/)
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    expect(policy).toContain("frame-ancestors 'none'")
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    for (const { headers } of [api, page]) {
      expect(headers.get('content-type')).toMatch(/^(application\/json|text\/html); charset=utf-8$/i)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
    }
    const click = await fetch(`${url}/c/1`, { redirect: 'manual' })
    expect(click.status).toBe(302)
    expect(click.headers.get('content-security-policy')).toBeNull()
  })

  test('a screen’s path returns the page, uncached; a hashed file is cached for ever and compressed', async () => {
    for (const path of ['/', '/reports/general?from=1', '/index.html']) {
      const page = await fetch(`${url}${path}`, { headers: { accept: 'text/html,*/*' } })
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('<title>screens')
      expect(page.headers.get('cache-control')).toBe('no-cache')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    }
    const file = await fetch(`${url}/assets/app-1a2b.js`, { headers: { 'accept-encoding': 'gzip' } })
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(file.headers.get('content-encoding')).toBe('gzip')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect(file.headers.get('content-security-policy')).toBeNull()
    expect((await fetch(`${url}/assets/gone.js`)).status).toBe(404)
    expect((await fetch(`${url}/../../package.json`)).status).toBe(404)
    expect(await raw('GET /assets/..%2f..%2fpackage.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 4/,
    )
  })
})

test('shutdown completes the requests in progress before it closes anything [SYS-04]', async () => {
  const slow = fetch(`${url}/api/probe/slow`)
  await arrived.promise
  const stopping = server.stop()
  const reply = await slow
  expect(reply.status).toBe(200)
  expect(await reply.json()).toEqual({ slow: true })
  await stopping
  expect(finished).toEqual(['request', 'part'])
  await expect(fetch(`${url}/api/health/live`)).rejects.toThrow()
})

function raw(text: string): Promise<string> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    let reply = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => (reply += chunk.toString()))
    socket.on('close', () => resolve(reply))
    socket.on('error', reject)
  })
}
