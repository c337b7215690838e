// Retrieves one day of one advertiser from the players API, stores the response as received, and imports it like a file.

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts'
import { type CallerOptions, IntegrationFailure } from '../call-integration.ts'
import { noteError, noteSuccess, readIntegration } from '../integration.ts'
import { type ImportServices, importReport } from '../player-report/import-report.ts'
import { storeSource } from '../player-report/report-files.ts'
import { createPlayersApi, type PlayersApi } from './players-api.ts'
import { beginDay, type DayOutcome, finishDay, type WaitingDay } from './requests.ts'

/** Longer responses are complete only in the report's file. */
const ORIGINAL_CAP = 64 * 1024
const WARNINGS_CAP = 100

/** Returns false if another server handles the request. If a day cannot be retrieved, its row stores the reason. */
export async function retrieveDay(
  services: ImportServices,
  id: number,
  options: CallerOptions,
  signal: AbortSignal,
): Promise<boolean> {
  return services.postgres.withClient(async (client) => {
    const lock = [ADVISORY_LOCKS.apiReport, id]
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', lock)
    if (rows[0]?.taken !== true) return false
    try {
      const day = await beginDay(services, id)
      if (day !== undefined) await finishDay(services, id, await retrieve(services, day, options, signal))
    } finally {
      await client.query('select pg_advisory_unlock($1, $2)', lock)
    }
    return true
  })
}

const failed = (why: string): DayOutcome => ({ status: 'failed', warnings: [why], original: undefined, reportId: null })

async function retrieve(
  services: ImportServices,
  day: WaitingDay,
  options: CallerOptions,
  signal: AbortSignal,
): Promise<DayOutcome> {
  const { baseUrl, credential, pausedUntil } = await readIntegration(services, 'players_api')
  if (baseUrl === null) return failed('the address of the players API is not set up')
  if (pausedUntil !== null)
    return failed(`the players API failed too often and is left alone until ${pausedUntil.toISOString()}`)
  try {
    const response = await storeResponse(services, createPlayersApi(baseUrl, credential, options), day, signal)
    await noteSuccess(services, 'players_api')
    return await importResponse(services, day, response, signal)
  } catch (error) {
    if (!(error instanceof IntegrationFailure)) throw error
    await noteError(services, 'players_api', error.message)
    return failed(error.message)
  }
}

/** A day as the players API returned it. */
interface StoredResponse {
  /** The file that contains all pages. */
  readonly path: string
  readonly rows: number
  readonly warnings: readonly string[]
  readonly original: unknown
}

/** Writes the pages as a JSON array, one per line. */
async function storeResponse(
  { config }: ImportServices,
  api: PlayersApi,
  day: WaitingDay,
  signal: AbortSignal,
): Promise<StoredResponse> {
  const folder = join(config.dataDir, 'reports')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${randomUUID()}.part`)
  const originals: unknown[] = []
  const warnings: string[] = []
  let [size, rows] = [0, 0]
  async function* writePages(): AsyncGenerator<string> {
    for await (const page of api.fetchDay(day, signal)) {
      const text = JSON.stringify(page.original)
      yield `${size === 0 ? '[' : ','}\n${text}`
      size += text.length
      rows += page.items.length
      warnings.push(...page.warnings)
      if (size <= ORIGINAL_CAP) originals.push(page.original)
    }
    yield '\n]\n'
  }
  try {
    await pipeline(writePages, createWriteStream(path, { mode: 0o600, flush: true }))
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  const original = size <= ORIGINAL_CAP ? originals : { is_cut: true, pages: originals, bytes: size }
  return { path, rows, warnings: warnings.slice(0, WARNINGS_CAP), original }
}

async function importResponse(
  services: ImportServices,
  day: WaitingDay,
  response: StoredResponse,
  signal: AbortSignal,
): Promise<DayOutcome> {
  const { postgres, config } = services
  const { path, warnings, original } = response
  if (response.rows === 0) {
    await rm(path, { force: true })
    return { status: warnings.length > 0 ? 'warnings' : 'success', warnings, original, reportId: null }
  }
  const { rows } = await postgres.pool.query<{ id: number }>(
    `insert into report (type, file_name, advertiser_id, period_from, period_to, status) values ('api', $1, $2, $3, $3, 'cancelled') returning id`,
    [`players ${day.date} ${day.advertiser}.json`, day.advertiserId, day.date],
  )
  const reportId = rows[0]?.id ?? 0
  await storeSource(config, reportId, path)
  await postgres.pool.query("update report set status = 'waiting' where id = $1", [reportId])
  await importReport(services, reportId, signal)
  const { rows: ends } = await postgres.pool.query<{ status: string; error: string | null; warnings: number | null }>(
    'select status, error, warnings from report where id = $1',
    [reportId],
  )
  const end = ends[0]
  if (end === undefined || end.status === 'failed' || end.status === 'cancelled')
    return { status: 'failed', warnings: [...warnings, end?.error ?? 'cancelled'], original, reportId }
  const all = [...warnings, ...rowWarnings(end.warnings ?? 0)]
  return { status: all.length > 0 ? 'warnings' : 'success', warnings: all, original, reportId }
}

/** Names the place of the warnings about rows, if there are any. */
const rowWarnings = (count: number): string[] =>
  count === 0 ? [] : [`the log of the imported file has ${count} ${count === 1 ? 'warning' : 'warnings'}`]
