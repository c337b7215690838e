// Renders a statement as PDF in a worker thread.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Language } from '@tributary/contract/language'
import type { StatementDocument } from './statement-document.ts'

export interface PdfTask {
  readonly statement: StatementDocument
  readonly language: Language
}

const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
const TIMEOUT_MS = 60_000

/** Throws if the thread fails or takes too long. */
export async function renderPdf(task: PdfTask): Promise<Buffer> {
  const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url), { workerData: task, resourceLimits: LIMITS })
  try {
    const [bytes] = await once(thread, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!(bytes instanceof Uint8Array)) throw new Error('the thread returned no bytes')
    return Buffer.from(bytes)
  } finally {
    await thread.terminate()
  }
}
