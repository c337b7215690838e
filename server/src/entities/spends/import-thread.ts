// The thread that reads a file of spends, so that requests are not delayed and its memory has its own limit.

import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { createMoments } from '../../integrations/player-report/moments.ts'
import { openSheet } from '../../lib/sheet/open-sheet.ts'
import { SheetFailure } from '../../lib/sheet/sheet.ts'
import { chooseFileTab } from './choose-file-tab.ts'
import { FileLayout, type FilePart } from './import-layout.ts'
import type { ReadingMessage, ReadingTask } from './import-messages.ts'
import { MergedTexts } from './merged-texts.ts'

const PORTION = 1000

const say = (message: ReadingMessage): void => parentPort?.postMessage(message)

let earlier: Promise<unknown> = Promise.resolve()

/** Waits until the portion before has been taken: one is taken while the next one is read. More of them would take more memory than the file. */
async function send(cells: readonly FilePart[]): Promise<void> {
  await earlier
  earlier = parentPort === null ? Promise.resolve() : once(parentPort, 'message')
  say({ kind: 'cells', cells })
}

async function read({ path, zone, month, max, unpackedCap, ownHeadings }: ReadingTask): Promise<ReadingMessage> {
  const sheet = await openSheet(path, { unpackedCap })
  try {
    const moments = createMoments({ server: zone, business: zone }, sheet.is1904)
    const chosen = await chooseFileTab(sheet, { moments, month, ownHeadings })
    if ('kind' in chosen) return chosen
    const { tab, ownMonth } = chosen
    const merged = new MergedTexts(await sheet.merges(tab))
    const layout = new FileLayout({ moments, month, ownMonth, merged, ownHeadings })
    const otherTabs = sheet.tabs.filter((_title, place) => place !== tab)
    say({ kind: 'tab', tab: sheet.tabs[tab] ?? null, otherTabs })
    let cells: FilePart[] = []
    let total = 0
    for await (const rows of sheet.rows(tab)) {
      for (const row of rows) {
        for (const cell of layout.read(row)) cells.push(cell)
        if (layout.isHopeless) return { kind: layout.lacksMonth ? 'no_month' : 'no_heading' }
      }
      if (total + cells.length > max) return { kind: 'too_large' }
      if (cells.length < PORTION) continue
      total += cells.length
      await send(cells)
      cells = []
    }
    if (layout.kind === null) return { kind: layout.lacksMonth ? 'no_month' : 'no_heading' }
    await send(cells)
    return { kind: 'end' }
  } finally {
    await sheet.close()
  }
}

// The cast is correct: read-file.ts starts the thread with a ReadingTask.
say(
  await read(workerData as ReadingTask).catch((error: unknown): ReadingMessage => {
    if (error instanceof SheetFailure) return { kind: 'fault', fault: error.fault, detail: error.message }
    throw error
  }),
)
