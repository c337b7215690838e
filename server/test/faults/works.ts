// What people and machines do with the product while faults happen. Each work repeats what was not answered, as its user would, and notes in
// the model what was answered.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { expect } from 'vitest'
import { PASSWORD } from '../support/sign-in.ts'
import type { Admin } from './admin.ts'
import type { Installation } from './installation.ts'
import {
  AGENCY,
  FIRST_SPEND_DAY,
  MANUAL_STREAM,
  type Model,
  monthOf,
  SHARES,
  SHEET_DAYS,
  SHEET_MONTH,
} from './model.ts'

export interface World {
  readonly installation: Installation
  readonly admin: Admin
  readonly model: Model
}

const GIVE_UP_MS = 240_000
const IMPORT_ROWS = 400

type Work = (world: World) => Promise<void>

/** What a connection of its own reads from the record; undefined while there is none. */
export async function readRecord<T extends object>(
  { installation }: Pick<World, 'installation'>,
  sql: string,
  values: readonly unknown[] = [],
): Promise<T[] | undefined> {
  try {
    const record = await installation.openRecord()
    try {
      return (await record.query<T>(sql, [...values])).rows
    } finally {
      await record.end().catch(() => undefined)
    }
  } catch {
    return undefined
  }
}

/** Reads until something is found. */
export async function awaitRecord<T extends object>(
  world: Pick<World, 'installation'>,
  what: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<T> {
  for (const until = Date.now() + GIVE_UP_MS; Date.now() < until; await sleep(200)) {
    const rows = await readRecord<T>(world, sql, values)
    if (rows?.[0] !== undefined) return rows[0]
  }
  const jobs = await readRecord(
    world,
    `select name, state, retry_count, started_on, output from jobs.job where state in ('active', 'retry', 'created')`,
  )
  throw new Error(`${what} did not happen in time: ${JSON.stringify(jobs)?.slice(0, 2000)}`)
}

/**
 * Sends a file of figures of one month; a file whose answer was lost is sent again only if the product does not list it. The product may still
 * be taking the first one: then it has both, as from a person who sends a file twice.
 */
async function importFile(world: World, month: string): Promise<{ income: number }> {
  const { installation, admin, model } = world
  const number = model.files.length
  const name = `faults-${number}.csv`
  const lines = Array.from({ length: IMPORT_ROWS }, (_, row) => ({
    deposit: (row % 90) + 10,
    income: (row % 7) + 1 + number,
  }))
  const text = lines.map(
    ({ deposit, income }, row) =>
      `file-${number}-${row},${month}-${String((row % 28) + 1).padStart(2, '0')},${SHARES.site},${deposit},1,${income},EUR`,
  )
  const sum = (key: 'deposit' | 'income'): number => lines.reduce((all, line) => all + line[key], 0)
  const file = {
    name,
    month,
    rows: lines.length,
    deposits: sum('deposit'),
    income: sum('income'),
    sent: 0,
    answered: false,
  }
  model.files.push(file)
  const content = ['Player ID,Report date,Site ID,Deposits,All deps,Income,Currency', ...text].join('\n')
  for (const until = Date.now() + GIVE_UP_MS; Date.now() < until; await sleep(200)) {
    file.sent += 1
    const status = await upload(installation, admin, name, content)
    if (status !== undefined) {
      expect(status, `the upload of ${name}`).toBe(201)
      break
    }
    const listed = await readRecord(world, 'select from report where file_name = $1', [name])
    if (listed !== undefined && listed.length > 0) break
  }
  file.answered = true
  return { income: file.income }
}

async function upload(
  installation: Installation,
  admin: Admin,
  name: string,
  content: string,
): Promise<number | undefined> {
  const token = await admin.token()
  const form = new FormData()
  form.append('file', new Blob([content]), name)
  try {
    const url = `${installation.server.url}/api/player/import?advertiser=1`
    const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form })
    await answer.text()
    if (answer.status === 401) admin.forget()
    return answer.status >= 500 || answer.status === 401 ? undefined : answer.status
  } catch {
    return undefined
  }
}

/** Days that no other work writes to. */
const importMonth = (): string => new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 7)

const ENDED = `select status, error from report where file_name = $1 and status not in ('waiting', 'processing')`

async function closeAndPay(world: World): Promise<void> {
  const { admin, model } = world
  const month = monthOf(model.months.length)
  const paid: Model['months'][number] = {
    month,
    income: 0,
    closed: false,
    statement: undefined,
    paid: 0,
    invoice: undefined,
  }
  // The income of a file that has failed is not there, so the month takes what the record has.
  await importFile(world, month)
  const name = model.files.at(-1)?.name
  await awaitRecord(world, `the import of ${name}`, ENDED, [name])
  const { income } = await awaitRecord<{ income: number }>(
    world,
    'the income',
    `select coalesce(sum(income), 0)::float as income from player_report where to_char(report_date, 'YYYY-MM') = $1`,
    [month],
  )
  model.months.push({ ...paid, income })
  const entry = model.months.at(-1) ?? paid
  await close(world, month)
  entry.closed = true
  if (income === 0) return
  await admin.call('POST', 'statement', { partner: SHARES.partner, month })
  const statement = await awaitRecord<{ id: number; half: string; state: string }>(
    world,
    `the statement of ${month}`,
    `select id, round(total / 2, 2)::text as half, state from statement where partner_id = $1 and month = $2 and state <> 'void'`,
    [SHARES.partner, month],
  )
  entry.statement = statement.id
  await admin.call('PUT', `statement/${statement.id}/approve`, {})
  await pay(world, entry, statement.half)
  const { id } = await awaitRecord<{ id: number }>(
    world,
    'an invoice',
    'select id from payment_invoice where statement_id = $1',
    [statement.id],
  )
  await admin.call('PUT', `payment_invoice/${id}/send`, {})
  entry.invoice = id
}

