// Stores the shared texts of a workbook as bytes, so that a million of them cost their length and sixteen bytes each.

import { blocksOf, joinTexts } from './blocks.ts'
import { CELL_CAP, SheetFailure } from './sheet.ts'
import { decodeText } from './xml-text.ts'

export interface SharedStrings {
  /** The text of an index; '' if there is none. */
  at(index: number): string
}

const PAGE = 4 * 1024 * 1024
const BYTES_CAP = 256 * 1024 * 1024
const COUNT_CAP = 8_000_000
/** Number of recently used texts that stay decoded, because one country may occur in a hundred thousand cells. */
const RECENT = 8192

/** Reads shared texts, at most the first `atMost`. */
export async function readSharedStrings(pieces: AsyncIterable<Buffer>, atMost = COUNT_CAP): Promise<SharedStrings> {
  const store = createStore()
  for await (const { prefix, blocks } of blocksOf(pieces, 'si')) {
    for (const { content } of blocks) {
      if (store.count() >= COUNT_CAP) throw new SheetFailure('too_complex', 'shared strings: too many')
      store.add(decodeText(joinTexts(content, prefix)).slice(0, CELL_CAP))
    }
    if (store.count() >= atMost) break
  }
  return store
}

function createStore() {
  const pages: Buffer[] = []
  let used = PAGE
  let count = 0
  let starts = new Float64Array(1024)
  let lengths = new Uint32Array(1024)
  const recentIndex = new Int32Array(RECENT).fill(-1)
  const recentText: string[] = new Array(RECENT).fill('')

  function grow(): void {
    const [moreStarts, moreLengths] = [new Float64Array(starts.length * 2), new Uint32Array(lengths.length * 2)]
    moreStarts.set(starts)
    moreLengths.set(lengths)
    starts = moreStarts
    lengths = moreLengths
  }

  return {
    count: () => count,
    add(text: string): void {
      const length = Buffer.byteLength(text)
      if (used + length > PAGE) {
        if ((pages.length + 1) * PAGE > BYTES_CAP) throw new SheetFailure('too_complex', 'shared strings: too long')
        pages.push(Buffer.allocUnsafeSlow(PAGE))
        used = 0
      }
      if (count === starts.length) grow()
      pages.at(-1)?.write(text, used)
      starts[count] = (pages.length - 1) * PAGE + used
      lengths[count] = length
      used += length
      count++
    },
    at(index: number): string {
      if (!(index >= 0 && index < count)) return ''
      const slot = index % RECENT
      if (recentIndex[slot] === index) return recentText[slot] ?? ''
      const start = starts[index] ?? 0
      const from = start % PAGE
      const text = pages[Math.floor(start / PAGE)]?.toString('utf8', from, from + (lengths[index] ?? 0)) ?? ''
      recentIndex[slot] = index
      recentText[slot] = text
      return text
    },
  }
}
