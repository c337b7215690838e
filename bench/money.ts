// Measures what a finance lead waits for, on the demo network with 30,000 more qualified players in the last month: the close, the preview of
// all partners, a partner's ledger, the PDF of a long statement, and true-ups over 12 and 24 closed months. MONEY_PLAYERS sets the number of players.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { Client } from 'pg'
import { findPostmaster } from '../server/src/postgres/postmaster.ts'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median } from './figure.ts'
import { copyToEarlierYear, rejectSome } from './money-months.ts'
import { measureStatementPdf } from './statement-pdf.ts'
import { ADMIN_ENV, post, send, signIn } from './whole-server.ts'

const PLAYERS = Number(process.env.MONEY_PLAYERS ?? 30_000)
const ROUNDS = 5
const TRUE_UPS = 3
const START_LIMIT_MS = 900_000
const LAST_DAY = addDays(`${today(DEFAULT_ZONE).slice(0, 7)}-01`, -1)
const MONTH = LAST_DAY.slice(0, 7)
const PREFIX = 'money-bench-'

interface OfferPartner {
  readonly advertiser: number
  readonly partner: number
  readonly site: string
  readonly country: string
}

export async function run(): Promise<Figure[]> {
  // Before this process has held anything else.
  const pdf = await measureStatementPdf()
  const dataDir = makeDataDirectory('money')
  const demo = spawn(process.execPath, [join(import.meta.dirname, '../demo/main.ts')], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
      DEMO_MONTHS: 'open',
      ...ADMIN_ENV,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await untilReady(demo)
    const token = await signIn(url)
    const record = await openRecord(dataDir)
    try {
      return [...pdf, ...(await measure(url, token, record))]
    } finally {
      await record.end()
    }
  } finally {
    demo.kill('SIGINT')
    if (demo.exitCode === null && demo.signalCode === null) await once(demo, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measure(url: string, token: string, record: Client): Promise<Figure[]> {
  const places = await readOfferPartners(record)
  await qualifyPlayers(url, token, record, places)
  const months = await readMonths(record)
  const closes: number[] = []
  for (const month of months) closes.push(await timeOf(() => post(url, 'period_close', { month }, token)))
  const [partner = 0] = places.map((place) => place.partner)
  const filter = { date_from: `${MONTH}-01`, date_to: LAST_DAY }
  const previews = await repeat(() => post(url, 'payment_invoice/preview', { filter }, token))
  const ledgers = await repeat(() => send(url, 'GET', `partner/${partner}/ledger`, undefined, token))
  const ofOneYear = await timeTrueUps(url, token, record, 0)
  await copyToEarlierYear(record)
  await untilStill(() => countOutbox(record))
  const earlier = (await readMonths(record)).filter((month) => !months.includes(month))
  for (const month of earlier) await post(url, 'period_close', { month }, token)
  const ofTwoYears = await timeTrueUps(url, token, record, TRUE_UPS)
  const figure = (name: string, runs: readonly number[]): Figure => ({
    name,
    value: median(runs),
    unit: 'ms',
    ...(runs.length > 1 && { runs }),
  })
  return [
    { name: 'money.players', value: await countQualified(record), unit: '' },
    { name: 'money.months', value: months.length, unit: '' },
    { name: 'money.months_of_two_years', value: months.length + earlier.length, unit: '' },
    figure('money.close', closes),
    // The month with the additional players.
    figure('money.close_largest', closes.slice(-1)),
    figure('money.preview', previews),
    figure('money.ledger', ledgers),
    figure('money.true_up_of_one_year', ofOneYear),
    figure('money.true_up', ofTwoYears),
    // Twice the months with twice the players: 2 is linear.
    { name: 'money.true_up_times', value: median(ofTwoYears) / median(ofOneYear), unit: '×' },
  ]
}

/** Each run books what has arrived late in every closed month. */
async function timeTrueUps(url: string, token: string, record: Client, first: number): Promise<number[]> {
  const times: number[] = []
  for (let round = first; round < first + TRUE_UPS; round++) {
    const rejected = await rejectSome(record, round)
    await untilStill(() => countOutbox(record))
    const before = await countEntries(record)
    times.push(await timeOf(() => bookTrueUps(url, token, record)))
    console.log(
      `  ${rejected} late resolutions: ${(await countEntries(record)) - before} true-ups in ${Math.round(times.at(-1) ?? 0)} ms`,
    )
  }
  return times
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function repeat(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timeOf(work))
  return times
}

/** Address of the demo when it is ready. */
async function untilReady(demo: ChildProcess): Promise<string> {
  let output = ''
  demo.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const deadline = performance.now() + START_LIMIT_MS
  for (;;) {
    const address = /is ready on (\S+)/.exec(output)?.[1]
    if (address !== undefined && /^ *Code +\d{6}/m.test(output)) return address
    if (demo.exitCode !== null || performance.now() > deadline) throw new Error(`the demo is not ready:\n${output}`)
    await sleep(100)
  }
}

async function openRecord(dataDir: string): Promise<Client> {
  const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim()
  const port = findPostmaster(join(dataDir, 'postgres', 'data'))?.port
  const client = new Client(`postgres://tributary:${password}@127.0.0.1:${port}/postgres`)
  await client.connect()
  return client
}

/** Partner offers that are paid per player, in the order of their ids. */
async function readOfferPartners(record: Client): Promise<OfferPartner[]> {
  const { rows } = await record.query<OfferPartner>(
    `select o.advertiser_id as advertiser, l.partner_id as partner, l.site_id as site, c.code as country
      from offer_partner l join offer o on o.id = l.offer_id join payment_model m on m.id = o.payment_model_id
        join advertiser_country a on a.id = o.advertiser_country_id join country c on c.id = a.country_id
      where m.type = 'CPA' and l.active and l.state = 'approved' and l.site_id is not null order by l.id`,
  )
  if (rows.length === 0) throw new Error('the demo has no partner offer that is paid per player')
  return rows
}

const HEADER =
  'Player ID,Report date,Registration date,Site ID,Country,Currency,First day amount,Number of deposits,Deposits,Bets'

/** Imports players who deposit and bet enough for any terms, and approves their payment. */
async function qualifyPlayers(
  url: string,
  token: string,
  record: Client,
  places: readonly OfferPartner[],
): Promise<void> {
  const lines = new Map<number, string[]>()
  for (let number = 0; number < PLAYERS; number++) {
    const { advertiser, site, country } = places[number % places.length] as OfferPartner
    const day = `${MONTH}-${String(1 + (number % 20)).padStart(2, '0')}`
    const own = lines.get(advertiser) ?? [HEADER]
    own.push(`${PREFIX}${number},${day},${day} 10:00:00,${site},${country},EUR,900,5,5000,50000`)
    lines.set(advertiser, own)
  }
  for (const [advertiser, own] of lines) {
    const form = new FormData()
    form.append('file', new Blob([own.join('\n')]), 'players.csv')
    const { id } = await send<{ id: number }>(url, 'POST', `player/import?advertiser=${advertiser}`, form, token)
    for (;;) {
      const { status } = await send<{ status: string }>(url, 'GET', `report/${id}`, undefined, token)
      if (status === 'success' || status === 'warnings') break
      if (status !== 'waiting' && status !== 'processing') throw new Error(`the import ended as ${status}`)
      await sleep(200)
    }
  }
  await untilStill(() => countQualified(record))
  for (const advertiser of lines.keys()) {
    const filter = `filter[advertiser]=${advertiser}&filter[outer_id][like]=${PREFIX}`
    await send(
      url,
      'PUT',
      'player/bulk_update',
      { ids: [], exclusive: true, filter, payment_resolution: 'approved' },
      token,
    )
  }
  await untilStill(() => countOutbox(record))
}

const numberOf = async (record: Client, sql: string, values: unknown[] = []): Promise<number> =>
  Number((await record.query<{ n: string }>(sql, values)).rows[0]?.n ?? 0)

const countQualified = (record: Client): Promise<number> =>
  numberOf(record, 'select count(*) as n from player where outer_id like $1 and qualified_at is not null', [
    `${PREFIX}%`,
  ])

const countEntries = (record: Client): Promise<number> => numberOf(record, 'select count(*) as n from ledger_entry')

const countOutbox = (record: Client): Promise<number> => numberOf(record, 'select count(*) as n from outbox')

/** Waits until the number has been the same for five seconds. */
async function untilStill(count: () => Promise<number>): Promise<void> {
  for (let last = Number.NaN, same = 0; same < 5; ) {
    await sleep(1000)
    const now = await count()
    same = now === last ? same + 1 : 0
    last = now
  }
}

/** The months of the demo that are over, in their order. */
async function readMonths(record: Client): Promise<string[]> {
  const { rows } = await record.query<{ month: string }>(
    `select distinct to_char(report_date, 'YYYY-MM') as month from player_report where to_char(report_date, 'YYYY-MM') <= $1 order by 1`,
    [MONTH],
  )
  return rows.map(({ month }) => month)
}

/** Returns when the job that books true-ups has ended. */
async function bookTrueUps(url: string, token: string, record: Client): Promise<void> {
  const { job } = await post<{ job: string }>(url, 'ledger_entry/true_up', {}, token)
  for (;;) {
    const { rows } = await record.query<{ state: string }>('select state from jobs.job where id::text = $1', [job])
    const [own] = rows
    if (own === undefined || own.state === 'completed') return
    if (own.state === 'failed') throw new Error('the job of true-ups failed')
    await sleep(20)
  }
}
