// Fills an empty database with the demo network and its past, then starts live traffic, if visitors are wanted. A database with other offers stays unchanged.

import { hashPassword } from '../server/src/access/password.ts'
import { makeCode } from '../server/src/access/two-factor.ts'
import { rebuildFacts } from '../server/src/facts/rebuild-request.ts'
import { readIntegration, writeIntegration } from '../server/src/integrations/integration.ts'
import type { Companion } from '../server/src/run.ts'
import type { Server } from '../server/src/server.ts'
import type { Services } from '../server/src/services.ts'
import { restoreUniqueness } from '../server/src/tracker/clicks/recorded-clicks.ts'
import { trackers } from '../server/src/tracker/tracker.ts'
import { openBooks } from './advertisers-books.ts'
import { writeBudgets } from './budgets.ts'
import { closeMonths } from './closed-months.ts'
import { type Account, accountOf, type DemoOptions, type DemoSize } from './config.ts'
import { type BookedRequest, type CrmMood, type CrmServer, startCrmServer } from './crm-server.ts'
import { type GoogleSheetsServer, startGoogleSheetsServer } from './google-sheets-server.ts'
import { type DemoWorld, planWorld, writeAttempts, writeHistory } from './history.ts'
import type { Pending } from './history-rows.ts'
import { type LiveOfferPartner, startLive } from './live.ts'
import { startPartnerServer } from './partner-server.ts'
import { type PlayersApiServer, startPlayersApiServer } from './players-api-server.ts'
import { makeRandom } from './random.ts'
import { assignSheets, openSheets } from './spend-sheets.ts'
import { drawMissingFiles } from './statement-files.ts'
import { CLOSED_PROJECT } from './statements.ts'

const VISITS: Readonly<Record<DemoSize, number>> = { small: 24_000, full: 640_000 }
/** Visits a second. A small network has few: each wakes the writers of all facts, which is most of what an idle demo computes. */
const LIVE_RATE: Readonly<Record<DemoSize, number>> = { small: 0.5, full: 3 }

export async function startDemo(
  server: Server,
  { size, closesMonths, hasVisitors }: DemoOptions,
  stopping: AbortSignal,
): Promise<Companion> {
  const { services, url } = server
  const state = await readState(services)
  const account = accountOf(services.config)
  if (state === 'foreign' || account === undefined)
    return {
      lines: ['', 'The record has offers of its own: the demo network is not added.'],
      stop: async () => undefined,
    }
  const partners = await startPartnerServer(size === 'small' ? 1 : 2)
  const now = Date.now()
  const zone = await readZone(services)
  const world = planWorld(services, size, zone, now)
  let pending: readonly Pending[] = []
  if (state === 'ready' || state === 'recorded') await movePartners(services, partners.url)
  else {
    if (state === 'unfinished') await clearRecord(services)
    const past = { zone, now, partnersUrl: partners.url, account, visits: VISITS[size], stopping }
    pending = await makePast(services, world, past)
  }
  if (state !== 'ready') await closePast(services, world, closesMonths)
  const playersApi = await connectPlayersApi(services)
  const crm = await connectCrm(services)
  const sheets = await connectSheets(services)
  const offerPartners = await readOfferPartners(services)
  const live = hasVisitors
    ? startLive({
        url,
        log: services.log,
        world,
        random: makeRandom(now),
        offerPartners,
        pending,
        rate: LIVE_RATE[size],
      })
    : undefined
  const codes = showCodes(services, account)
  const files = drawMissingFiles(services)
  return {
    lines: describe(url, account),
    async stop() {
      codes.stop()
      await live?.stop()
      await Promise.all([partners.stop(), playersApi.stop(), crm.stop(), sheets.stop(), files.stop()])
    },
  }
}

interface Past {
  readonly zone: string
  readonly now: number
  readonly partnersUrl: string
  readonly account: Account
  readonly visits: number
  readonly stopping: AbortSignal
}

