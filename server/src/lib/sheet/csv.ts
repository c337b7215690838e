// Reads rows of a csv file. The most frequent of comma, semicolon and tab separates; the encoding is UTF-8, UTF-16 with a mark, or Cyrillic.

import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { parse } from 'csv-parse'
import { CELL_CAP, COLUMN_CAP, type Sheet, SheetFailure, type SheetRow } from './sheet.ts'

const HEAD = 64 * 1024
const BATCH = 1000
const RECORD_CAP = 1024 * 1024
const DELIMITERS = [';', '\t', ',']

export async function openCsv(path: string): Promise<Sheet> {
  const file = await open(path)
  const { size } = await file.stat()
  try {
    const encoding = await findEncoding(file, path)
    const head = new TextDecoder(encoding).decode(await readHead(file))
    if (head.includes('\0')) throw new SheetFailure('wrong_format', 'csv: not a text')
    const count = { bytes: 0 }
    return {
      is1904: false,
      tabs: [],
      merges: () => Promise.resolve([]),
      rows: () => readRows(path, { encoding, delimiter: findDelimiter(head) }, count),
      progress: () => (size === 0 ? 1 : Math.min(1, count.bytes / size)),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readHead(file: FileHandle): Promise<Buffer> {
  const head = Buffer.alloc(HEAD)
  const { bytesRead } = await file.read(head, 0, HEAD, 0)
  return head.subarray(0, bytesRead)
}

async function findEncoding(file: FileHandle, path: string): Promise<string> {
  const head = await readHead(file)
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of createReadStream(path)) decoder.decode(piece as Buffer, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch {
    return 'windows-1251'
  }
}

function findDelimiter(head: string): string {
  const lines = head.split(/\r?\n/, 20)
  const counts = DELIMITERS.map((sign) => Math.max(...lines.map((line) => line.split(sign).length)))
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

async function* readRows(
  path: string,
  { encoding, delimiter }: { encoding: string; delimiter: string },
  count: { bytes: number },
): AsyncGenerator<SheetRow[]> {
  const parser = parse({
    delimiter,
    // A file may mix them: its parts come from several systems.
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: false,
    max_record_size: RECORD_CAP,
    info: true,
  })
  const feeding = feed(path, encoding, parser, count)
  feeding.catch((error: unknown) => parser.destroy(error instanceof Error ? error : new Error(String(error))))
  let rows: SheetRow[] = []
  let line = 0
  try {
    for await (const { record } of parser as AsyncIterable<{ record: string[] }>) {
      line++
      const cells = record.slice(0, COLUMN_CAP).map((text) => text.slice(0, CELL_CAP))
      rows.push({ line, cells, isNumber: cells.map(() => false) })
      if (rows.length < BATCH) continue
      yield rows
      rows = []
    }
  } catch (error) {
    throw error instanceof SheetFailure
      ? error
      : new SheetFailure('wrong_format', 'csv: cannot be read', { cause: error })
  } finally {
    parser.destroy()
  }
  yield rows
}

async function feed(
  path: string,
  encoding: string,
  parser: ReturnType<typeof parse>,
  count: { bytes: number },
): Promise<void> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    if (parser.destroyed) return
    count.bytes += (piece as Buffer).length
    const text = decoder.decode(piece as Buffer, { stream: true })
    if (!parser.write(text)) {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          parser.off('drain', go)
          parser.off('close', go)
          resolve()
        }
        parser.on('drain', go)
        parser.on('close', go)
      })
    }
  }
  parser.end(decoder.decode())
}
