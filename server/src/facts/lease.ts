// Lets only one server with the role worker write facts: the one whose connection holds an advisory lock.
// If the connection breaks, its work is aborted and another server acquires the lock.

import { Client } from 'pg'
import type { Logger } from '../lib/log.ts'
import { ignore } from '../lib/promises.ts'
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts'
import { statementTimeout } from '../postgres/statement-pool.ts'
import { pause } from './loop.ts'

const RETRY_MS = 2000
/** A dead connection is noticed after at most the sum of both. The timeout is long, so that a slow connection does not count as dead. */
const CHECK_EVERY_MS = 5000
const CHECK_TIMEOUT_MS = 15_000

/** Runs `work` while this process holds the lock, until `signal`. `work` must end soon after the signal that it receives. */
export async function holdLease(
  url: string,
  log: Logger,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const held = await acquire(url).catch((error: unknown) => {
      log.warn({ error }, 'the lock of the facts could not be requested')
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
  const check = setInterval(() => void client.query('select 1').catch(lose), CHECK_EVERY_MS)
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

/** A connection that holds the lock; undefined if another server holds it. */
async function acquire(url: string): Promise<Client | undefined> {
  const client = new Client({
    connectionString: url,
    application_name: 'tributary facts',
    statement_timeout: statementTimeout('request'),
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: CHECK_TIMEOUT_MS,
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
