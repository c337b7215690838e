// Reads the visible sheets of an .xlsx workbook row by row in bounded memory. It reads values of formulas, not the formulas.

import { type Block, blocksOf, joinTexts } from './blocks.ts'
import { readSharedStrings, type SharedStrings } from './shared-strings.ts'
import {
  CELL_CAP,
  COLUMN_CAP,
  MERGES_CAP,
  type Merge,
  ROW_CAP,
  type Sheet,
  SheetFailure,
  type SheetRow,
} from './sheet.ts'
import { attribute, decodeText, readWhole, tagsNamed } from './xml-text.ts'
import { openZip, type Zip, type ZipEntry } from './zip.ts'

/** Maximum unpacked size, about twenty times that of a hundred megabytes of real figures. */
const SHEET_CAP = 3 * 1024 * 1024 * 1024
const STRINGS_CAP = 1024 * 1024 * 1024
const DOCUMENT_CAP = 4 * 1024 * 1024

export interface XlsxOptions {
  /** Only the first shared texts are read: for a look at the head of the sheet. */
  readonly strings?: number
  /** Maximum number of bytes of the sheet and its texts when they are unpacked. */
  readonly unpackedCap?: number
}

export async function openXlsx(
  path: string,
  { strings, unpackedCap = Number.POSITIVE_INFINITY }: XlsxOptions = {},
): Promise<Sheet> {
  const zip = await openZip(path)
  try {
    const workbook = await readDocument(zip, await findWorkbook(zip))
    const { tabs, texts } = await findParts(zip, workbook)
    const entryOf = (tab: number): ZipEntry => {
      const entry = tabs[tab]?.entry
      if (entry === undefined) throw new SheetFailure('wrong_format', 'xlsx: there is no such sheet')
      // An entry that is larger than it says is rejected when it is read.
      const unpacked = entry.size + (texts?.size ?? 0)
      if (unpacked > unpackedCap) throw new SheetFailure('too_complex', `xlsx: ${unpacked} bytes when unpacked`)
      return entry
    }
    const size = entryOf(0).packed + (texts?.packed ?? 0)
    let shared: Promise<SharedStrings> | undefined
    return {
      is1904: [...tagsNamed(workbook.text, 'workbookPr')].some((tag) => isTrue(attribute(tag, 'date1904'))),
      tabs: tabs.map(({ title }) => title),
      async *rows(tab = 0) {
        const entry = entryOf(tab)
        if (texts !== undefined) shared ??= readSharedStrings(zip.read(texts, STRINGS_CAP), strings)
        yield* readRows(zip.read(entry, SHEET_CAP), (await shared) ?? NO_STRINGS)
      },
      merges: (tab = 0) => readMerges(zip.read(entryOf(tab), SHEET_CAP)),
      progress: () => (size === 0 ? 1 : Math.min(1, zip.bytesRead() / size)),
      close: () => zip.close(),
    }
  } catch (error) {
    await zip.close()
    throw error
  }
}

const NO_STRINGS: SharedStrings = { at: () => '' }
const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true'

interface Document {
  readonly path: string
  readonly text: string
}

async function readDocument(zip: Zip, path: string): Promise<Document> {
  const entry = zip.entries.get(path)
  if (entry === undefined) throw new SheetFailure('wrong_format', `xlsx: there is no ${path}`)
  return { path, text: await readWhole(zip.read(entry, DOCUMENT_CAP)) }
}

interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
}

/** Targets are relative to the document that they belong to. */
async function readRelations(zip: Zip, document: string): Promise<Relation[]> {
  const folder = document.slice(0, document.lastIndexOf('/') + 1)
  const path = `${folder}_rels/${document.slice(folder.length)}.rels`
  if (!zip.entries.has(path)) return []
  const { text } = await readDocument(zip, path)
  return [...tagsNamed(text, 'Relationship')].map((tag) => ({
    id: attribute(tag, 'Id') ?? '',
    type: (attribute(tag, 'Type') ?? '').split('/').at(-1) ?? '',
    target: resolvePath(folder, decodeText(attribute(tag, 'Target') ?? '')),
  }))
}

