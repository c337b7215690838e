// Runs all work on facts while this process holds their lock: hand-over of clicks, projection, rebuilds, month sums and cleaning.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Logger } from '../lib/log.ts'
import type { Postgres } from '../postgres/client.ts'
import { dropLoadedClicks, dropSilentWriters } from './clicks/click-cleanup.ts'
import { publishClicks } from './clicks/click-lines.ts'
import { createClickLoader } from './clicks/click-loader.ts'
import { createClickSettling } from './clicks/click-settling.ts'
import { createDamageStep } from './damaged-parts.ts'
import { repeat } from './loop.ts'
import { createMonthChanges, type MonthChanges } from './months/month-changes.ts'
import { createMonthSummer } from './months/month-sums.ts'
import { createOutboxProjector } from './outbox-projector.ts'
import type { OnQualified } from './players/qualification-marks.ts'
import { createProjection } from './projection.ts'
import { rebuild } from './rebuild.ts'
import { createRebuildStep } from './rebuild-step.ts'
import { applyClickRetention, applyLogRetention } from './retention.ts'
import { readAppliedSetting, readSetting, storeAppliedSetting } from './setting.ts'
import { createFreshnessAnnouncer, createWatermarkWriter } from './watermark.ts'

/** What the writer of facts needs. */
export interface FactsWriterOptions {
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
  readonly log: Logger
  readonly signal: AbortSignal
  readonly onQualified?: OnQualified | undefined
  /** Milliseconds between two checks for clicks and changes. */
  readonly every?: number
  /** Runs beside the writing until the signal. */
  readonly beside?: Beside | undefined
}

/** Runs `work` while nothing is written to ClickHouse: what the record says was handed over is there, and nothing else. */
export type PauseFacts = <T>(work: () => Promise<T>) => Promise<T>
/** Work that runs beside the facts writer and can pause it. */
export type Beside = (pause: PauseFacts, signal: AbortSignal) => Promise<void>

const CHECK_EVERY_MS = 400
const ANNOUNCE_EVERY_MS = 1000
const CLEAN_EVERY_MS = 10_000
const SUM_EVERY_MS = 20_000
const LOOK_EVERY_MS = 10_000
/** How long a month must be unchanged before it is summed. */
const QUIET_MONTH_MS = 60_000

/** Resolves after the signal, once all running steps have ended. */
export async function writeFacts(options: FactsWriterOptions): Promise<void> {
  const { postgres, log, signal, every = CHECK_EVERY_MS } = options
  if ((await readAppliedSetting(postgres.pool)) === undefined) {
    await storeAppliedSetting(postgres.pool, await readSetting(postgres.pool))
  }
  const [withoutClicks, withoutRecord, withoutSums, withoutCleaning] = [
    createMutex(),
    createMutex(),
    createMutex(),
    createMutex(),
  ]
  const changes = createMonthChanges(postgres)
  const record = createRecordStep(options, withoutClicks, changes)
  const sums = createSummingStep(options, changes)
  const cleaning = createCleaningStep(options)
  // Clicks last, because they wait only a moment, and a step of the record may be a rebuild.
  const pause: PauseFacts = (work) => withoutRecord(() => withoutSums(() => withoutCleaning(() => withoutClicks(work))))
  await Promise.all([
    repeat(createClickStep(options, withoutClicks, changes), { name: 'handing clicks over', log, signal, every }),
    repeat(() => withoutRecord(record), { name: 'projecting changes', log, signal, every }),
    repeat(createAnnouncingStep(options), { name: 'announcing freshness', log, signal, every: ANNOUNCE_EVERY_MS }),
    repeat(() => withoutSums(sums), { name: 'summing months up', log, signal, every: SUM_EVERY_MS }),
    repeat(() => withoutCleaning(cleaning), { name: 'clearing the inbox', log, signal, every: CLEAN_EVERY_MS }),
    repeat(createDamageStep({ postgres, clickhouse: options.clickhouse }, log), {
      name: 'looking for damage',
      log,
      signal,
      every: LOOK_EVERY_MS,
    }),
    repeat(createRetentionStep(options, pause, withoutRecord), { name: 'retention', log, signal, every: HOUR_MS }),
    options.beside?.(pause, signal),
  ])
}

type Step = () => Promise<boolean>

function createClickStep(
  { postgres, clickhouse, log }: FactsWriterOptions,
  withoutOthers: Mutex,
  changes: MonthChanges,
): Step {
  const onLoaded = (lines: Buffer): void => {
    publishClicks(postgres, lines).catch((error: unknown) =>
      log.debug({ error }, 'live events of clicks could not be published'),
    )
  }
  const settle = createClickSettling({ postgres, clickhouse }, changes)
  const loader = createClickLoader(postgres, clickhouse, { onLoaded, settle, changes })
  const writeWatermark = createWatermarkWriter(postgres, 'clicks')
  return async () => {
    const { count, isBehind, dataTo } = await withoutOthers(() => loader.loadOnce())
    if (dataTo !== undefined) await writeWatermark(dataTo, count > 0)
    return isBehind
  }
}

function createRecordStep(options: FactsWriterOptions, withoutClicks: Mutex, changes: MonthChanges): Step {
  const { postgres, clickhouse, log, signal, onQualified } = options
  const projection = createProjection(postgres, clickhouse, { onQualified, changes })
  const isStopping = (): boolean => signal.aborted
  const projector = createOutboxProjector(postgres, clickhouse, projection, { isStopping })
  const writeWatermark = createWatermarkWriter(postgres, 'record')

  const rebuildIfRequested = createRebuildStep({
    postgres,
    log,
    rebuild: (requests) => {
      const between = async (after: number): Promise<boolean> => {
        await projector.projectDirect(after)
        return isStopping()
      }
      return rebuild({ postgres, clickhouse, projection, changes, requests, between, withoutClicks })
    },
  })

  return async () => {
    await rebuildIfRequested()
    const { count, hasMore, dataTo } = await projector.projectOnce()
    await writeWatermark(dataTo, count > 0)
    return hasMore
  }
}

function createAnnouncingStep({ postgres }: FactsWriterOptions): Step {
  const announce = createFreshnessAnnouncer(postgres)
  return async () => {
    await announce()
    return false
  }
}

function createSummingStep({ postgres, clickhouse }: FactsWriterOptions, changes: MonthChanges): Step {
  const months = createMonthSummer({ postgres, clickhouse }, QUIET_MONTH_MS, changes)
  return async () => {
    const hasMore = await months.sumOnce(Date.now())
    await months.sweep(Date.now())
    return hasMore
  }
}

const HOUR_MS = 3_600_000

function createCleaningStep({ postgres }: FactsWriterOptions): Step {
  let nextHour = 0
  return async () => {
    const hasMore = await dropLoadedClicks(postgres, Date.now())
    if (Date.now() >= nextHour) {
      nextHour = Date.now() + HOUR_MS
      await dropSilentWriters(postgres)
    }
    return hasMore
  }
}

/** The first step, at the start, ends what an interrupted one has begun. */
function createRetentionStep(options: FactsWriterOptions, pause: PauseFacts, withoutRecord: Mutex): Step {
  return async () => {
    await pause(() => applyClickRetention(options, Date.now()))
    await withoutRecord(() => applyLogRetention(options, Date.now()))
    return false
  }
}

/** Runs one piece of work at a time, in the order of the calls. */
type Mutex = <T>(work: () => Promise<T>) => Promise<T>

function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work, work)
    last = result.catch(() => undefined)
    return result
  }
}
