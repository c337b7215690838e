// Requests for a rebuild are stored in the record, for the process that writes facts.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '../postgres/client.ts'

type Pool = Pick<Postgres, 'pool'>

export type RebuildState = 'waiting' | 'running' | 'done' | 'failed'

export interface RebuildRequest {
  readonly id: number
  readonly state: RebuildState
  readonly reason: string
  /** Rows of the record. */
  readonly done: number
  readonly total: number
  readonly error: string | null
}

/** Returns the request's number. */
export async function requestRebuild({ pool }: Pool, reason: string): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('insert into facts_rebuild (reason) values ($1) returning id', [
    reason,
  ])
  return rows[0]?.id ?? 0
}

export async function readRebuild({ pool }: Pool, id: number): Promise<RebuildRequest | undefined> {
  const { rows } = await pool.query<RebuildRequest>(
    'select id, state, reason, done, total, error from facts_rebuild where id = $1',
    [id],
  )
  return rows[0]
}

/** One rebuild answers all open requests, also those that a stopped server left running. Empty: there are none. */
export async function takeRebuild({ pool }: Pool): Promise<readonly number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `update facts_rebuild set state = 'running', done = 0, error = null where state in ('waiting', 'running') returning id`,
  )
  return rows.map((row) => row.id)
}

export async function noteRebuild({ pool }: Pool, ids: readonly number[], done: number, total: number): Promise<void> {
  await pool.query('update facts_rebuild set done = $2, total = $3 where id = any($1)', [ids, done, total])
}

export async function finishRebuild({ pool }: Pool, ids: readonly number[], error?: string): Promise<void> {
  await pool.query(
    `update facts_rebuild set state = $2, error = $3::text, finished_at = clock_timestamp(), done = case when $3::text is null then total else done end
      where id = any($1)`,
    [ids, error === undefined ? 'done' : 'failed', error ?? null],
  )
}

const LOOK_MS = 200

/** Requests a rebuild and waits until the process that writes facts has done it. Rejects if it fails. */
export async function rebuildFacts(
  postgres: Pool,
  reason: string,
  onProgress: (request: RebuildRequest) => void = () => undefined,
): Promise<void> {
  const id = await requestRebuild(postgres, reason)
  for (;;) {
    const request = await readRebuild(postgres, id)
    if (request === undefined) throw new Error(`rebuild ${id} is not known any more`)
    onProgress(request)
    if (request.state === 'done') return
    if (request.state === 'failed') throw new Error(`the rebuild failed: ${request.error}`)
    await sleep(LOOK_MS)
  }
}

const SAY_MS = 2000

/** `npm run facts:rebuild`: requests a rebuild and prints its progress. */
export async function rebuildCommand(postgres: Postgres, say: (line: string) => void): Promise<void> {
  const began = performance.now()
  let saidAt = 0
  say('facts are being rebuilt from the record; reports go on meanwhile')
  await rebuildFacts(postgres, 'command', ({ state, done, total }) => {
    if (state !== 'running' || total === 0 || performance.now() - saidAt < SAY_MS) return
    saidAt = performance.now()
    say(`${Math.floor((done / total) * 100)} %  (${done} of ${total} players and spends)`)
  })
  say(`done in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}