function resolvePath(folder: string, target: string): string {
  const parts: string[] = []
  for (const part of (target.startsWith('/') ? target : `${folder}${target}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

async function findWorkbook(zip: Zip): Promise<string> {
  const found = (await readRelations(zip, '')).find(({ type }) => type === 'officeDocument')
  return found?.target ?? 'xl/workbook.xml'
}

interface Tab {
  readonly title: string
  readonly entry: ZipEntry
}

async function findParts(zip: Zip, workbook: Document): Promise<{ tabs: readonly Tab[]; texts: ZipEntry | undefined }> {
  const relations = await readRelations(zip, workbook.path)
  const sheets = [...tagsNamed(workbook.text, 'sheet')].flatMap((tag) => {
    const relation = relations.find(({ id }) => id !== '' && id === relationOf(tag))
    const entry = relation?.type === 'worksheet' ? zip.entries.get(relation.target) : undefined
    if (entry === undefined) return []
    const isHidden = (attribute(tag, 'state') ?? 'visible') !== 'visible'
    return [{ title: decodeText(attribute(tag, 'name') ?? ''), entry, isHidden }]
  })
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  const tabs = visible.length > 0 ? visible : sheets.slice(0, 1)
  if (tabs.length === 0) throw new SheetFailure('wrong_format', 'xlsx: there is no sheet')
  const texts = relations.find(({ type }) => type === 'sharedStrings')?.target
  return { tabs, texts: texts === undefined ? undefined : zip.entries.get(texts) }
}

/** The value of `r:id` with any prefix. */
const relationOf = (tag: string): string | undefined => /\s[\w.-]+:id\s*=\s*["']([^"']*)["']/.exec(tag)?.[1]

async function* readRows(pieces: AsyncIterable<Buffer>, shared: SharedStrings): AsyncGenerator<SheetRow[]> {
  let line = 0
  for await (const { prefix, blocks } of blocksOf(pieces, 'row')) {
    const rows: SheetRow[] = []
    for (const block of blocks) {
      line = lineOf(block, line)
      if (block.content !== '') rows.push(readRow(block.content, prefix, shared, line))
    }
    yield rows
  }
}

/** Merged ranges stand behind the rows, so that the sheet is read for them as a whole. */
async function readMerges(pieces: AsyncIterable<Buffer>): Promise<Merge[]> {
  const merges: Merge[] = []
  for await (const { blocks } of blocksOf(pieces, 'mergeCell')) {
    if (merges.length + blocks.length > MERGES_CAP)
      throw new SheetFailure('too_complex', 'xlsx: too many merged ranges')
    for (const { attributes } of blocks) {
      const range = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(attribute(attributes, 'ref') ?? '')
      if (range === null) continue
      const [first, last] = [columnOf(range[1], -1), columnOf(range[3], -1)]
      merges.push({
        startRow: Number(range[2]) - 1,
        endRow: Number(range[4]),
        startColumn: first,
        endColumn: last + 1,
      })
    }
  }
  return merges.sort((a, b) => a.startRow - b.startRow)
}

function lineOf({ attributes }: Block, before: number): number {
  const written = attribute(attributes, 'r')
  const line = written === undefined ? before + 1 : Number(written)
  if (!Number.isSafeInteger(line) || line < 1 || line > ROW_CAP || line <= before)
    throw new SheetFailure('wrong_format', 'xlsx: rows are out of order')
  return line
}

function readRow(content: string, prefix: string, shared: SharedStrings, line: number): SheetRow {
  const cells: string[] = []
  const isNumber: boolean[] = []
  const uncalculated: number[] = []
  const open = `<${prefix}c`
  const close = `</${prefix}c>`
  let column = -1
  for (let at = content.indexOf(open); at !== -1; at = content.indexOf(open, at)) {
    const next = content.charCodeAt(at + open.length)
    const head = content.indexOf('>', at)
    if (head === -1) break
    if (!(next <= 32 || next === 62 || next === 47)) {
      at = head + 1
      continue
    }
    const tag = content.slice(at + open.length, head)
    column = columnOf(attribute(tag, 'r'), column)
    if (content.charCodeAt(head - 1) === 47) {
      at = head + 1
      continue
    }
    const end = content.indexOf(close, head)
    if (end === -1) break
    if (column < COLUMN_CAP) {
      while (cells.length < column) {
        cells.push('')
        isNumber.push(false)
      }
      const type = attribute(tag, 't') ?? 'n'
      const inside = content.slice(head + 1, end)
      const text = readCell(inside, type, prefix, shared)
      cells[column] = text
      isNumber[column] = type === 'n'
      if (text === '' && isUncalculated(inside, type, prefix)) uncalculated.push(column)
    }
    at = end + close.length
  }
  return uncalculated.length === 0 ? { line, cells, isNumber } : { line, cells, isNumber, uncalculated }
}

/** A formula whose result no program has stored. An empty text is a result. */
const isUncalculated = (content: string, type: string, prefix: string): boolean =>
  type !== 'str' && new RegExp(`<${prefix}f[\\s>/]`).test(content)

const LAST_COLUMN = 16_384

/** 'AB12' → 27; without a reference the cell follows the one before it. */
function columnOf(reference: string | undefined, before: number): number {
  let column = 0
  if (reference === undefined) column = before + 2
  else {
    for (let at = 0; at < reference.length; at++) {
      const letter = reference.charCodeAt(at) - 64
      if (letter < 1 || letter > 26) break
      column = column * 26 + letter
      if (column > LAST_COLUMN) break
    }
  }
  if (column < 1 || column > LAST_COLUMN)
    throw new SheetFailure('wrong_format', 'xlsx: a cell stands outside of any column')
  return column - 1
}

function readCell(content: string, type: string, prefix: string, shared: SharedStrings): string {
  if (type === 'inlineStr') return decodeText(joinTexts(content, prefix)).slice(0, CELL_CAP)
  const raw = textOfValue(content, prefix)
  if (type === 's') return raw === '' ? '' : shared.at(Number(raw))
  if (type === 'n') return raw.trim()
  if (type === 'b') return raw === '1' ? 'TRUE' : 'FALSE'
  return decodeText(raw).slice(0, CELL_CAP)
}

function textOfValue(content: string, prefix: string): string {
  const open = `<${prefix}v`
  for (let at = content.indexOf(open); at !== -1; at = content.indexOf(open, at + 1)) {
    const head = content.indexOf('>', at)
    const next = content.charCodeAt(at + open.length)
    if (head === -1) return ''
    if (!(next <= 32 || next === 62 || next === 47)) continue
    if (content.charCodeAt(head - 1) === 47) return ''
    const end = content.indexOf('<', head)
    return end === -1 ? '' : content.slice(head + 1, end)
  }
  return ''
}