/** The facts may be behind for longer than a close waits. */
async function close(world: World, month: string): Promise<void> {
  for (const until = Date.now() + GIVE_UP_MS; Date.now() < until; await sleep(500)) {
    const answer = await world.admin.call('POST', 'period_close', { month })
    if (answer.status === 201) return
    const text = JSON.stringify(answer.body)
    // An earlier try was answered to nobody.
    if (text.includes('period_nobody')) return
    if (!/rebuilding|close_running/.test(text))
      throw new Error(`the close of ${month} was answered ${answer.status}: ${text}`)
  }
  throw new Error(`${month} could not be closed in time`)
}

/** Half of a statement: the product would take it a second time. */
async function pay({ admin }: World, entry: Model['months'][number], amount: string): Promise<void> {
  const body = {
    statement: entry.statement,
    paid_at: today(DEFAULT_ZONE),
    amount,
    currency: AGENCY.currency,
    reference: entry.month,
  }
  const answer = await admin.call('POST', 'payment', body, { 'idempotency-key': `payment-${entry.month}` })
  expect(answer.status, `a payment: ${JSON.stringify(answer.body)}`).toBe(201)
  entry.paid = Number(amount)
}

async function enterSpends({ admin, model }: World): Promise<void> {
  for (let left = 6; left > 0; left--) {
    const number = model.spends.size
    const date = addDays(FIRST_SPEND_DAY, number)
    const sum = 5 + (number % 11)
    const body = { stream: MANUAL_STREAM, country: AGENCY.country, date, sum: String(sum), currency: AGENCY.currency }
    const key = `spend-of-day-${date}`
    const answer = await admin.call('POST', 'partner_spend', body, { 'idempotency-key': key })
    expect(answer.status, `a spend: ${JSON.stringify(answer.body)}`).toBe(201)
    model.spends.set(key, sum)
  }
}

async function parseSheet(world: World): Promise<void> {
  const { admin, model } = world
  const base = Math.round(model.sheet?.sum ?? 0) + 10
  const amounts = Array.from({ length: SHEET_DAYS }, (_, index) => (base % 1000) + index + 10)
  const rows = [
    ['Stream', 'Country', ...amounts.map((_, index) => index + 1)],
    ['ads', 'Ukraine', ...amounts],
  ]
  const title = `${SHEET_MONTH.slice(5)}.${SHEET_MONTH.slice(0, 4)}`
  model.served = { title: 'Spends', locale: 'en_US', timeZone: 'UTC', tabs: [{ id: 0, title, rows }] }
  await admin.call('POST', 'partner_partner_group/1/parse_sheet', { month: SHEET_MONTH })
  model.sheet = { sum: amounts.reduce((all, one) => all + one, 0) }
}

/** Facts are rebuilt by themselves from the record while everything goes on. */
const rebuild: Work = async (world) => {
  const { id } = await awaitRecord<{ id: number }>(
    world,
    'a request for a rebuild',
    `insert into facts_rebuild (reason) values ('faults') returning id`,
  )
  await awaitRecord(world, 'a rebuild', `select from facts_rebuild where id = $1 and state = 'done'`, [id])
}

export const backupFolder = ({ installation }: World): string => join(installation.disk.path, 'back-ups')

const backUp: Work = async (world) => {
  const confirmed = [...world.model.confirmed()]
  const { id } = await awaitRecord<{ id: number }>(
    world,
    'a request for a back-up',
    `insert into backup (target, reason) values ($1, 'command') returning id`,
    [backupFolder(world)],
  )
  const { state, error } = await awaitRecord<{ state: string; error: string | null }>(
    world,
    'a back-up',
    `select state, error from backup where id = $1 and state in ('done', 'failed')`,
    [id],
  )
  // If an engine dies, the rebuild may fail with an error. It is then requested again.
  if (state === 'done')
    Object.assign(world.model, { backups: world.model.backups + 1, confirmedBeforeBackup: confirmed })
  else process.stdout.write(`  a back-up failed: ${error?.slice(0, 200)}\n`)
}

export const WORKS: Readonly<Record<string, Work>> = {
  'an import': async (world) => void (await importFile(world, importMonth())),
  'a close, a statement, a payment and an invoice': closeAndPay,
  'entered spends': enterSpends,
  'a parse of a spend sheet': parseSheet,
  'a rebuild of the facts': rebuild,
  'a back-up': backUp,
  'traffic alone': async () => undefined,
}

export async function prepareWorks({ admin, model }: World): Promise<void> {
  const put = async (path: string, body: object): Promise<void> => {
    const answer = await admin.call('PUT', path, body)
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  }
  await put('integration/sheets', { base_url: model.google.url, credential: model.google.credential })
  await put('integration/crm', { base_url: model.crm.url, credential: model.crm.credential })
  await put(`partner/${SHARES.partner}/billing`, {
    currency: AGENCY.currency,
    legal_name: 'Company',
    hold_days: 0,
    current_password: PASSWORD,
  })
}
