// Opens a table by the format of its content, regardless of the file's name.

import { open } from 'node:fs/promises'
import { openCsv } from './csv.ts'
import type { Sheet } from './sheet.ts'
import { openXlsx, type XlsxOptions } from './xlsx.ts'

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** Opens a table. Throws SheetFailure if the file is not a table. */
export async function openSheet(path: string, options: XlsxOptions = {}): Promise<Sheet> {
  const head = await readStart(path)
  if (head.subarray(0, 4).equals(ZIP)) return openXlsx(path, options)
  if (head.equals(COMPOUND)) {
    // The format is rare, and its library takes 15 MB of each thread that loads it.
    const { openXls } = await import('./xls.ts')
    return openXls(path)
  }
  return openCsv(path)
}

/** True if the content is a workbook, damaged or not, whatever the file's name says. */
export async function isWorkbook(path: string): Promise<boolean> {
  const head = await readStart(path)
  return head.subarray(0, 4).equals(ZIP) || head.equals(COMPOUND)
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