async function makePast(services: Services, world: DemoWorld, past: Past): Promise<readonly Pending[]> {
  const { log, postgres } = services
  const { account, now, partnersUrl, stopping, visits, zone } = past
  const began = performance.now()
  say('Making a demo network and a year of its past …')
  await markState(services, 'unfinished')
  const { pending, ...counts } = await writeHistory(services, world, {
    zone,
    now,
    partnersUrl,
    passwordHash: await hashPassword(account.password),
    visits,
    stopping,
    progress: say,
  })
  stopping.throwIfAborted()
  say('reports are being filled …')
  await Promise.race([Promise.all([rebuildFacts(postgres, 'demo'), writeAttempts(services)]), rejectWhen(stopping)])
  await writeBudgets(services, world.calendar.day(world.calendar.days - 1), makeRandom(world.seed).fork('budgets'))
  const tracker = trackers.of(services)
  await restoreUniqueness(tracker.uniqueness, now - tracker.offerPartners.uniquenessWindow(), services)
  await markState(services, 'recorded')
  log.info({ ...counts, seconds: Math.round((performance.now() - began) / 100) / 10 }, 'the demo network is there')
  return pending
}

/** Ledger entries are never deleted, so an interrupted close is not begun anew but left as it is. */
async function closePast(services: Services, { calendar }: DemoWorld, closesMonths: boolean): Promise<void> {
  if (closesMonths) {
    say('months are being closed …')
    await closeMonths(services, { first: calendar.first, today: calendar.day(calendar.days - 1) })
  }
  await markState(services, 'ready')
}

/** Updates the partners' postback URLs, because the fake partners may listen on another port than last time. */
async function movePartners({ postgres }: Services, url: string): Promise<void> {
  await postgres.pool.query(
    `update partner_postback_url set url = regexp_replace(url, '^(http://(?:127\\.0\\.0\\.1|localhost)):\\d+', '\\1:' || $1::text)
     where url ~ '^http://(127\\.0\\.0\\.1|localhost):' and not url ~ ('^[^/]+//[^/]+:' || $1::text || '/')`,
    [new URL(url).port],
  )
}

const PLAYERS_API_PORT = 8094
const CRM_PORT = 8097
const HERE = 'http://127.0.0.1:'

/** Starts the fake players API and sets its base URL, unless an admin has set another one. */
async function connectPlayersApi(services: Services): Promise<PlayersApiServer> {
  const server = await startPlayersApiServer(openBooks(services.postgres), undefined, PLAYERS_API_PORT)
  const { baseUrl } = await readIntegration(services, 'players_api')
  if (baseUrl === null || (baseUrl.startsWith(HERE) && baseUrl !== server.url))
    await writeIntegration(services, 'players_api', { baseUrl: server.url, credential: server.credential })
  return server
}

const SHEETS_PORT = 8096

/** The next minute parses the sheets for the first time. A key or an address that somebody has set is left alone. */
async function connectSheets(services: Services): Promise<GoogleSheetsServer> {
  const server = await startGoogleSheetsServer(openSheets(services.postgres), SHEETS_PORT)
  const { baseUrl, credential } = await readIntegration(services, 'sheets')
  if (credential === null || baseUrl?.startsWith(HERE)) {
    await assignSheets(services.postgres)
    await writeIntegration(services, 'sheets', { baseUrl: server.url, credential: server.credential })
  }
  return server
}

/** Answers like a CRM of a bad day: some requests fail first, some lose their answer, and those of a closed project are rejected. */
const moodOf = ({ amount, project_id }: BookedRequest['body'], attempt: number): CrmMood => {
  if (project_id === CLOSED_PROJECT) return 'reject'
  const cents = Number(amount.replace(/\D/g, ''))
  if (attempt === 1 && cents % 3 === 0) return 'fail'
  if (attempt === 1 && cents % 5 === 0) return 'lost'
  return 'ok'
}

/** Starts the fake CRM and sets its base URL, unless an admin has set another one. */
async function connectCrm(services: Services): Promise<CrmServer> {
  const server = await startCrmServer(moodOf, undefined, CRM_PORT)
  const { baseUrl } = await readIntegration(services, 'crm')
  if (baseUrl === null || (baseUrl.startsWith(HERE) && baseUrl !== server.url))
    await writeIntegration(services, 'crm', { baseUrl: server.url, credential: server.credential })
  return server
}

