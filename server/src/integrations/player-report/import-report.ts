// Imports one player report into PostgreSQL in one transaction. An interrupted import leaves no rows and can be started again.

import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageKey } from '@tributary/contract/words/messages'
import { say } from '@tributary/contract/words/messages'
import type { PoolClient } from 'pg'
import { ignore } from '../../lib/promises.ts'
import { SheetFailure } from '../../lib/sheet/sheet.ts'
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts'
import { endOnAbort } from '../../postgres/statement-pool.ts'
import type { Services } from '../../services.ts'
import { readApiPieces } from './api-pieces.ts'
import { gatherWarnings, readWarnings, rejectOnErrors } from './check.ts'
import { findClicks } from './clicks.ts'
import { createProgress, type Progress } from './import-progress.ts'
import { mergeReport } from './merge.ts'
import type { ReportHead } from './read-report.ts'
import { readPieces } from './reader.ts'
import { ReportRejection } from './reader-messages.ts'
import { sourcePath, writeLog } from './report-files.ts'
import { beginAttempt, finishReport, isCancelAsked, type Outcome, type ReportTask, readTask } from './report-row.ts'
import { openStaging, resolveEntries, resolveTexts, stageRows } from './staging.ts'

export type ImportServices = Pick<Services, 'config' | 'postgres' | 'clickhouse' | 'log'>

/** Maximum number of attempts that never finished; after them the report itself is assumed to crash the server. */
const ATTEMPTS = 3
const CANCEL_LOOK_MS = 400

class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Returns false if another server imports the report. Throws if the import failed and should be retried. */
export async function importReport(services: ImportServices, id: number, signal: AbortSignal): Promise<boolean> {
  const { postgres, log } = services
  return postgres.withClient(async (client) => {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
      ADVISORY_LOCKS.report,
      id,
    ])
    if (rows[0]?.taken !== true) return false
    try {
      const task = await readTask(postgres.pool, id)
      if (task !== undefined) await run(services, client, task, signal)
    } finally {
      await client.query('select pg_advisory_unlock($1, $2)', [ADVISORY_LOCKS.report, id]).catch((error: unknown) => {
        log.debug({ error }, 'the lock of a report goes with its connection')
      })
    }
    return true
  })
}

async function run(services: ImportServices, client: PoolClient, task: ReportTask, signal: AbortSignal): Promise<void> {
  const { postgres, config, log } = services
  const end = (outcome: Outcome): Promise<void> => finishReport(postgres.pool, task.id, outcome)
  if (task.isCancelAsked) return end({ status: 'cancelled' })
  if (task.attempts >= ATTEMPTS) return end({ status: 'failed', error: say(task.language, 'import_interrupted') })
  await beginAttempt(postgres.pool, task.id)
  const progress = createProgress(postgres, task)
  const watch = watchCancel(services, task.id, signal)
  try {
    await client.query('begin')
    await endOnAbort(client, watch.signal, () => transact(services, client, task, watch.signal, progress))
    await client.query('commit')
    progress.end('done')
  } catch (error) {
    await client.query('rollback').catch(ignore)
    await progress.settle()
    // The server stops: the next one imports the report again, and this attempt does not count.
    if (signal.aborted) {
      await postgres.pool.query('update report set attempts = attempts - 1 where id = $1', [task.id])
      throw error
    }
    const outcome = watch.signal.aborted ? ({ status: 'cancelled' } as const) : outcomeOf(task, error)
    if (outcome === undefined) throw error
    if (error instanceof ReportRejection) await writeLog(config, task.id, task.language, [error.issues])
    await end(outcome)
    progress.end('failed', outcome.error)
    log.info({ report: task.id, error }, 'a report was not taken')
  } finally {
    watch.stop()
  }
}

function outcomeOf({ language }: ReportTask, error: unknown): Outcome | undefined {
  const failed = (key: MessageKey, warnings?: number): Outcome => ({
    status: 'failed',
    error: say(language, key),
    ...(warnings === undefined ? {} : { warnings }),
  })
  if (error instanceof SheetFailure)
    return failed(error.fault === 'too_complex' ? 'import_too_complex' : 'import_wrong_format')
  if (!(error instanceof ReportRejection)) return undefined
  const [first] = error.issues
  return failed(first?.key ?? 'import_wrong_format', error.issues.length)
}

/** Polls whether a user has cancelled the import. */
function watchCancel(
  { postgres }: ImportServices,
  id: number,
  stopping: AbortSignal,
): { signal: AbortSignal; stop(): void } {
  const cancel = new AbortController()
  const over = new AbortController()
  const signal = AbortSignal.any([cancel.signal, stopping])
  const look = async (): Promise<void> => {
    while (!over.signal.aborted && !signal.aborted) {
      await sleep(CANCEL_LOOK_MS, undefined, { signal: over.signal }).catch(ignore)
      if (over.signal.aborted) return
      const isAsked = await isCancelAsked(postgres.pool, id).catch(() => false)
      if (isAsked) cancel.abort(new Cancelled())
    }
  }
  void look()
  return {
    signal,
    stop: () => over.abort(),
  }
}

/** Allow sorting and hashing half a million rows, and waiting for ClickHouse between two statements. */
const SETTINGS = `set local work_mem = '64MB'; set local idle_in_transaction_session_timeout = '30min'; set local jit = off`

async function transact(
  services: ImportServices,
  client: PoolClient,
  task: ReportTask,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  const { config, clickhouse } = services
  await client.query(SETTINGS)
  // Only one import runs at a time, because two with the same players would block each other.
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.imports])
  await client.query(`select set_config('tributary.cause', $1, true), set_config('tributary.actor', $2, true)`, [
    `report ${task.id}`,
    String(task.requestedBy ?? ''),
  ])
  await openStaging(client)
  const zones = { server: task.serverZone, business: task.businessZone }
  let head: ReportHead = { figures: [], hasClicks: false }
  const onHead = (found: ReportHead): void => {
    head = found
  }
  const path = sourcePath(config, task.id)
  const pieces =
    task.type === 'api'
      ? readApiPieces(path, { zones }, task.day, onHead)
      : readPieces(path, { fileName: task.fileName, zones }, signal, onHead)
  await stageRows(client, progress.following(pieces, 0, 60))
  await resolveTexts(client)
  await findClicks(client, clickhouse, signal, (share) => progress.at(60 + share * 10))
  await resolveEntries(client, task.advertiserId)
  await rejectOnErrors(client)
  const warnings = await gatherWarnings(client, head.hasClicks)
  progress.at(75)
  if (warnings > 0) await writeLog(config, task.id, task.language, readWarnings(client))
  const merged = await mergeReport(client, {
    reportId: task.id,
    figures: head.figures,
    updatesRegistrations: task.updatesRegistrations,
    businessZone: task.businessZone,
    onStep: (share) => progress.at(78 + share * 20),
  })
  signal.throwIfAborted()
  const { rows } = await client.query<{ total: number; from: string | null; to: string | null }>(
    'select (select count(*) from staged_row) as total, min(report_date) as from, max(report_date) as to from entry',
  )
  await progress.settle()
  await finishReport(client, task.id, {
    status: warnings > 0 ? 'warnings' : 'success',
    rows: rows[0]?.total ?? 0,
    warnings,
    ...merged,
    periodFrom: rows[0]?.from ?? null,
    periodTo: rows[0]?.to ?? null,
  })
}
