// Stores requests for a rebuild in PostgreSQL. The process that writes facts serves them.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '../postgres/client.ts'

type Pool = Pick<Postgres, 'pool'>

/** The state of a request; `failed` keeps its error, and so does `waiting` after an attempt that failed. */
export type RebuildState = 'waiting' | 'running' | 'done' | 'failed'

/** A requested rebuild of all facts. */
export interface RebuildRequest {
  readonly id: number
  readonly state: RebuildState
  readonly reason: string
  /** Players and spends that the rebuild has written, of `total`. */
  readonly done: number
  readonly total: number
  readonly error: string | null
}

/** Returns the request's id. */
export async function requestRebuild({ pool }: Pool, reason: string): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('insert into facts_rebuild (reason) values ($1) returning id', [
    reason,
  ])
  return rows[0]?.id ?? 0
}

/** The state of a rebuild; undefined if there is none with this id. */
async function readRebuild({ pool }: Pool, id: number): Promise<RebuildRequest | undefined> {
  const { rows } = await pool.query<RebuildRequest>(
    'select id, state, reason, done, total, error from facts_rebuild where id = $1',
    [id],
  )
  return rows[0]
}

/** Marks all open requests as running, including those of a stopped server, and returns their ids. One rebuild serves them all. */
export async function startRequestedRebuilds({ pool }: Pool): Promise<readonly number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `update facts_rebuild set state = 'running', done = 0, error = null where state in ('waiting', 'running') returning id`,
  )
  return rows.map((row) => row.id)
}

/** Stores how many keys of how many are done. */
export async function storeRebuildProgress(
  { pool }: Pool,
  ids: readonly number[],
  done: number,
  total: number,
): Promise<void> {
  await pool.query('update facts_rebuild set done = $2, total = $3 where id = any($1)', [ids, done, total])
}

/** Lets rebuilds wait for another attempt. */
export async function postponeRebuild({ pool }: Pool, ids: readonly number[], error: string): Promise<void> {
  await pool.query(`update facts_rebuild set state = 'waiting', error = $2 where id = any($1)`, [ids, error])
}

/** Ends rebuilds as done, or as failed if `error` is given. */
export async function finishRebuild({ pool }: Pool, ids: readonly number[], error?: string): Promise<void> {
  await pool.query(
    `update facts_rebuild set state = $2, error = $3::text, finished_at = clock_timestamp(), done = case when $3::text is null then total else done end
      where id = any($1)`,
    [ids, error === undefined ? 'done' : 'failed', error ?? null],
  )
}

const POLL_EVERY_MS = 200

/** Requests a rebuild and waits until it is done. Rejects if it fails. */
export async function rebuildFacts(
  postgres: Pool,
  reason: string,
  onProgress: (request: RebuildRequest) => void = () => undefined,
): Promise<void> {
  const id = await requestRebuild(postgres, reason)
  for (;;) {
    const request = await readRebuild(postgres, id)
    if (request === undefined) throw new Error(`rebuild ${id} does not exist any more`)
    onProgress(request)
    if (request.state === 'done') return
    if (request.state === 'failed') throw new Error(`the rebuild failed: ${request.error}`)
    await sleep(POLL_EVERY_MS)
  }
}

const PRINT_EVERY_MS = 2000

/** `npm run facts:rebuild`: requests a rebuild and prints its progress. */
export async function rebuildCommand(postgres: Postgres, print: (line: string) => void): Promise<void> {
  const began = performance.now()
  let printedAt = 0
  let printedError: string | null = null
  print('facts are being rebuilt from the record; reports go on meanwhile')
  await rebuildFacts(postgres, 'command', ({ state, done, total, error }) => {
    if (state === 'waiting' && error !== null && error !== printedError) print(`it failed and is tried again: ${error}`)
    if (state === 'waiting') printedError = error
    if (state !== 'running' || total === 0 || performance.now() - printedAt < PRINT_EVERY_MS) return
    printedAt = performance.now()
    print(`${Math.floor((done / total) * 100)} %  (${done} of ${total} players and spends)`)
  })
  print(`done in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}
