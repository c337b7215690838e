// Serves requested rebuilds. One that fails, because an engine is away or the disk is full, is tried again: reports would stay wrong without it.

import type { Logger } from '../lib/log.ts'
import type { Postgres } from '../postgres/client.ts'
import { finishRebuild, postponeRebuild, startRequestedRebuilds } from './rebuild-request.ts'

export interface RebuildStepOptions {
  readonly postgres: Postgres
  readonly log: Logger
  /** Rebuilds for these requests. Resolves false if it was ended early. */
  readonly rebuild: (requests: readonly number[]) => Promise<boolean>
}

/** Milliseconds until the next attempt; after the last one the request has failed. */
const RETRY_DELAYS = [5_000, 30_000, 120_000, 600_000, 3_600_000]

/** Changes are projected between two attempts. */
export function createRebuildStep({ postgres, log, rebuild }: RebuildStepOptions): () => Promise<void> {
  let failures = 0
  let nextAttempt = 0

  async function noteFailure(requests: readonly number[], error: unknown): Promise<void> {
    const text = error instanceof Error ? error.message : String(error)
    const delay = RETRY_DELAYS[failures]
    if (delay === undefined) {
      failures = 0
      await finishRebuild(postgres, requests, text)
      throw error
    }
    failures += 1
    nextAttempt = performance.now() + delay
    log.error({ error, requests, retry_in_ms: delay }, 'a rebuild of facts failed')
    await postponeRebuild(postgres, requests, text)
  }

  return async () => {
    if (performance.now() < nextAttempt) return
    const requests = await startRequestedRebuilds(postgres)
    if (requests.length === 0) return
    log.info({ requests }, 'facts are being rebuilt')
    try {
      if (!(await rebuild(requests))) return
    } catch (error) {
      await noteFailure(requests, error)
      return
    }
    failures = 0
    await finishRebuild(postgres, requests)
    log.info({ requests }, 'facts are rebuilt')
  }
}
