// Google's client against a server that speaks its HTTP: the token, the two calls of a file, and every way in which they fail.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type GoogleSheetsServer,
  type Spreadsheet,
  startGoogleSheetsServer,
} from '../../../demo/google-sheets-server.ts'
import { createReadQuota } from '../../src/integrations/sheets/read-quota.ts'
import {
  createSheetsClient,
  isTooLarge,
  readAccount,
  type SheetsClient,
} from '../../src/integrations/sheets/sheets-client.ts'
import { checkTarget, resolveTarget } from '../../src/tracker/postbacks/target-guard.ts'

const FILE: Spreadsheet = {
  title: 'Spends',
  locale: 'ru_RU',
  timeZone: 'Europe/Kyiv',
  tabs: [
    {
      id: 0,
      title: "North's",
      rows: [
        ['Stream', 1, true],
        ['', '', ''],
        ['a', 2.5, ''],
      ],
    },
    { id: 5, title: '11.2026', rows: [], merges: [{ startRow: 0, endRow: 2, startColumn: 0, endColumn: 1 }] },
  ],
}

let server: GoogleSheetsServer
let client: SheetsClient
const signal = AbortSignal.timeout(60_000)

const connect = (
  more: { credential?: string; baseUrl?: string; allowsPrivateTargets?: boolean; timeoutMs?: number } = {},
): SheetsClient => {
  const account = readAccount(more.credential ?? server.credential)
  if (account === undefined) throw new Error('no key')
  return createSheetsClient({
    account,
    baseUrl: more.baseUrl ?? server.url,
    quota: createReadQuota(1000),
    guard: { check: checkTarget, resolve: resolveTarget },
    allowsPrivateTargets: more.allowsPrivateTargets ?? true,
    pauseMs: 1,
    ...(more.timeoutMs === undefined ? {} : { timeoutMs: more.timeoutMs }),
  })
}

beforeAll(async () => {
  const files: Record<string, Spreadsheet> = { 'file-number-1': FILE, 'file-number-2': { ...FILE, isShared: false } }
  server = await startGoogleSheetsServer((id) => files[id])
  afterAll(() => server.stop())
})

beforeEach(() => {
  client = connect()
})

const since = async (run: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = server.calls.length
  await run()
  return server.calls.slice(before)
}

test('a file takes two reads and one signed token [SPD-04]', async () => {
  const calls = await since(async () => {
    const { head } = await client.describe('file-number-1', signal)
    expect(head).toEqual({
      title: 'Spends',
      locale: 'ru_RU',
      tabs: [
        { id: 0, title: "North's", merges: [], rowCount: 1000, columnCount: 40 },
        {
          id: 5,
          title: '11.2026',
          rowCount: 1000,
          columnCount: 40,
          merges: [{ startRow: 0, endRow: 2, startColumn: 0, endColumn: 1 }],
        },
      ],
    })
    const { grids } = await client.read('file-number-1', head.tabs, signal)
    expect(grids.map(({ rows }) => rows)).toEqual([[['Stream', 1, true], [], ['a', 2.5]], []])
  })
  expect(calls).toEqual(['token', 'get file-number-1', 'values file-number-1'])
})

test.each([
  ['not shared', 'file-number-2', 'not_shared'],
  ['no such sheet', 'file-number-9', 'not_found'],
])('%s is told from the other at the first answer [SPD-04]', async (_what, file, fault) => {
  const calls = await since(() =>
    expect(client.describe(file, signal)).rejects.toMatchObject({ fault, calls: 1, isOfTheService: false }),
  )
  expect(calls).toEqual(['token', `get ${file}`])
})

test('a revoked or foreign key is rejected, after one request [SPD-04]', async () => {
  server.revoke()
  const refusal = { fault: 'key_refused', isOfTheService: true }
  const calls = await since(() => expect(client.describe('file-number-1', signal)).rejects.toMatchObject(refusal))
  expect(calls).toEqual(['token'])
  server.revoke(false)
  const other = await startGoogleSheetsServer(() => undefined)
  const stranger = connect({ credential: other.credential })
  await other.stop()
  await expect(stranger.describe('file-number-1', signal)).rejects.toMatchObject(refusal)
  expect(readAccount('{"client_email":"a@b.example","private_key":"none"}')).toBeUndefined()
  expect(readAccount('nothing')).toBeUndefined()
})

