// Reads a file of spends in a thread and yields its sums.

import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SPEND_IMPORT_CAP, SPEND_IMPORT_UNPACKED } from '@tributary/contract/calls/spend-import'
import { MEGABYTE } from '@tributary/contract/limits'
import { type AppError, invalidField } from '../../lib/app-error.ts'
import type { FileCell, FileRejection } from './import-layout.ts'
import type { ReadingMessage, ReadingTask } from './import-messages.ts'

/** Shared texts are outside the heap, which holds rows in transit, or a whole workbook of the old format. */
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

const tooLarge = (): AppError =>
  invalidField('file', 'spend_import_unpacked', { max: SPEND_IMPORT_UNPACKED / MEGABYTE })

/** Throws `invalid` if the file cannot be read, has no heading, or holds more sums than one import may. */
export async function* readSpendFile(
  path: string,
  zone: string,
  signal: AbortSignal,
): AsyncGenerator<readonly (FileCell | FileRejection)[]> {
  const task: ReadingTask = { path, zone, max: SPEND_IMPORT_CAP }
  const thread = new Worker(new URL('./import-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: LIMITS,
  })
  try {
    for await (const [given] of on(thread, 'message', { signal, close: ['exit'] })) {
      // The thread sends nothing else.
      const message = given as ReadingMessage
      if (message.kind === 'end') return
      if (message.kind === 'no_heading') throw invalidField('file', 'spend_import_heading')
      if (message.kind === 'too_large') throw invalidField('file', 'spend_import_large', { max: SPEND_IMPORT_CAP })
      if (message.kind === 'fault')
        throw message.fault === 'too_complex' ? tooLarge() : invalidField('file', 'import_wrong_format')
      yield message.cells
      thread.postMessage('taken')
    }
    throw invalidField('file', 'import_wrong_format')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') throw tooLarge()
    throw error
  } finally {
    await thread.terminate()
  }
}
