// Reads rows of the old binary workbook (.xls) as a whole, so it must run in a thread with its own memory limit.

import { readFile } from 'node:fs/promises'
import { readXls } from 'hucre'
import { CELL_CAP, COLUMN_CAP, MERGES_CAP, type Sheet, SheetFailure, type SheetRow } from './sheet.ts'

type Value = string | number | boolean | Date | null

const BATCH = 1000

export async function openXls(path: string): Promise<Sheet> {
  const tabs = await readTabs(path)
  let done = 0
  return {
    // The library converts dates itself.
    is1904: false,
    tabs: tabs.map(({ name }) => name),
    merges: (tab = 0) => {
      const merges = tabs[tab]?.merges ?? []
      if (merges.length > MERGES_CAP) throw new SheetFailure('too_complex', 'xls: too many merged ranges')
      const halfOpen = merges.map(({ startRow, endRow, startCol, endCol }) => ({
        startRow,
        endRow: endRow + 1,
        startColumn: startCol,
        endColumn: endCol + 1,
      }))
      return Promise.resolve(halfOpen.sort((a, b) => a.startRow - b.startRow))
    },
    async *rows(tab = 0) {
      const found = tabs[tab]?.rows ?? []
      for (let at = 0; at < found.length; at += BATCH) {
        done = at / found.length
        yield found.slice(at, at + BATCH).map((values, index) => toRow(values, at + index + 1))
      }
      done = 1
    },
    progress: () => done,
    close: () => Promise.resolve(),
  }
}

async function readTabs(path: string) {
  try {
    const { sheets } = await readXls(await readFile(path))
    const visible = sheets.filter(({ hidden, veryHidden }) => hidden !== true && veryHidden !== true)
    if (sheets.length === 0) throw new SheetFailure('wrong_format', 'xls: there is no sheet')
    return visible.length > 0 ? visible : sheets.slice(0, 1)
  } catch (error) {
    // The library's message for a damaged file is often misleading ('password-protected').
    throw error instanceof SheetFailure
      ? error
      : new SheetFailure('wrong_format', 'xls: cannot be read', { cause: error })
  }
}

function toRow(values: readonly Value[], line: number): SheetRow {
  const seen = values.slice(0, COLUMN_CAP)
  return { line, cells: seen.map(textOf), isNumber: seen.map((value) => typeof value === 'number') }
}

function textOf(value: Value | undefined): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 19).replace('T', ' ')
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value).slice(0, CELL_CAP)
}
