// The side of a process that the supervisor starts. It obeys the supervisor's messages instead of signals, which a service manager
// may send to all processes, and ends with it.

import { StartError, textOf } from '../lib/app-error.ts'
import { endOnUncaught, killSelf, killSelfAfter } from '../lib/end-process.ts'
import type { ProcessReport } from '../lib/process-report.ts'
import type { FromProcess, ToProcess } from './messages.ts'

export type Start = Extract<ToProcess, { kind: 'start' }>

export interface RunningProcess {
  readonly ready: Extract<FromProcess, { kind: 'ready' }>
  drain(): void
  stop(): Promise<void>
  onReport?(from: string, report: ProcessReport): void
}

/** A process whose supervisor has died must not hold the port and the lock of ClickHouse for longer. */
const ORPHAN_MS = 8000

export const tell = (message: FromProcess): void => {
  if (process.connected) process.send?.(message)
}

/** Runs a process: starts it on the first message, and ends it on `stop` or when the supervisor has gone. */
export function runChild(start: (given: Start) => Promise<RunningProcess>): void {
  let running: Promise<RunningProcess | undefined> = Promise.resolve(undefined)
  const stop = async (): Promise<void> => {
    await (await running)?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  const endOrphan = async (): Promise<void> => {
    killSelfAfter(ORPHAN_MS)
    await (await running)?.stop()
    killSelf()
  }
  process.on('disconnect', () => void endOrphan())
  // The supervisor died while this process loaded, before it listened for that.
  if (!process.connected) killSelf()
  process.on('message', (message: ToProcess) => {
    if (message.kind === 'start') {
      endOnUncaught(message.name)
      running = begin(start, message)
    } else if (message.kind === 'stop') void stop()
    else void running.then((process) => obey(process, message))
  })
}

async function begin(start: (given: Start) => Promise<RunningProcess>, given: Start): Promise<RunningProcess> {
  try {
    const running = await start(given)
    tell(running.ready)
    return running
  } catch (error) {
    const isFault = error instanceof Error && !(error instanceof StartError)
    const message = isFault ? (error.stack ?? error.message) : textOf(error)
    // Ends after the message is sent, or its reason would be lost.
    process.send?.({ kind: 'failed', message } satisfies FromProcess, () => process.exit(1))
    return new Promise(() => undefined)
  }
}

function obey(running: RunningProcess | undefined, message: ToProcess): void {
  if (message.kind === 'drain') running?.drain()
  if (message.kind === 'report') running?.onReport?.(message.from, message.report)
}
