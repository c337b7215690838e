// Ends a process that must not live on. An exit runs the handlers of native libraries first; those of the embedded ClickHouse wait for its
// threads, and may wait for ever. A killed process loses nothing: what was confirmed is in the record.
import { Worker } from 'node:worker_threads'
import { createLog } from './log.ts'

/** Ends this process at once, without handlers. */
export const killSelf = (): void => void process.kill(process.pid, 'SIGKILL')

/** Ends this process after `ms`, from a thread of its own: the event loop may be blocked by then. */
export function killSelfAfter(ms: number): void {
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms})`, { eval: true }).unref()
}

/** Logs an error that nothing caught, and ends the process. `name` is in the line of the log, as for `createLog`. */
export function endOnUncaught(name?: string): void {
  process.on('uncaughtException', (error) => {
    createLog('fatal', undefined, name).fatal({ error }, 'an error that nothing caught ended the process')
    killSelf()
  })
}
