// The thread that draws statements, so that requests are not delayed and its memory has its own limit.
import { parentPort, workerData } from 'node:worker_threads'
import { drawStatement } from './draw-statement.ts'
import type { PdfTask } from './render-pdf.ts'

// The cast is correct: render-pdf.ts starts the thread with tasks.
const tasks = workerData as readonly PdfTask[]
const files: Uint8Array[] = []
for (const { statement, language } of tasks) files.push(await drawStatement(statement, language))
parentPort?.postMessage(files)
parentPort?.close()
