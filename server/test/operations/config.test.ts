// The environment: every wrong value causes one line that names it, and generated secrets are stored safely.

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { StartError } from '../../src/lib/app-error.ts'
import { makeDirectory } from '../support/harness.ts'

const directory = makeDirectory()
const load = (env: Record<string, string>) => loadConfig({ DATA_DIR: directory, ...env })

test('no variable is required [SYS-01]', () => {
  expect(load({})).toMatchObject({
    port: 8080,
    databaseUrl: undefined,
    clickhouseUrl: undefined,
    roles: ['api', 'tracker', 'worker'],
    publicUrl: 'http://localhost:8080',
    trackerUrl: 'http://localhost:8080',
    allowPrivateTargets: false,
    logLevel: 'info',
  })
  expect(load({ PORT: '', DATABASE_URL: '' }).port).toBe(8080)
})

test.each([
  [{ PORT: 'x' }, 'PORT=x '],
  [{ PORT: '70000' }, 'PORT=70000 '],
  [{ PORT: '-1' }, 'PORT=-1 '],
  [{ DATABASE_URL: 'mysql://x:pass@y' }, 'DATABASE_URL '],
  [{ CLICKHOUSE_URL: 'localhost' }, 'CLICKHOUSE_URL '],
  [{ CLICKHOUSE_URL: 'http://c', CLICKHOUSE_CLUSTER: "a'b" }, "CLICKHOUSE_CLUSTER=a'b "],
  [{ CLICKHOUSE_CLUSTER: 'main' }, 'CLICKHOUSE_CLUSTER=main needs CLICKHOUSE_URL'],
  [{ CLICKHOUSE_STORAGE_POLICY: 'tiered' }, 'CLICKHOUSE_STORAGE_POLICY=tiered needs CLICKHOUSE_URL'],
  [{ CLICKHOUSE_URL: 'http://c', CLICKHOUSE_COLD_AFTER_MONTHS: '0' }, 'CLICKHOUSE_COLD_AFTER_MONTHS=0 '],
  [{ ROLES: 'api,boss' }, 'ROLES=api,boss '],
  [{ ROLES: 'api' }, 'ROLES=api needs DATABASE_URL and CLICKHOUSE_URL'],
  [{ ROLES: 'tracker', DATABASE_URL: 'postgres://x/y' }, 'ROLES=tracker needs CLICKHOUSE_URL'],
  [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL=ftp://x '],
  [{ TRACKER_URL: 'x' }, 'TRACKER_URL=x '],
  [{ SECRET: 'short' }, 'SECRET is shorter'],
  [{ ADMIN_EMAIL: 'nobody' }, 'ADMIN_EMAIL=nobody '],
  [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD is shorter'],
  [{ ADMIN_TOTP_SECRET: '189' }, 'ADMIN_TOTP_SECRET '],
  [{ SMTP_URL: 'http://x' }, 'SMTP_URL '],
  [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM=nobody '],
  [{ ALLOW_PRIVATE_TARGETS: 'yes' }, 'ALLOW_PRIVATE_TARGETS=yes '],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL=loud '],
  [{ GEOIP_DB_PATH: '/nothing/here.mmdb' }, 'GEOIP_DB_PATH=/nothing/here.mmdb '],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT=collector:4318 '],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG=2 '],
  [{ DRAIN_SECONDS: '1s' }, 'DRAIN_SECONDS=1s '],
  [{ DATA_DIR: '/dev/null' }, 'DATA_DIR=/dev/null is a file: name a folder'],
  [{ DATA_DIR: '/dev/null/nothing' }, 'DATA_DIR=/dev/null/nothing cannot be a folder: /dev/null is a file'],
  [{ DATA_DIR: '/proc/nothing/at/all' }, 'DATA_DIR=/proc/nothing/at/all cannot be used: '],
])('a wrong value is one line that names it and shows no secret: %o', (env, start) => {
  const failure = catchFailure(() => load(env))
  expect(failure).toBeInstanceOf(StartError)
  expect(failure.message).toMatch(/^[^\n]+$/)
  expect(failure.message.startsWith(start)).toBe(true)
  expect(failure.message).not.toMatch(/pass@|short"|189/)
})

test('the secret is generated once, in a file that only its owner can read', () => {
  const { secret } = load({})
  const path = join(directory, 'secret')
  expect(secret.length).toBeGreaterThanOrEqual(43)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toBe(secret)
  expect(load({}).secret).toBe(secret)
  expect(load({ SECRET: 'x'.repeat(32) }).secret).toBe('x'.repeat(32))
})

test('a damaged secret is not used', () => {
  const other = makeDirectory()
  writeFileSync(join(other, 'secret'), 'short')
  expect(() => loadConfig({ DATA_DIR: other })).toThrow(/secret does not hold a secret/)
})

test('URLs are stored without a slash at their end', () => {
  expect(load({ PUBLIC_URL: 'https://a.example/', TRACKER_URL: 'https://t.example//' })).toMatchObject({
    publicUrl: 'https://a.example',
    trackerUrl: 'https://t.example',
  })
})

function catchFailure(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}
