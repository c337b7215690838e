// Reads a file of spends in a thread and yields its sums. The thread loads few modules: each costs time and memory in every import.

import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SPEND_IMPORT_CAP, SPEND_IMPORT_UNPACKED } from '@tributary/contract/calls/spend-import'
import { LANGUAGES } from '@tributary/contract/language'
import { MEGABYTE } from '@tributary/contract/limits'
import { fieldLabel } from '@tributary/contract/words/entity-words'
import type { MessageKey } from '@tributary/contract/words/messages'
import { type AppError, invalidField } from '../../lib/app-error.ts'
import { isWorkbook } from '../../lib/sheet/open-sheet.ts'
import { WORDS } from '../../lib/words.ts'
import type { TabProblem } from './choose-file-tab.ts'
import type { FilePart } from './import-layout.ts'
import type { ReadingMessage, ReadingTask, ReadTab } from './import-messages.ts'

/**
 * Shared texts are outside the heap, which holds rows in transit, or a whole workbook of the old format. The process keeps the memory of a
 * thread for a while after its end, hence the small young generation.
 */
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 4, stackSizeMb: 4 }

const OWN_HEADINGS = LANGUAGES.flatMap((language) =>
  ['id', 'claim_at'].map((field) => fieldLabel(WORDS[language], 'partner_spend', field)),
)

const tooLarge = (): AppError =>
  invalidField('file', 'spend_import_unpacked', { max: SPEND_IMPORT_UNPACKED / MEGABYTE })

const TAB_PROBLEMS = {
  no_heading: 'spend_import_heading',
  no_month: 'spend_import_month',
  tab_absent: 'spend_import_tab_absent',
  tab_repeated: 'spend_import_tab_repeated',
  tabs_of_months: 'spend_import_tabs_of_months',
  tabs_of_month: 'spend_import_tabs_of_month',
} as const satisfies Record<TabProblem['kind'], MessageKey>

const isTabProblem = (message: ReadingMessage): message is TabProblem => message.kind in TAB_PROBLEMS

function tabFailure(problem: TabProblem): AppError {
  const tabs = 'tabs' in problem ? problem.tabs.join(', ') : ''
  const month = 'month' in problem ? problem.month : ''
  return invalidField('file', TAB_PROBLEMS[problem.kind], { tabs, month })
}

/** A text that is named like a workbook is told so: its headings are not what is wrong. */
async function formatFailure({ path, name }: NamedFile, key: MessageKey): Promise<AppError> {
  const isMisnamed = /\.xlsx?$/i.test(name) && !(await isWorkbook(path))
  return isMisnamed ? invalidField('file', 'spend_import_not_book', { name }) : invalidField('file', key)
}

interface NamedFile {
  readonly path: string
  /** As the user has named it. */
  readonly name: string
}

/** Throws `invalid` if the file cannot be read, has no heading, or holds more sums than one import may. */
export async function* readSpendFile(
  { path, name, zone, month }: NamedFile & Pick<ReadingTask, 'path' | 'zone' | 'month'>,
  signal: AbortSignal,
  onTab: (tab: ReadTab) => void,
): AsyncGenerator<readonly FilePart[]> {
  const task: ReadingTask = {
    path,
    zone,
    month,
    max: SPEND_IMPORT_CAP,
    unpackedCap: SPEND_IMPORT_UNPACKED,
    ownHeadings: OWN_HEADINGS,
  }
  const thread = new Worker(new URL('./import-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: LIMITS,
  })
  try {
    for await (const [given] of on(thread, 'message', { signal, close: ['exit'] })) {
      // The thread sends nothing else.
      const message = given as ReadingMessage
      if (message.kind === 'end') return
      if (message.kind === 'no_heading') throw await formatFailure({ path, name }, TAB_PROBLEMS.no_heading)
      if (isTabProblem(message)) throw tabFailure(message)
      if (message.kind === 'tab') {
        onTab({ tab: message.tab, otherTabs: message.otherTabs })
        continue
      }
      if (message.kind === 'too_large') throw invalidField('file', 'spend_import_large', { max: SPEND_IMPORT_CAP })
      if (message.kind === 'fault')
        throw message.fault === 'too_complex' ? tooLarge() : await formatFailure({ path, name }, 'import_wrong_format')
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
