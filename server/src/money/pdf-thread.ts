// The thread that draws a statement, so that requests are not delayed and its memory has its own limit.
import { parentPort, workerData } from 'node:worker_threads'
import { drawStatement } from './draw-statement.ts'
import type { PdfTask } from './render-pdf.ts'

// The cast is correct: render-pdf.ts starts the thread with a PdfTask.
const { statement, language } = workerData as PdfTask
const bytes = await drawStatement(statement, language)
parentPort?.postMessage(bytes)
parentPort?.close()