const say = (text: string): void => void process.stdout.write(`  ${text}\n`)

function rejectWhen(stopping: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    stopping.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
  )
}

async function readZone({ postgres }: Services): Promise<string> {
  const { rows } = await postgres.pool.query<{ zone: string }>('select business_time_zone as zone from setting')
  return rows[0]?.zone ?? 'UTC'
}

const PROGRESS = 'demo'
/** `recorded`: the past is there, and its months are to be closed. */
type State = 'empty' | 'unfinished' | 'recorded' | 'ready' | 'foreign'

async function readState({ postgres }: Services): Promise<State> {
  const { rows } = await postgres.pool.query<{ state: State }>(
    `select detail ->> 'state' as state from facts_progress where name = $1`,
    [PROGRESS],
  )
  if (rows[0]) return rows[0].state
  const offers = await postgres.pool.query('select 1 from offer limit 1')
  return offers.rows.length > 0 ? 'foreign' : 'empty'
}

async function markState({ postgres }: Services, state: State): Promise<void> {
  await postgres.pool.query(
    'insert into facts_progress (name, at, detail) values ($1, now(), $2) on conflict (name) do update set at = now(), detail = excluded.detail',
    [PROGRESS, JSON.stringify({ state })],
  )
}

/** Tables that the demo writes; referring tables come before referenced ones. */
const WRITTEN = [
  'partner_budget',
  'budget',
  'player_report',
  'player_event',
  'player',
  'postback',
  'partner_spend',
  'click_inbox',
  'offer_partner',
  'offer_partner_tag',
  'partner_group_offer',
  'offer',
  'partner',
  'partner_group',
  'partner_tag',
  'advertiser',
  'landing',
  'traffic_source',
  'product',
  'country',
] as const

/** Deletes a demo whose writing was interrupted, so that it is written again completely. */
async function clearRecord({ postgres, clickhouse }: Services): Promise<void> {
  await postgres.withClient(async (client) => {
    await client.query('update setting set report_currency_id = null')
    await client.query(`delete from "user" u using user_role r where r.id = u.role_id and r.kind <> 'ADMIN'`)
    for (const table of WRITTEN) await client.query(`delete from ${table}`)
    await client.query('delete from currency')
    await client.query('delete from outbox')
  })
  for (const table of ['click', 'player_fact', 'activity_fact', 'spend_fact'])
    await clickhouse.exec(`truncate table ${table}`)
}

async function readOfferPartners({ postgres }: Services): Promise<LiveOfferPartner[]> {
  const { rows } = await postgres.pool.query<LiveOfferPartner>(
    `select l.uuid, p.uuid as postback from offer_partner l
     join offer_partner_postback p on p.offer_partner_id = l.id and p.kind = 'main' order by l.id`,
  )
  return rows
}

const STEP_MS = 30_000

/** Prints each new code, every half minute, until the first sign-in. */
function showCodes({ postgres }: Services, { email, secret }: Account): { stop(): void } {
  const timer = setInterval(() => {
    void postgres.pool
      .query('select 1 from session s join "user" u on u.id = s.user_id where u.email = $1 limit 1', [email])
      .then(({ rows }) => {
        if (rows.length > 0) clearInterval(timer)
        else process.stdout.write(`  Code      ${makeCode(secret, new Date())}\n`)
      })
      .catch(() => undefined)
  }, STEP_MS)
  return { stop: () => clearInterval(timer) }
}

function describe(url: string, { email, password, secret }: Account): string[] {
  return [
    '',
    `Open ${url} and sign in:`,
    `E-mail    ${email}`,
    `Password  ${password}`,
    `Code      ${makeCode(secret, new Date())}   (a new one every 30 seconds; for an authenticator app: ${secret})`,
    '',
    'With the same password, setting up a code of their own at first sign-in:',
    'hanna.lindqvist@tributary.example (team leader), oksana.melnyk@tributary.example (manager), northwind.media@tributary.example (partner)',
  ]
}
