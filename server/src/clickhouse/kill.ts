// Kills statements of the embedded engine whose caller has aborted, by KILL QUERY on a mark that the statement carries. It uses a separate
// session, because a session runs one statement at a time.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from 'chdb'
import type { Logger } from '../lib/log.ts'

/** KILL QUERY is repeated until the statement has ended, because the statement may not have started yet. */
const REPEAT_MS = 100

/** Ends running statements. */
export interface Killer {
  /** Kills the statement with this mark; resolves when `ended` has settled, or when killing fails. */
  end(mark: string, ended: Promise<unknown>): Promise<void>
  close(): void
}

/** A value for the setting `log_comment`, by which KILL QUERY finds the statement. */
export const newMark = (): string => `statement-${randomUUID()}`

/** The session is opened for the first kill. */
export function createKiller(open: () => Session, log: Logger): Killer {
  let session: Session | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let isClosed = false

  async function kill(mark: string): Promise<void> {
    session ??= open()
    await session.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = '${mark}' ASYNC FORMAT Null`)
  }

  return {
    async end(mark, ended) {
      let hasEnded = false
      const end = ended.finally(() => {
        hasEnded = true
      })
      while (!(hasEnded || isClosed)) {
        turn = turn.then(() => (hasEnded || isClosed ? undefined : kill(mark)))
        try {
          await turn
        } catch (error) {
          log.warn({ err: error }, 'a ClickHouse statement whose caller has left could not be ended early')
          turn = Promise.resolve()
          return
        }
        await Promise.race([end, sleep(REPEAT_MS)])
      }
    },
    close() {
      isClosed = true
      session?.close()
    },
  }
}
