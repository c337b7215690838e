// Reads rows of the old binary workbook (.xls) as a whole, so it must run in a thread with its own memory limit.

import { readFile } from 'node:fs/promises'
import { readXls } from 'hucre'
import { CELL_CAP, COLUMN_CAP, type Sheet, SheetFailure, type SheetRow } from './sheet.ts'

type Value = string | number | boolean | Date | null

const BATCH = 1000

export async function openXls(path: string): Promise<Sheet> {
  let done = 0
  return {
    // The library converts dates itself.
    is1904: false,
    async *rows() {
      const found = await readSheet(path)
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

async function readSheet(path: string): Promise<readonly (readonly Value[])[]> {
  try {
    const { sheets } = await readXls(await readFile(path))
    const sheet = sheets.find(({ hidden, veryHidden }) => hidden !== true && veryHidden !== true) ?? sheets[0]
    if (sheet === undefined) throw new SheetFailure('wrong_format', 'xls: there is no sheet')
    return sheet.rows
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
