// The pool of chDB sessions. A session runs one statement at a time. After a failure it may still hold rows of that statement, so it is drained
// and checked before it is used again.

import { drainPending, Session } from 'chdb'
import type { Logger } from '../lib/log.ts'
import { toError } from '../lib/promises.ts'
import type { Lane } from './client.ts'
import { createKiller, type Killer } from './kill.ts'
import { nextQuery, type QueuedQuery, READERS } from './query-scheduler.ts'

/** A session that one statement has to itself until `release`. */
export interface Lease {
  readonly session: Session
  /** `isClean` must be true only if the last statement succeeded and its result was read completely. */
  release(isClean: boolean): Promise<void>
}

/** Sessions of the embedded engine: some for reads, one for writes. */
export interface SessionPool {
  /** Rejects with the signal's reason if it is aborted while waiting. */
  acquire(query: QueryClaim, signal?: AbortSignal): Promise<Lease>
  readonly killer: Killer
  close(): Promise<void>
}

/** What a statement asks of the pool. */
export interface QueryClaim extends Pick<QueuedQuery, 'person'> {
  readonly lane: Lane
}

interface Waiter extends QueuedQuery {
  serve(session: Session): void
}

/** Opens the sessions on the engine in `path`. `args` are its settings. */
export function openSessionPool(path: string, args: readonly string[], log: Logger): SessionPool {
  const open = (): Session => new Session(path, { connectionArgs: args })
  const free = { read: Array.from({ length: READERS }, open), write: [open()] }
  const killer = createKiller(open, log)
  const waiting: Record<keyof typeof free, Waiter[]> = { read: [], write: [] }
  const running = new Set<QueuedQuery>()
  const served = new Map<number | null, number>()
  let inUse = 0
  let isClosed = false
  let idle: (() => void) | undefined

  function serveWaiting(): void {
    while (free.write.length > 0 && serve('write', waiting.write[0]));
    while (free.read.length > 0 && serve('read', nextQuery(waiting.read, [...running], served, performance.now())));
  }

  function serve(kind: keyof typeof free, waiter: Waiter | undefined): boolean {
    const session = waiter === undefined ? undefined : free[kind].pop()
    if (waiter === undefined || session === undefined) return false
    waiting[kind].splice(waiting[kind].indexOf(waiter), 1)
    waiter.serve(session)
    return true
  }

  function lease(session: Session, kind: keyof typeof free, query: QueuedQuery): Lease {
    inUse++
    if (kind === 'read') {
      running.add(query)
      served.set(query.person, (served.get(query.person) ?? 0) + 1)
    }
    let isReleased = false
    return {
      session,
      async release(isClean) {
        if (isReleased) return
        isReleased = true
        const usable = isClean || (await drain(session)) ? session : replace(session)
        inUse--
        running.delete(query)
        if (![...running, ...waiting.read].some(({ person }) => person === query.person)) served.delete(query.person)
        free[kind].push(usable)
        if (isClosed) {
          if (inUse === 0) idle?.()
        } else serveWaiting()
      },
    }
  }

  function replace(session: Session): Session {
    log.error('a ClickHouse session could not be cleaned and was replaced')
    session.close()
    return open()
  }

  return {
    killer,
    acquire(query, signal) {
      if (isClosed) return Promise.reject(new Error('ClickHouse is closed'))
      if (signal?.aborted === true) return Promise.reject(toError(signal.reason))
      return new Promise((resolve, reject) => {
        const kind = query.lane === 'write' ? 'write' : 'read'
        const queue = waiting[kind]
        const abort = (): void => {
          const index = queue.indexOf(waiter)
          if (index < 0) return
          queue.splice(index, 1)
          reject(toError(signal?.reason))
        }
        const waiter: Waiter = {
          person: query.person,
          isLong: query.lane === 'long',
          since: performance.now(),
          serve(session) {
            signal?.removeEventListener('abort', abort)
            resolve(lease(session, kind, waiter))
          },
        }
        signal?.addEventListener('abort', abort, { once: true })
        queue.push(waiter)
        serveWaiting()
      })
    },
    async close() {
      isClosed = true
      const { promise, resolve } = Promise.withResolvers<void>()
      idle = resolve
      if (inUse > 0) await promise
      killer.close()
      for (const session of [...free.read, ...free.write]) session.close()
      await drainPending()
    },
  }
}

/** Returns true once the session answers a test query correctly. */
async function drain(session: Session): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const token = `clean-${Math.random()}`
    try {
      await session.queryAsync('SELECT 1 FORMAT Null')
      const answer = await session.queryAsync(`SELECT '${token}'`, { format: 'TabSeparated' })
      if (answer.text() === `${token}\n`) return true
    } catch {
      // The next attempt may succeed; otherwise the session is replaced.
    }
  }
  return false
}
