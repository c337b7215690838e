// The spend grid while it is edited: what is entered over the loaded table, ranges, and undo. Pure.

import type { SpendCellProblem, SpendTable, SpendTableCell, SpendTableRow } from '@tributary/contract/calls/spend-table'
import { partnerSpend } from '@tributary/contract/entities/partner-spend'
import { checkField, type Issue } from '@tributary/contract/validate'
import type { MessageKey } from '@tributary/contract/words/messages'
import { type DecimalSign, findDecimalSign, readAmount } from '../../lib/read-amounts.ts'

export interface GridPlace {
  readonly row: number
  readonly day: number
}

/** Both corners are included. */
export interface GridRange {
  readonly from: GridPlace
  readonly to: GridPlace
}

export type Problem =
  | { readonly kind: 'text'; readonly why: 'not_amount' | 'two_ways' | 'negative' }
  /** An amount that no spend can be. */
  | { readonly kind: 'amount'; readonly issue: Issue }
  | { readonly kind: 'locked'; readonly key: MessageKey }
  /** The server's words. */
  | { readonly kind: 'rejected'; readonly message: string }
  /** Somebody else has changed the cell: it is sent only after the user has chosen. `theirs`: what it holds now. */
  | { readonly kind: 'clash'; readonly theirs: string | null; readonly by: string | null }

export interface Edit {
  /** As it was typed or pasted. */
  readonly text: string
  /** The amount to save; null empties the cell. Without a meaning while there is a problem. */
  readonly base: string | null
  readonly problem: Problem | null
}

/** Edits of one row, by the index of the day. */
export type RowEdits = ReadonlyMap<number, Edit>
/** By the key of the row. A row without edits keeps its identity, so that it is not rendered again. */
export type Edits = ReadonlyMap<string, RowEdits>

export const NO_EDITS: Edits = new Map()

export const rowKey = ({ stream, country, site_id }: SpendTableRow): string =>
  `${stream.id} ${country.id} ${site_id ?? ''}`

export const rangeBetween = (a: GridPlace, b: GridPlace): GridRange => ({
  from: { row: Math.min(a.row, b.row), day: Math.min(a.day, b.day) },
  to: { row: Math.max(a.row, b.row), day: Math.max(a.day, b.day) },
})

export const isWithin = ({ from, to }: GridRange, row: number, day: number): boolean =>
  row >= from.row && row <= to.row && day >= from.day && day <= to.day

const DECIMAL = /^(\d+)\.(\d*?)0*$/
/** '12.5000' → '12.5': as people type it. */
export function plainAmount(amount: string | null): string {
  if (amount === null) return ''
  const match = DECIMAL.exec(amount)
  return match === null ? amount : match[2] === '' ? (match[1] ?? '') : `${match[1]}.${match[2]}`
}

/** What a cell holds with its edit. */
export const textOf = (cell: SpendTableCell | undefined, edit: Edit | undefined): string =>
  edit === undefined ? plainAmount(cell?.base ?? null) : edit.problem === null ? plainAmount(edit.base) : edit.text

/** Null if the cell holds this already. */
function makeEdit(cell: SpendTableCell, text: string, sign: DecimalSign): Edit | null {
  const read = readAmount(text, sign)
  if ('problem' in read) return { text, base: null, problem: { kind: 'text', why: read.problem } }
  const { base } = read
  const [issue] = base === null ? [] : checkField(partnerSpend.fields.sum, base)
  if (issue !== undefined) return { text, base: null, problem: { kind: 'amount', issue } }
  if (plainAmount(normal(base)) === plainAmount(cell.base)) return null
  // A spend that was left behind by another payment model may be removed.
  const isRemoval = base === null && cell.base !== null
  const problem = cell.reason === null || isRemoval ? null : ({ kind: 'locked', key: cell.reason } as const)
  return { text, base, problem }
}

