// Reads a report in a thread and yields its rows no faster than they are consumed.

import { Worker } from 'node:worker_threads'
import { SheetFailure } from '../../lib/sheet/sheet.ts'
import type { ReportHead, ReportSource } from './read-report.ts'
import { type ReaderMessage, type ReaderTask, ReportRejection } from './reader-messages.ts'

export interface ReportPiece {
  /** Lines of COPY. */
  readonly bytes: Uint8Array
  readonly rows: number
  /** Between 0 and 1. */
  readonly progress: number
}

/** Shared texts are outside the heap, which holds only rows in transit, or a whole workbook of the old format. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

const start = (task: ReaderTask): Worker =>
  new Worker(new URL('./reader-thread.ts', import.meta.url), { workerData: task, resourceLimits: LIMITS })

/** Reads only the heading. Throws ReportRejection or SheetFailure if the file cannot be a report. */
export async function readReportHead(path: string, source: ReportSource): Promise<ReportHead> {
  const thread = start({ path, ...source, isLook: true })
  let head: ReportHead | undefined
  try {
    for await (const message of messagesOf(thread)) if (message.kind === 'head') head = message.head
  } finally {
    await thread.terminate()
  }
  if (head === undefined) throw new SheetFailure('wrong_format', 'the report has no head')
  return head
}

/** Yields the report's rows. Throws ReportRejection, SheetFailure or the signal's reason. */
export async function* readPieces(
  path: string,
  source: ReportSource,
  signal: AbortSignal,
  onHead: (head: ReportHead) => void,
): AsyncGenerator<ReportPiece> {
  const thread = start({ path, ...source, isLook: false })
  const stop = (): void => void thread.terminate()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const message of messagesOf(thread)) {
      if (message.kind === 'head') onHead(message.head)
      if (message.kind !== 'piece') continue
      yield message
      thread.postMessage('written')
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await thread.terminate()
    // A stopped thread ends like a finished one, so the signal decides.
    signal.throwIfAborted()
  }
}

async function* messagesOf(thread: Worker): AsyncGenerator<ReaderMessage> {
  const waiting: ReaderMessage[] = []
  let failure: Error | undefined
  let isOver = false
  let wake: (() => void) | undefined
  thread.on('message', (message: ReaderMessage) => {
    waiting.push(message)
    wake?.()
  })
  thread.on('error', (error) => {
    failure = asFailure(error)
    wake?.()
  })
  thread.on('exit', () => {
    isOver = true
    wake?.()
  })
  for (;;) {
    const message = waiting.shift()
    if (message?.kind === 'end') return
    if (message?.kind === 'rejected') throw new ReportRejection(message.issues)
    if (message?.kind === 'fault') throw new SheetFailure(message.fault, message.detail)
    if (message !== undefined) {
      yield message
      continue
    }
    if (failure !== undefined) throw failure
    if (isOver) return
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}

const asFailure = (error: unknown): Error => {
  if (!(error instanceof Error)) return new Error(String(error))
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new SheetFailure('too_complex', 'the file needs more memory than one report may', { cause: error })
    : error
}
