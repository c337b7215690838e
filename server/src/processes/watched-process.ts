// The supervisor's side of a process: starts it, starts it again when it dies, and stops it.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../lib/app-error.ts'
import type { Logger } from '../lib/log.ts'
import type { ProcessReport } from '../lib/process-report.ts'
import type { Start } from './child.ts'
import type { FromProcess, ToProcess } from './messages.ts'

export type Ready = Extract<FromProcess, { kind: 'ready' }>

export interface WatchedProcess {
  send(message: ToProcess): void
  /** Asks it to stop, and kills it after `limitMs`. */
  stop(limitMs: number): Promise<void>
}

interface WatchOptions {
  readonly script: string
  readonly start: Start
  readonly log: Logger
  readonly onReport?: (report: ProcessReport) => void
}

const FIRST_DELAY_MS = 100
const LAST_DELAY_MS = 10_000
/** After so long, a death is not one of a row. */
const STEADY_MS = 60_000

/** Resolves when the process is ready for the first time. Throws StartError if it cannot start. */
export async function watchProcess(options: WatchOptions): Promise<{ watched: WatchedProcess; ready: Ready }> {
  const { start, log } = options
  const { name } = start
  let child = spawn(options)
  let isStopping = false
  const ready = await waitUntilReady(child)
  log.info({ name, pid: child.pid }, 'a process serves')
  const watching = watch()

  async function watch(): Promise<void> {
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, LAST_DELAY_MS)) {
      const began = performance.now()
      const [code, signal] = await ended(child)
      if (isStopping) return
      if (performance.now() - began > STEADY_MS) delay = FIRST_DELAY_MS
      log.error({ name, exitCode: code, signal }, 'a process died and is started again')
      await sleep(delay)
      if (isStopping) return
      void restart().catch((error: unknown) => log.error({ name, error }, 'a process could not be started again'))
    }
  }

  async function restart(): Promise<void> {
    const started = spawn(options)
    child = started
    await waitUntilReady(started)
    log.info({ name, pid: started.pid }, 'a process serves again')
  }

  return {
    ready,
    watched: {
      send: (message) => send(child, message),
      async stop(limitMs) {
        isStopping = true
        const late = setTimeout(() => child.kill('SIGKILL'), limitMs)
        send(child, { kind: 'stop' })
        await watching
        clearTimeout(late)
      },
    },
  }
}

function spawn({ script, start, log, onReport }: WatchOptions): ChildProcess {
  // A session of its own: Linux shares cores between sessions, so that a tracker is not delayed by what the others have to do.
  const child = fork(script, [], { stdio: 'inherit', serialization: 'advanced', detached: true })
  child.on('message', (message: FromProcess) => {
    if (message.kind === 'report') onReport?.(message.report)
  })
  // `waitUntilReady` and `ended` see that a process did not start or has died; sending to a dead one fails.
  child.on('error', (error) => log.debug({ name: start.name, error }, 'a process cannot be reached'))
  send(child, start)
  return child
}

/** A process that could not be forked has no pid and never emits `exit`. */
const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

function send(child: ChildProcess, message: ToProcess): void {
  if (child.connected) child.send(message)
}

async function ended(child: ChildProcess): Promise<readonly [code: number | null, signal: NodeJS.Signals | null]> {
  if (!hasEnded(child)) await once(child, 'exit')
  return [child.exitCode, child.signalCode]
}

function waitUntilReady(child: ChildProcess): Promise<Ready> {
  const { promise, resolve, reject } = Promise.withResolvers<Ready>()
  child.on('message', (message: FromProcess) => {
    if (message.kind === 'ready') resolve(message)
    if (message.kind === 'failed') reject(new StartError(message.message))
  })
  child.once('error', (error) => {
    if (child.pid === undefined)
      reject(new StartError(`a process could not be started: ${error.message}`, { cause: error }))
  })
  child.once('exit', (code, signal) => reject(new StartError(`a process ended at its start (${signal ?? code})`)))
  return promise
}