test('what passes is tried again: 429, 503, cut answers and slow ones [SPD-04] [MON-08]', async () => {
  server.fail({ status: 429 }, { status: 503 }, 'cut', 'cut json')
  const { head, calls } = await client.describe('file-number-1', signal)
  expect([head.title, calls]).toEqual(['Spends', 5])
  server.fail({ slowMs: 2000 })
  const hasty = connect({ timeoutMs: 500 })
  expect((await hasty.describe('file-number-1', signal)).calls).toBe(2)
})

test('six tries, then it is given up [SPD-04]', async () => {
  server.fail(...Array.from({ length: 6 }, () => ({ status: 503 })))
  await expect(client.describe('file-number-1', signal)).rejects.toMatchObject({ fault: 'unreachable', calls: 6 })
  server.fail(...Array.from({ length: 6 }, () => ({ status: 429 })))
  await expect(client.describe('file-number-1', signal)).rejects.toMatchObject({ fault: 'busy', calls: 6 })
  expect((await client.describe('file-number-1', signal)).calls).toBe(1)
})

test('Retry-After is respected; a wait without end is given up [SPD-04]', async () => {
  server.fail({ status: 429, retryAfter: 1 })
  const began = performance.now()
  expect((await client.describe('file-number-1', signal)).calls).toBe(2)
  expect(performance.now() - began).toBeGreaterThan(990)
  server.fail({ status: 429, retryAfter: 86_400 })
  await expect(client.describe('file-number-1', signal)).rejects.toMatchObject({ fault: 'busy', calls: 1 })
})

test('reads stay within their budget, and a stopped server does not wait [SPD-04]', async () => {
  const budget = createReadQuota(3, 400)
  const began = performance.now()
  await Promise.all(Array.from({ length: 7 }, () => budget.take(signal)))
  expect(performance.now() - began).toBeGreaterThan(790)
  const stopping = new AbortController()
  await budget.take(signal)
  await budget.take(signal)
  const waiting = budget.take(stopping.signal)
  stopping.abort(new Error('stopping'))
  await expect(waiting).rejects.toThrow()
  await budget.take(signal)
})

test('addresses inside the own network are called only where the installation allows it [SPD-04]', async () => {
  expect(() => connect({ allowsPrivateTargets: false })).toThrow()
})

test('a tab with more rows or columns than are read is reported [SPD-04]', () => {
  expect(isTooLarge({ rows: Array.from({ length: 10_000 }, () => ['x']) })).toBe(false)
  expect(isTooLarge({ rows: Array.from({ length: 10_001 }, () => ['x']) })).toBe(true)
  expect(isTooLarge({ rows: [Array.from({ length: 101 }, () => 'x')] })).toBe(true)
})

test('a tab of 10,000 rows and 2,000 columns is not read at all, and of wide tabs only the first columns [SPD-04]', async () => {
  const wide = { id: 1, title: 'wide', rows: [Array.from({ length: 2000 }, () => 1)] }
  const file = { 'file-of-size': { ...FILE, tabs: [wide, { ...wide, id: 2, title: 'narrow', rows: [['a']] }] } }
  const google = await startGoogleSheetsServer((id) => file[id as keyof typeof file])
  const own = connect({ credential: google.credential, baseUrl: google.url })
  const { head } = await own.describe('file-of-size', signal)
  expect(head.tabs[0]).toMatchObject({ rowCount: 1000, columnCount: 2000 })
  const { grids } = await own.read('file-of-size', head.tabs, signal)
  expect(grids.map(({ rows }) => rows.map((row) => row.length))).toEqual([[101], [1]])
  const huge = head.tabs.map((tab) => ({ ...tab, rowCount: 10_000, columnCount: 2000 }))
  const before = google.calls.length
  const unread = await own.read('file-of-size', huge, signal)
  expect(unread).toMatchObject({ calls: 0, grids: [{ rows: [] }, { rows: [] }] })
  expect(unread.grids.every(isTooLarge)).toBe(true)
  expect(google.calls).toHaveLength(before)
  await google.stop()
})

test('a token that Google drops before its time is renewed once; a key that is refused then is named [SPD-04]', async () => {
  await client.describe('file-number-1', signal)
  server.revoke()
  server.revoke(false)
  expect(await client.describe('file-number-1', signal)).toMatchObject({ calls: 2 })
  server.revoke()
  await expect(client.describe('file-number-1', signal)).rejects.toMatchObject({ fault: 'key_refused' })
  server.revoke(false)
  expect(await client.describe('file-number-1', signal)).toMatchObject({ calls: 1 })
})
