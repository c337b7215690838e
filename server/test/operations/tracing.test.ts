// Traces arrive at a collector, from each kind of process; without one the SDK is not even loaded.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fillRecord } from '../support/crash-engine.ts'
import { ADMIN_ENV, signInAdmin } from '../support/crash-report.ts'
import { makeDirectory } from '../support/harness.ts'
import { ok, startPartner } from '../support/partner-server.ts'
import { startTestServer, usedFolder } from '../support/server-process.ts'
import { LINK, visit } from '../support/tracker-network.ts'

interface Value {
  readonly stringValue?: string
  readonly intValue?: number
}
interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}
interface Sent {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[] }[]
}

const spansOf = (body: string): readonly SentSpan[] =>
  (JSON.parse(body) as Sent).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
const attribute = ({ attributes }: SentSpan, name: string): string | number | undefined => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

test('requests with their statements, and clicks, are sent to the collector, and a proxy’s trace goes on [SYS-04] [API-05]', async () => {
  const collector = await startPartner(ok)
  const env = { ...ADMIN_ENV, TRACKERS: '1', TRUST_PROXY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const server = await startTestServer({ env, dataDir: await usedFolder() })
  await fillRecord(server)
  const token = await signInAdmin(server.url)
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const headers = {
    authorization: `Bearer ${token}`,
    'x-request-id': 'request-of-test',
    traceparent: `00-${trace}-b7ad6b7169203331-01`,
  }
  expect((await fetch(`${server.url}/api/click?limit=5`, { headers })).status, server.output()).toBe(200)
  const clicked = await visit(server.url, `/c/${LINK}`, { 'x-request-id': 'request-of-click' })
  expect(clicked.status).toBe(302)
  expect(await server.stop()).toBe(0)

  expect(new Set(collector.calls.map(({ url }) => url))).toEqual(new Set(['/v1/traces']))
  const spans = collector.calls.flatMap(({ body }) => spansOf(body))
  const [list] = spans.filter(({ traceId, name }) => traceId === trace && name === 'GET /api/click')
  expect(list).toBeDefined()
  if (list === undefined) return
  expect(attribute(list, 'request_id')).toBe('request-of-test')
  expect(attribute(list, 'http.response.status_code')).toBe(200)
  expect(list.parentSpanId).toBe('b7ad6b7169203331')
  const below = spans.filter(({ parentSpanId }) => parentSpanId === list.spanId)
  expect(new Set(below.map(({ name }) => name))).toEqual(new Set(['postgresql', 'clickhouse']))
  const statements = below.filter(({ name }) => name === 'clickhouse').map((span) => attribute(span, 'db.query.text'))
  expect(statements.join()).toMatch(/from click/i)
  const clicks = spans.filter(({ name }) => name === 'click')
  // The first ones may come before the tracker knows the link.
  const own = clicks.filter((span) => attribute(span, 'request_id') === 'request-of-click')
  expect(own.map((span) => [attribute(span, 'outcome'), attribute(span, 'click_id')])).toEqual([
    ['redirected', clicked.clickId],
  ])
  // A poll of the product itself begins no trace.
  expect(spans.filter(({ name, parentSpanId }) => name === 'postgresql' && parentSpanId === undefined)).toEqual([])
  const line = server
    .output()
    .split('\n')
    .find((text) => text.includes('"msg":"request"') && text.includes('request-of-test'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ request_id: 'request-of-test', trace_id: trace })
})

test('without a collector the SDK is not loaded; one that does not answer hardly delays a stop and is named once, outside of any job [SYS-04]', () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({ resolve: (name, context, next) => { loaded.add(name); return next(name, context) } })
    const folder = ${JSON.stringify(join(import.meta.dirname, '../../src'))}
    await import(folder + '/run.ts')
    const { startTracing } = await import(folder + '/telemetry.ts')
    const { startRequestSpan } = await import(folder + '/lib/tracing.ts')
    const { createLog, withLogFields } = await import(folder + '/lib/log.ts')
    for (const tracesTo of [undefined, 'http://127.0.0.1:1']) {
      const stop = await startTracing({ tracesTo, tracedShare: 1 }, createLog('warn'), 'test')
      // Two full batches are sent at once, the rest by the stop.
      withLogFields({ job: 'a job' }, () => { for (let n = 0; n < 1100; n++) startRequestSpan('request').end() })
      await new Promise((resolve) => setTimeout(resolve, 500))
      const began = performance.now()
      await stop()
      const isLoaded = [...loaded].some((name) => name.includes('sdk-trace'))
      console.log(isLoaded, performance.now() - began < 6000)
    }
    process.exit(0)`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: makeDirectory(),
    encoding: 'utf8',
  })
  const lines = output.split('\n').filter(Boolean)
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual(['false true', 'true true'])
  const told = lines.filter((line) => line.includes('traces could not be sent'))
  expect(told).toHaveLength(1)
  expect(told[0]).not.toContain('a job')
})
