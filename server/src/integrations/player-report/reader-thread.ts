// The thread that reads a file, so that requests are not delayed and its memory has its own limit.

import { parentPort, workerData } from 'node:worker_threads'
import { openSheet } from '../../lib/sheet/open-sheet.ts'
import { SheetFailure } from '../../lib/sheet/sheet.ts'
import { readReport } from './read-report.ts'
import { PIECES_AHEAD, type ReaderMessage, type ReaderTask, ReportRejection } from './reader-messages.ts'

const PIECE_BYTES = 256 * 1024
/** Number of shared texts read for the heading, whose texts are nearly always among the first. */
const LOOK_STRINGS = 20_000

const encoder = new TextEncoder()
let waiting = 0
let go: (() => void) | undefined

parentPort?.on('message', () => {
  waiting--
  go?.()
})

const say = (message: ReaderMessage, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer)

async function send(text: string, rows: number, progress: number): Promise<void> {
  const bytes = encoder.encode(text)
  waiting++
  say({ kind: 'piece', bytes, rows, progress }, [bytes.buffer])
  while (waiting >= PIECES_AHEAD) {
    await new Promise<void>((resolve) => {
      go = resolve
    })
  }
}

async function read(task: ReaderTask): Promise<void> {
  const sheet = await openSheet(task.path)
  try {
    let text = ''
    let rows = 0
    for await (const piece of readReport(sheet, task, (head) => say({ kind: 'head', head }))) {
      text += piece.text
      rows += piece.rows
      if (text.length < PIECE_BYTES) continue
      await send(text, rows, sheet.progress())
      text = ''
      rows = 0
    }
    if (rows > 0) await send(text, rows, 1)
    say({ kind: 'end' })
  } finally {
    await sheet.close()
  }
}

/** Reads the heading with the first shared texts, or with all of them if that fails. */
async function look(task: ReaderTask, strings?: number): Promise<void> {
  const sheet = await openSheet(task.path, strings === undefined ? {} : { strings })
  let hasHead = false
  try {
    const pieces = readReport(sheet, task, (head) => {
      hasHead = true
      say({ kind: 'head', head })
    })
    for await (const _piece of pieces) break
  } catch (error) {
    if (hasHead) return
    if (strings !== undefined && error instanceof ReportRejection) return await look(task)
    throw error
  } finally {
    await sheet.close()
  }
  say({ kind: 'end' })
}

function explain(error: unknown): ReaderMessage {
  if (error instanceof ReportRejection) return { kind: 'rejected', issues: error.issues }
  if (error instanceof SheetFailure) return { kind: 'fault', fault: error.fault, detail: error.message }
  throw error
}

// The cast is correct: reader.ts starts the thread with a ReaderTask.
const task = workerData as ReaderTask
await (task.isLook ? look(task, LOOK_STRINGS) : read(task)).catch((error: unknown) => say(explain(error)))
parentPort?.close()