function normal(base: string | null): string | null {
  if (base === null) return null
  const [whole = '', fraction = ''] = base.split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${fraction}`
}

export interface GivenText extends GridPlace {
  readonly text: string
}

/** Enters texts; those outside the table are left out. Equal texts take an edit back. */
export function enterTexts(
  edits: Edits,
  rows: readonly SpendTableRow[],
  given: readonly GivenText[],
  sign: DecimalSign = null,
): Edits {
  const next = new Map(edits)
  const touched = new Map<string, Map<number, Edit>>()
  for (const { row: at, day, text } of given) {
    const row = rows[at]
    const cell = row?.cells[day]
    if (row === undefined || cell === undefined) continue
    const key = rowKey(row)
    const own = touched.get(key) ?? new Map(edits.get(key))
    touched.set(key, own)
    const edit = makeEdit(cell, text, sign)
    if (edit === null) own.delete(day)
    else own.set(day, edit)
  }
  for (const [key, own] of touched) {
    if (own.size === 0) next.delete(key)
    else next.set(key, own)
  }
  return next
}

/** A copied block from its upper left cell on; a single cell fills the whole range. */
export function pasteTexts(
  block: readonly (readonly string[])[],
  range: GridRange,
): { given: GivenText[]; sign: DecimalSign; range: GridRange } {
  const sign = findDecimalSign(block.flat())
  const [height, width] = [block.length, Math.max(...block.map((row) => row.length))]
  const isSingle = height === 1 && width === 1
  const to = isSingle ? range.to : { row: range.from.row + height - 1, day: range.from.day + width - 1 }
  const given: GivenText[] = []
  for (let row = range.from.row; row <= to.row; row++)
    for (let day = range.from.day; day <= to.day; day++) {
      const text = isSingle ? block[0]?.[0] : block[row - range.from.row]?.[day - range.from.day]
      if (text !== undefined) given.push({ row, day, text })
    }
  return { given, sign, range: { from: range.from, to } }
}

/** The texts of the first row of a range in all of its rows; of a single row, those of the row above. */
export function fillDown(range: GridRange, textAt: (place: GridPlace) => string): GivenText[] {
  const source = range.from.row === range.to.row ? range.from.row - 1 : range.from.row
  const given: GivenText[] = []
  for (let row = source + 1; row <= range.to.row; row++)
    for (let day = range.from.day; day <= range.to.day; day++)
      if (source >= 0) given.push({ row, day, text: textAt({ row: source, day }) })
  return given
}

/** With three decimals an amount could be read as thousands, so that it gets a fourth. */
const forSpreadsheet = (text: string, sign: '.' | ','): string =>
  text.replace(/^(\d+)\.(\d+)$/, (_text, whole: string, fraction: string) =>
    [whole, fraction.length === 3 ? `${fraction}0` : fraction].join(sign),
  )

/** `sign` stands before decimals, as in spreadsheets of the user's language. */
export function copyText({ from, to }: GridRange, sign: '.' | ',', textAt: (place: GridPlace) => string): string {
  const lines: string[] = []
  for (let row = from.row; row <= to.row; row++) {
    const cells: string[] = []
    for (let day = from.day; day <= to.day; day++) cells.push(forSpreadsheet(textAt({ row, day }), sign))
    lines.push(cells.join('\t'))
  }
  return lines.join('\n')
}

export function countEdits(edits: Edits): { ready: number; problems: number; clashes: number } {
  let [ready, problems, clashes] = [0, 0, 0]
  for (const row of edits.values())
    for (const { problem } of row.values()) {
      if (problem === null || problem.kind === 'rejected') ready += 1
      if (problem !== null) problems += 1
      if (problem?.kind === 'clash') clashes += 1
    }
  return { ready, problems, clashes }
}

/** Settles clashes within a range of the reloaded table: `mine` is sent by the next save, `theirs` drops what was entered. */
export function settleClashes(
  edits: Edits,
  rows: readonly SpendTableRow[],
  choice: 'mine' | 'theirs',
  range: GridRange,
): Edits {
  const next = new Map(edits)
  rows.forEach((row, index) => {
    const key = rowKey(row)
    const own = new Map(edits.get(key))
    for (const [day, { base, problem }] of own) {
      const cell = row.cells[day]
      if (problem?.kind !== 'clash' || cell === undefined || !isWithin(range, index, day)) continue
      const edit = choice === 'mine' ? makeEdit(cell, base ?? '', '.') : null
      if (edit === null) own.delete(day)
      else own.set(day, edit)
    }
    if (own.size === 0) next.delete(key)
    else next.set(key, own)
  })
  return next
}

/** The places of edits that have a problem, in the order of the table. */
export function findProblems(edits: Edits, rows: readonly SpendTableRow[]): GridPlace[] {
  return rows.flatMap((row, index) =>
    [...(edits.get(rowKey(row)) ?? [])]
      .filter(([, { problem }]) => problem !== null)
      .map(([day]) => ({ row: index, day }))
      .toSorted((a, b) => a.day - b.day),
  )
}

/** Ids of the currencies that the user has chosen for new sums, by the key of the row. */
export type RowCurrencies = ReadonlyMap<string, number>
export const NO_CURRENCIES: RowCurrencies = new Map()

/** The table with the chosen currencies in cells that hold no sum yet. */
export function withCurrencies(table: SpendTable, chosen: RowCurrencies): SpendTable {
  if (chosen.size === 0) return table
  const rows = table.rows.map((row) => {
    const currency = table.currencies.find(({ id }) => id === chosen.get(rowKey(row)))?.value
    if (currency === undefined) return row
    return { ...row, cells: row.cells.map((cell) => (cell.base === null ? { ...cell, currency } : cell)) }
  })
  return { ...table, rows }
}

/** Edits that bring back what the cells held before a save. Rejected cells were not saved. */
export function takeBack(saved: Edits, rows: readonly SpendTableRow[], kept: Edits): Edits {
  const back = new Map(kept)
  for (const row of rows) {
    const key = rowKey(row)
    const own = new Map(kept.get(key))
    for (const day of saved.get(key)?.keys() ?? []) {
      const cell = row.cells[day]
      if (cell !== undefined && !own.has(day))
        own.set(day, { text: plainAmount(cell.base), base: cell.base, problem: null })
    }
    if (own.size > 0) back.set(key, own)
  }
  return back
}

/** The body of the call that saves. Rejected cells are sent again: their reason may be gone. */
export function toCells(
  { rows, days }: Pick<SpendTable, 'rows' | 'days'>,
  edits: Edits,
  chosen: RowCurrencies = NO_CURRENCIES,
) {
  return rows.flatMap((row) =>
    [...(edits.get(rowKey(row)) ?? [])]
      .filter(([, { problem }]) => problem === null || problem.kind === 'rejected')
      .map(([day, { base }]) => ({
        stream: row.stream.id,
        country: row.country.id,
        site_id: row.site_id,
        date: days[day] ?? '',
        base,
        version: row.cells[day]?.version ?? null,
        ...(row.cells[day]?.id != null && { id: row.cells[day].id }),
        // A cell that holds a sum keeps its currency.
        ...(row.cells[day]?.base == null && chosen.has(rowKey(row)) && { currency: chosen.get(rowKey(row)) }),
      })),
  )
}

function problemOf({ code, message, current }: SpendCellProblem): Problem {
  return code === 'stale' && current !== undefined
    ? { kind: 'clash', theirs: current.base, by: current.by }
    : { kind: 'rejected', message }
}

/** After a save only rejected cells, with their reasons, and those that were not sent stay. Both sides may have entered the same. */
export function keepRejected(edits: Edits, days: readonly string[], rejected: readonly SpendCellProblem[]): Edits {
  const reasons = new Map(
    rejected.map((cell) => [`${cell.stream} ${cell.country} ${cell.site_id ?? ''} ${cell.date}`, problemOf(cell)]),
  )
  const next = new Map<string, RowEdits>()
  for (const [key, row] of edits) {
    const kept = new Map<number, Edit>()
    for (const [day, edit] of row) {
      const problem = reasons.get(`${key} ${days[day]}`)
      if (problem?.kind === 'clash' && plainAmount(normal(edit.base)) === plainAmount(problem.theirs)) continue
      if (problem !== undefined) kept.set(day, { ...edit, problem })
      else if (edit.problem !== null && edit.problem.kind !== 'rejected') kept.set(day, edit)
    }
    if (kept.size > 0) next.set(key, kept)
  }
  return next
}
