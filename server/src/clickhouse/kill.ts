// Ends statements of the embedded engine whose caller has left: KILL QUERY by a mark that the statement carries, in a separate session,
// because sessions are serial.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from 'chdb'
import type { Logger } from '../lib/log.ts'

/** The statement may not have begun yet, so killing is repeated until it has ended. */
const AGAIN_MS = 100

export interface Killer {
  /** Resolves when the statement has ended, by itself or by this. */
  end(mark: string, ended: Promise<unknown>): Promise<void>
  close(): void
}

/** For the setting `log_comment`, by which a statement is found among those that run. */
export const newMark = (): string => `statement-${randomUUID()}`

/** The session is opened when the first statement is to be ended. */
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
        await Promise.race([end, sleep(AGAIN_MS)])
      }
    },
    close() {
      isClosed = true
      session?.close()
    },
  }
}
