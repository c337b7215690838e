// One of all servers with the role worker writes facts: the one that holds an advisory lock on its own connection. If the connection breaks,
// its work is aborted, and the next holder begins.

import { Client } from 'pg'
import type { Logger } from '../lib/log.ts'
import { ignore } from '../lib/promises.ts'
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts'
import { statementTimeout } from '../postgres/statement-pool.ts'
import { pause } from './loop.ts'

const RETRY_MS = 2000
/** A dead connection is noticed after the sum of these at the latest; a slow one is not taken for dead. */
const CHECK_MS = 5000
const PATIENCE_MS = 15_000

/** Runs `work` whenever the lock is held, until the signal. `work` ends soon after its own signal. */
export async function holdLease(
  url: string,
  log: Logger,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const held = await acquire(url).catch((error: unknown) => {
      log.warn({ error }, 'the lock of the facts could not be asked for')
      return undefined
    })
    if (held === undefined) await pause(RETRY_MS, signal)
    else await workUnder(held, log, signal, work)
  }
}

async function workUnder(
  client: Client,
  log: Logger,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const lose = (error?: Error): void => {
    if (!lost.signal.aborted && !signal.aborted) log.warn({ error }, 'the lock of the facts was lost')
    lost.abort()
  }
  client.on('error', lose)
  client.on('end', () => lose())
  const check = setInterval(() => void client.query('select 1').catch(lose), CHECK_MS)
  try {
    await work(AbortSignal.any([signal, lost.signal]))
  } catch (error) {
    log.error({ error }, 'writing facts failed')
    await pause(RETRY_MS, signal)
  } finally {
    clearInterval(check)
    lost.abort()
    await client.end().catch(ignore)
  }
}

/** Undefined when another server holds it. */
async function acquire(url: string): Promise<Client | undefined> {
  const client = new Client({
    connectionString: url,
    application_name: 'tributary facts',
    statement_timeout: statementTimeout('request'),
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: PATIENCE_MS,
  })
  client.on('error', ignore)
  try {
    await client.connect()
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      ADVISORY_LOCKS.facts,
    ])
    if (rows[0]?.held === true) return client
  } catch (error) {
    await client.end().catch(ignore)
    throw error
  }
  await client.end()
  return undefined
}
