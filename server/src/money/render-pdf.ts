// Renders statements as PDFs in a worker thread. Starting it costs more than drawing a short statement, so one thread draws all that are given.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Language } from '@tributary/contract/language'
import type { StatementDocument } from './statement-document.ts'

export interface PdfTask {
  readonly statement: StatementDocument
  readonly language: Language
}

const LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 }
const TIMEOUT_MS = 60_000

/** In the order of the tasks. Throws if the thread fails or takes too long. */
export async function renderPdfs(tasks: readonly PdfTask[]): Promise<Buffer[]> {
  const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url), { workerData: tasks, resourceLimits: LIMITS })
  try {
    const [files]: unknown[] = await once(thread, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!Array.isArray(files) || files.length !== tasks.length) throw new Error('the thread returned other files')
    return files.map((bytes: unknown) => {
      if (!(bytes instanceof Uint8Array)) throw new Error('the thread returned no bytes')
      return Buffer.from(bytes)
    })
  } finally {
    await thread.terminate()
  }
}
