// Back-ups of a whole server under traffic, restored on another folder and on other engines: what was answered before the moment of a back-up is
// there once, nothing is sent, and an interrupted restore is repeated.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { type CrmMood, startCrmServer } from '../../../demo/crm-server.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { fillRecord, openRecord } from '../support/crash-engine.ts'
import { ADMIN_ENV, readCountedClicks, signInAdmin } from '../support/crash-report.ts'
import { createTestDatabase, makeDirectory } from '../support/harness.ts'
import { ok, startPartner } from '../support/partner-server.ts'
import { startS3Server } from '../support/s3-server.ts'
import { type ServerProcess, spawnTestServer, startTestServer, usedFolder } from '../support/server-process.ts'
import { send } from '../support/sign-in.ts'
import { startTraffic } from '../support/traffic.ts'

const PASSPHRASE = 'a passphrase of some length'
const s3 = await startS3Server()
const ENV = {
  ...s3.env,
  ...ADMIN_ENV,
  TRUST_PROXY: '1',
  LOG_LEVEL: 'error',
  BACKUP_PASSPHRASE: PASSPHRASE,
  ALLOW_PRIVATE_TARGETS: '1',
}
const AS_NPM_START = { ...ENV, TRACKERS: '1' }
/** `npm run test:long` repeats the kills. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 1)
const target = join(makeDirectory(), 'back-ups')
const bucket = 's3://backups/tributary'

/** Runs a command to its end. */
async function run(args: readonly string[], dataDir: string, env: Record<string, string> = {}): Promise<string> {
  const command = spawnTestServer({ dataDir, args, env: { ...ENV, ...env } })
  const code = await command.exited
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${command.output()}`)
  return command.output()
}

const newFolder = (): string => {
  const folder = join(makeDirectory(), 'data')
  mkdirSync(folder, { mode: 0o755 })
  return folder
}

function megabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1_000_000
}

interface Original {
  server: ServerProcess
  /** Confirmed before the back-up was requested. */
  before: readonly string[]
  /** Every click that the original has. */
  all: readonly string[]
}

let original: Original
/** Takes no postback until a test lets it, so that some wait in the back-up. */
const partner = await startPartner((_, response) => response.writeHead(503).end())

/** Books the first request and loses its answer, then fails until a test lets it answer. */
let mood: CrmMood = 'fail'
const crm = await startCrmServer((_, attempt) => (attempt === 1 ? 'lost' : mood))
atEndOfFile(() => crm.stop())
const INVOICE = 1

/** An approved invoice, which the original sends to the CRM without hearing the answer. */
async function sendInvoice(url: string, token: string, record: Client): Promise<void> {
  await record.query(`
    update advertiser set default_crm_project_id = 'project-1';
    insert into statement (partner_id, month, currency_id, state, total, approved_at) values (1, '2026-03', 1, 'approved', 25, now());
    insert into payment_invoice (date_from, date_to, partner_id, country_id, advertiser_id, traffic_source_id, stream_id, amount, currency_id, status,
      statement_id, approved_at) values ('2026-03-01', '2026-03-31', 1, 1, 1, 1, 1, 25, 1, 'approved', 1, now());
    insert into payment_invoice_line (statement_id, payment_invoice_id, kind, offer_partner_id, earned_month, amount, currency_id, fx_rate, total)
      values (1, ${INVOICE}, 'agency', 1, '2026-03', 25, 1, 1, 25)`)
  await call(url, token, 'PUT', 'integration/crm', { base_url: crm.url, credential: crm.credential })
  await call(url, token, 'PUT', `payment_invoice/${INVOICE}/send`, {})
  while (crm.booked.size === 0 || !(await readInvoice(record)).waits) await sleep(50)
}

async function readInvoice(record: Client): Promise<{ status: string; waits: boolean }> {
  const { rows } = await record.query<{ status: string; waits: boolean }>(
    'select status, next_attempt_at is not null as waits from payment_invoice',
  )
  return rows[0] ?? { status: '', waits: false }
}

async function call(url: string, token: string, method: string, path: string, body: object): Promise<void> {
  const answer = await send(url, method, path, body, { authorization: `Bearer ${token}` })
  expect(answer.status, `${method} ${path}: ${await answer.text()}`).toBeLessThan(300)
}

beforeAll(async () => {
  const server = await startTestServer({ env: AS_NPM_START, dataDir: await usedFolder() })
  await fillRecord(server)
  const record = await openRecord(server.dataDir)
  const token = await signInAdmin(server.url)
  await sendInvoice(server.url, token, record)
  await record.query(
    `insert into partner_postback_url (partner_id, url, events) values (1, '${partner.url}/heard?id={click_id}', '{reg}')`,
  )
  mkdirSync(join(server.dataDir, 'uploads'), { recursive: true })
  writeFileSync(join(server.dataDir, 'uploads/kept'), 'an upload')
  const traffic = startTraffic(server.url)
  await traffic.confirmMore(400)
  const before = [...traffic.confirmed]
  const said = await run(['backup', target], server.dataDir)
  expect(said).toMatch(/backed up to .*manifests\/.*: [\d.]+ MB, of which [\d.]+ MB are new; facts waited \d+ ms/)
  await traffic.confirmMore(100)
  await traffic.stop()
  const all = await readCountedClicks(server.url, token)
  // From now on only the restored copy could send.
  await record.query('update setting set sending_held = true')
  original = { server, before, all }
  await record.end()
}, 240_000)

/** Starts a restored folder and expects what the back-up promises. */
async function expectRestored(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<{ server: ServerProcess; token: string }> {
  const server = await startTestServer({ env: { ...ENV, ...env }, dataDir })
  const token = await signInAdmin(server.url)
  const clicks = await readCountedClicks(server.url, token)
  const found = new Set(clicks)
  expect(clicks.length - found.size, 'clicks that are there twice').toBe(0)
  expect(
    original.before.filter((id) => !found.has(id)),
    'clicks that are missing',
  ).toEqual([])
  const known = new Set(original.all)
  expect(clicks.filter((id) => !known.has(id))).toEqual([])
  expect(readFileSync(join(dataDir, 'uploads/kept'), 'utf8')).toBe('an upload')
  const setting = await send(server.url, 'GET', 'setting/1', undefined, { authorization: `Bearer ${token}` })
  expect(await setting.json()).toMatchObject({ sending_held: true })
  return { server, token }
}

test('a back-up under traffic is restored on another folder: every click once, no postback and no invoice sent until an admin allows it, and the CRM books the invoice once [SYS-05] [MON-14]', async () => {
  const dataDir = newFolder()
  expect(await run(['restore', target], dataDir)).toContain('restored in')
  // The original runs on, with processes and locks of its own.
  const { server, token } = await expectRestored(dataDir, AS_NPM_START)
  const record = await openRecord(dataDir)
  const { rows } = await record.query<{ waiting: number }>(
    `update postback set next_attempt_at = now() where status = 'pending' returning (select count(*)::int from postback where status = 'pending') as waiting`,
  )
  expect(rows[0]?.waiting).toBeGreaterThan(0)
  const backups = await record.query(
    'select state, manifest is not null as has_manifest, moment is not null as has_moment from backup',
  )
  expect(backups.rows).toEqual([{ state: 'done', has_manifest: true, has_moment: true }])
  partner.answer = ok
  partner.calls.length = 0
  mood = 'ok'
  const crmCalls = crm.calls()
  await record.query(`delete from jobs.job where name = 'send-invoices'`)
  await call(server.url, token, 'PUT', `payment_invoice/${INVOICE}/send`, {})
  const ended = `select from jobs.job where name = 'send-invoices' and state = 'completed'`
  await expect.poll(async () => (await record.query(ended)).rowCount, { timeout: 20_000 }).toBeGreaterThan(0)
  await sleep(1500)
  expect(partner.calls).toEqual([])
  expect(crm.calls()).toBe(crmCalls)
  expect(await readInvoice(record)).toEqual({ status: 'queued', waits: false })
  await call(server.url, token, 'PATCH', 'setting/1', { sending_held: false })
  await call(server.url, token, 'PUT', `payment_invoice/${INVOICE}/send`, {})
  await expect.poll(() => partner.calls.length, { timeout: 20_000 }).toBe(rows[0]?.waiting)
  await expect.poll(() => readInvoice(record), { timeout: 20_000 }).toMatchObject({ status: 'accepted' })
  expect(crm.calls()).toBeGreaterThan(crmCalls)
  expect(crm.booked.size).toBe(1)
  await sleep(1500)
  expect(partner.calls.length, 'each postback is sent once').toBe(rows[0]?.waiting)
  await record.end()
  expect(await server.stop()).toBe(0)
})

test('a server that is killed during a back-up makes it again after its start, and what is stored is whole [SYS-05]', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { dataDir } = original.server
    const record = await openRecord(dataDir)
    const { rows } = await record.query<{ id: number }>(
      `insert into backup (target, reason) values ($1, 'command') returning id`,
      [target],
    )
    await expect
      .poll(async () => (await record.query('select state from backup where id = $1', [rows[0]?.id])).rows[0], {
        interval: 5,
        timeout: 20_000,
      })
      .toEqual({ state: expect.stringMatching('running|done') })
    await sleep(Math.random() * 400)
    await record.end()
    await original.server.kill()
    original.server = await startTestServer({ env: ENV, dataDir })
    const later = await openRecord(dataDir)
    await expect
      .poll(async () => (await later.query('select state, error from backup where id = $1', [rows[0]?.id])).rows[0], {
        timeout: 30_000,
      })
      .toEqual({ state: 'done', error: null })
    await later.end()
    expect(await run(['backup:verify', target], dataDir)).not.toContain('damaged')
  }
})

test('a back-up whose end could not be noted is made again by the same server [SYS-05]', async () => {
  const record = await openRecord(original.server.dataDir)
  const { rows } = await record.query<{ id: number }>(
    `insert into backup (target, reason, state) values ($1, 'command', 'running') returning id`,
    [target],
  )
  const read = async () => (await record.query('select state, error from backup where id = $1', [rows[0]?.id])).rows[0]
  await expect.poll(read, { timeout: 30_000 }).toEqual({ state: 'done', error: null })
  await record.end()
})

test('a killed restore from a bucket is not started, and the repeated one is whole; into other engines by URL as well [SYS-05] [SYS-02]', async () => {
  await run(['backup', bucket], original.server.dataDir)
  expect(await run(['backup:verify', bucket], original.server.dataDir)).toMatch(/^manifests\/\S+ is whole\n$/)
  for (let round = 0; round < ROUNDS; round++) await restoreAfterKill()
})

async function restoreAfterKill(): Promise<void> {
  const dataDir = newFolder()
  const { url } = await createTestDatabase('empty')
  const env = { DATABASE_URL: url }
  const killed = spawnTestServer({ dataDir, args: ['restore', bucket], env: { ...ENV, ...env } })
  await expect.poll(() => killed.output(), { timeout: 60_000 }).toContain('restoring')
  await sleep(Math.random() * 1500)
  await killed.kill()
  const started = spawnTestServer({ dataDir, env: { ...ENV, ...env } })
  await Promise.race([started.exited, started.ready().catch(() => undefined)])
  // A kill before the first table leaves an empty database, in which a server may start.
  if (started.url === '') {
    expect(started.output()).toContain('a restore into this database has not ended')
    await run(['restore', bucket], dataDir, env)
    const { server } = await expectRestored(dataDir, env)
    expect(await server.stop()).toBe(0)
  } else await started.stop()
}

test('a restore that is killed after its last transaction is repeated by the same folder, and by no other one [SYS-05]', async () => {
  const dataDir = newFolder()
  const { url } = await createTestDatabase('empty')
  const env = { DATABASE_URL: url }
  const killed = spawnTestServer({ dataDir, args: ['restore', target], env: { ...ENV, ...env } })
  await expect.poll(() => killed.output(), { timeout: 60_000, interval: 5 }).toContain('the record is back')
  await killed.kill()
  await expect(run(['restore', target], newFolder(), env)).rejects.toThrow('the database is not empty')
  await run(['restore', target], dataDir, env)
  const { server } = await expectRestored(dataDir, env)
  expect(await server.stop()).toBe(0)
  await expect(run(['restore', target], newFolder(), env)).rejects.toThrow('the database is not empty')
})

test('a restore refuses a folder that holds anything before it looks at an engine, and leaves nothing after a wrong passphrase [SYS-05]', async () => {
  const { url } = await createTestDatabase('empty')
  const env = { DATABASE_URL: url }
  const used = newFolder()
  writeFileSync(join(used, 'secret'), 'of another installation, which must stay as it is')
  await expect(run(['restore', target], used, env)).rejects.toThrow('it holds an installation: secret. Nothing was')
  expect(readdirSync(used)).toEqual(['secret'])
  const strange = newFolder()
  writeFileSync(join(strange, 'letter.txt'), 'of somebody')
  await expect(run(['restore', target], strange, env)).rejects.toThrow('it holds other files: letter.txt. Nothing was')
  const empty = newFolder()
  const wrong = { ...env, BACKUP_PASSPHRASE: 'another passphrase' }
  await expect(run(['restore', target], empty, wrong)).rejects.toThrow('BACKUP_PASSPHRASE does not open this back-up')
  await expect(run(['restore', target], empty, { ...env, BACKUP_PASSPHRASE: '' })).rejects.toThrow(
    'set BACKUP_PASSPHRASE',
  )
  expect(readdirSync(empty)).toEqual([])
  expect(await run(['backup:verify', target], empty)).toContain('is whole')
  await expect(run(['backup:verify', target], empty, { BACKUP_PASSPHRASE: 'another passphrase' })).rejects.toThrow(
    /BACKUP_PASSPHRASE does not open \d+ of \d+ back-ups, which are whole otherwise/,
  )
  expect(readdirSync(empty)).toEqual([])
  await expect(run(['backup', target], empty)).rejects.toThrow('holds no installation')
  expect(readdirSync(empty)).toEqual([])
})

interface Named {
  readonly hash: string
}
interface Parts {
  readonly facts: readonly { readonly parts: readonly Named[] }[]
  readonly files: readonly Named[]
}

function readLatest(): Parts {
  const folder = join(target, 'manifests')
  return JSON.parse(readFileSync(join(folder, readdirSync(folder).sort().at(-1) ?? ''), 'utf8')) as Parts
}

test('a back-up stores again what was lost or cut in the place, so that it and earlier ones are whole [SYS-05]', async () => {
  const { dataDir } = original.server
  await run(['backup', target], dataDir)
  const { facts, files } = readLatest()
  const lost = [facts.flatMap(({ parts }) => parts)[0], files[0]].map((object) => object?.hash ?? '')
  const [part = '', file = ''] = lost.map((hash) => join(target, 'objects', hash.slice(0, 2), hash))
  rmSync(part)
  writeFileSync(file, '')
  await expect(run(['backup:verify', target], dataDir)).rejects.toThrow(/Delete the objects named above/)
  await run(['backup', target], dataDir)
  expect(await run(['backup:verify', target], dataDir)).toMatch(/^(manifests\/\S+ is whole\n){3,}$/)
})

test('a later back-up stores what is new, verify finds a damaged object by name, and a restore into a used folder changes nothing [SYS-05]', async () => {
  const { dataDir } = original.server
  const was = megabytes(target)
  await run(['backup', target], dataDir)
  // Some tables of the product change at every start.
  expect(megabytes(target) - was).toBeLessThan(was / 3)
  expect(await run(['backup:verify', target], dataDir)).toMatch(/^(manifests\/\S+ is whole\n){3,}$/)
  const secret = readFileSync(join(dataDir, 'secret'), 'utf8')
  await expect(run(['restore', target], dataDir)).rejects.toThrow(/is not empty, it holds an installation: .*secret/)
  expect(await original.server.stop()).toBe(0)
  const before = readdirSync(dataDir)
  await expect(run(['restore', target], dataDir)).rejects.toThrow('Nothing was written. Set DATA_DIR to a new folder')
  expect(readdirSync(dataDir)).toEqual(before)
  expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe(secret)
  const objects = readdirSync(join(target, 'objects'), { recursive: true, withFileTypes: true })
  const victim = objects.find((entry) => entry.isFile())
  writeFileSync(join(victim?.parentPath ?? '', victim?.name ?? ''), 'flipped')
  await expect(run(['backup:verify', target], dataDir)).rejects.toThrow(`${victim?.name} is damaged`)
})
