// Everything that writes facts, as long as the lock of the facts is held: clicks, changes of the record, rebuilds, and what is cleared away
// behind them.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Logger } from '../lib/log.ts'
import type { Postgres } from '../postgres/client.ts'
import { createAnnouncer } from './announce.ts'
import { createClickLoader } from './click-loader.ts'
import { publishClicks } from './click-news.ts'
import { dropLoadedClicks, dropSilentWriters } from './inbox-cleanup.ts'
import { repeat } from './loop.ts'
import { createMonthSummer } from './month-sums.ts'
import { createMutex } from './mutex.ts'
import { createOutboxProjector } from './outbox-projector.ts'
import { shortenOldAddresses } from './personal-data.ts'
import { createProjection } from './projection.ts'
import type { OnQualified } from './qualified-hook.ts'
import { rebuild } from './rebuild.ts'
import { finishRebuild, takeRebuild } from './rebuild-request.ts'
import { keepSetting, readKeptSetting, readSetting } from './setting.ts'
import type { SettleClicks } from './settling-hook.ts'
import { createWatermarkWriter } from './watermark.ts'

export interface FactsWriterOptions {
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
  readonly log: Logger
  readonly signal: AbortSignal
  readonly onQualified?: OnQualified | undefined
  /** For clicks of several trackers. */
  readonly settle?: SettleClicks | undefined
  /** Milliseconds between looks. */
  readonly every?: number
}

const EVERY_MS = 400
const TELL_EVERY_MS = 1000
const CLEAN_EVERY_MS = 10_000
const SUM_EVERY_MS = 20_000

/** Resolves after the signal, when what was under way has ended. */
export async function writeFacts(options: FactsWriterOptions): Promise<void> {
  const { postgres, log, signal, every = EVERY_MS } = options
  if ((await readKeptSetting(postgres.pool)) === undefined) {
    await keepSetting(postgres.pool, await readSetting(postgres.pool))
  }
  const withoutClicks = createMutex()
  await Promise.all([
    repeat(createClickStep(options, withoutClicks), { name: 'handing clicks over', log, signal, every }),
    repeat(createRecordStep(options, withoutClicks), { name: 'projecting changes', log, signal, every }),
    repeat(createTellingStep(options), { name: 'telling of updates', log, signal, every: TELL_EVERY_MS }),
    repeat(createSummingStep(options), { name: 'summing months up', log, signal, every: SUM_EVERY_MS }),
    repeat(createCleaningStep(options), { name: 'clearing the inbox', log, signal, every: CLEAN_EVERY_MS }),
  ])
}

type Step = () => Promise<boolean>

function createClickStep(
  { postgres, clickhouse, log, settle }: FactsWriterOptions,
  withoutOthers: ReturnType<typeof createMutex>,
): Step {
  const onLoaded = (lines: Buffer): void => {
    publishClicks(postgres, lines).catch((error: unknown) =>
      log.debug({ error }, 'screens could not be told of clicks'),
    )
  }
  const loader = createClickLoader(postgres, clickhouse, { onLoaded, ...(settle === undefined ? {} : { settle }) })
  const note = createWatermarkWriter(postgres, 'clicks')
  return async () => {
    const { count, isBehind, dataTo } = await withoutOthers(() => loader.loadOnce())
    if (dataTo !== undefined) await note(dataTo, count > 0)
    return isBehind
  }
}

function createRecordStep(options: FactsWriterOptions, withoutClicks: ReturnType<typeof createMutex>): Step {
  const { postgres, clickhouse, log, signal, onQualified } = options
  const projection = createProjection(postgres, clickhouse, { onQualified })
  const isStopping = (): boolean => signal.aborted
  const projector = createOutboxProjector(postgres, clickhouse, projection, { isStopping })
  const note = createWatermarkWriter(postgres, 'record')

  async function rebuildIfAsked(): Promise<void> {
    const requests = await takeRebuild(postgres)
    if (requests.length === 0) return
    log.info({ requests }, 'facts are being rebuilt')
    const between = async (after: number): Promise<boolean> => {
      await projector.projectDirect(after)
      return isStopping()
    }
    try {
      const isWhole = await rebuild({ postgres, clickhouse, projection, requests, between, withoutClicks })
      if (!isWhole) return
      await finishRebuild(postgres, requests)
      log.info({ requests }, 'facts are rebuilt')
    } catch (error) {
      await finishRebuild(postgres, requests, error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  return async () => {
    await rebuildIfAsked()
    const { count, hasMore, dataTo } = await projector.projectOnce()
    await note(dataTo, count > 0)
    return hasMore
  }
}

function createTellingStep({ postgres }: FactsWriterOptions): Step {
  const announce = createAnnouncer(postgres)
  return async () => {
    await announce()
    return false
  }
}

function createSummingStep({ clickhouse }: FactsWriterOptions): Step {
  const months = createMonthSummer(clickhouse)
  return async () => {
    const hasMore = await months.sumOnce(Date.now())
    await months.sweep(Date.now())
    return hasMore
  }
}

const HOUR_MS = 3_600_000

function createCleaningStep({ postgres, clickhouse }: FactsWriterOptions): Step {
  let nextHour = 0
  return async () => {
    const hasMore = await dropLoadedClicks(postgres, Date.now())
    if (Date.now() >= nextHour) {
      nextHour = Date.now() + HOUR_MS
      await dropSilentWriters(postgres)
      await shortenOldAddresses(postgres, clickhouse, Date.now())
    }
    return hasMore
  }
}
