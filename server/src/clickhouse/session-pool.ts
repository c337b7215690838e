// Who may use which chDB session when. A session is serial, and one whose last statement failed still holds that statement's rows:
// it is drained, and shown to be clean, before it serves again.

import { drainPending, Session } from 'chdb'
import type { Logger } from '../lib/log.ts'
import { toError } from '../lib/until-aborted.ts'
import type { Lane } from './client.ts'
import { createKiller, type Killer } from './kill.ts'

export interface Lease {
  readonly session: Session
  /** `isClean` is true only when the last statement has answered and its answer was taken whole. */
  release(isClean: boolean): Promise<void>
}

export interface SessionPool {
  /** Rejects with the signal's reason if it is aborted while waiting. */
  acquire(lane: Lane, signal?: AbortSignal): Promise<Lease>
  readonly killer: Killer
  close(): Promise<void>
}

interface Waiter {
  lane: Lane
  serve(session: Session): void
}

const READERS = 3
/** One reader is always left for the short ones. */
const LONG_AT_ONCE = READERS - 1

export function openSessionPool(path: string, args: readonly string[], log: Logger): SessionPool {
  const open = (): Session => new Session(path, { connectionArgs: args })
  const free = { read: Array.from({ length: READERS }, open), write: [open()] }
  const killer = createKiller(open, log)
  const waiting: Waiter[] = []
  let longRunning = 0
  let inUse = 0
  let isClosed = false
  let idle: (() => void) | undefined

  function serveWaiting(): void {
    for (let index = 0; index < waiting.length; ) {
      const waiter = waiting[index]
      const session = waiter === undefined ? undefined : take(waiter.lane)
      if (waiter === undefined || session === undefined) {
        index++
        continue
      }
      waiting.splice(index, 1)
      waiter.serve(session)
    }
  }

  function take(lane: Lane): Session | undefined {
    if (lane === 'write') return free.write.pop()
    if (lane === 'long' && longRunning >= LONG_AT_ONCE) return undefined
    const session = free.read.pop()
    if (session !== undefined && lane === 'long') longRunning++
    return session
  }

  function lease(session: Session, lane: Lane): Lease {
    inUse++
    let isReleased = false
    return {
      session,
      async release(isClean) {
        if (isReleased) return
        isReleased = true
        const usable = isClean || (await drain(session)) ? session : replace(session)
        inUse--
        if (lane === 'long') longRunning--
        if (lane === 'write') free.write.push(usable)
        else free.read.push(usable)
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
    acquire(lane, signal) {
      if (isClosed) return Promise.reject(new Error('ClickHouse is closed'))
      if (signal?.aborted === true) return Promise.reject(toError(signal.reason))
      return new Promise((resolve, reject) => {
        const abort = (): void => {
          const index = waiting.indexOf(waiter)
          if (index < 0) return
          waiting.splice(index, 1)
          reject(toError(signal?.reason))
        }
        const waiter: Waiter = {
          lane,
          serve(session) {
            signal?.removeEventListener('abort', abort)
            resolve(lease(session, lane))
          },
        }
        signal?.addEventListener('abort', abort, { once: true })
        waiting.push(waiter)
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

/** True when the session answers exactly what it is asked. */
async function drain(session: Session): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const token = `clean-${Math.random()}`
    try {
      await session.queryAsync('SELECT 1 FORMAT Null')
      const answer = await session.queryAsync(`SELECT '${token}'`, { format: 'TabSeparated' })
      if (answer.text() === `${token}\n`) return true
    } catch {
      // the next attempt, or a new session
    }
  }
  return false
}
