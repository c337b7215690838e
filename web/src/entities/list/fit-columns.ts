// Widens columns of amounts and of states, so that none of the shown rows is cut: half an amount is a wrong one. Columns of names share the
// room that the table leaves, if their rows need it.
import type { Labels } from '../../i18n/labels.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import type { Column } from '../field/columns.ts'
import { valueAt } from '../field/field-at.ts'
import { currencyOf, isState } from '../field/field-value.tsx'
import { plainText, splitAmount } from '../field/row-text.ts'

/** Pixels of a digit or a letter, and of the padding of a cell with a number. */
const SIGN_PX = 8
const PADDING_PX = 33
/** Pixels of a badge around its word, and of the padding of a cell. */
const BADGE_PX = 52

/** Pixels of a letter on average, and of the padding of a cell with a link. */
const LETTER_PX = 8
const NAME_PADDING_PX = 40
const WIDEST_NAME_PX = 1600

type Row = Readonly<Record<string, unknown>>

/** Columns that the user has resized keep their `widths`. `before` is the width before the first column, in pixels. */
export function fitColumns(
  columns: readonly Column[],
  rows: readonly Row[],
  widths: Readonly<Record<string, number>>,
  labels: Labels,
  before: number,
): readonly Column[] {
  const fitted = columns.map((column) => {
    const needed = widths[column.path] === undefined ? neededFor(column, rows, labels) : 0
    return needed > column.width ? { ...column, width: needed } : column
  })
  const isChanged = fitted.some((column, index) => column !== columns[index])
  return shareRoom(isChanged ? fitted : columns, rows, widths, before)
}

/** Gives the room that is left to columns of names, in proportion to what each lacks. The length follows the table's width. */
function shareRoom(
  columns: readonly Column[],
  rows: readonly Row[],
  widths: Readonly<Record<string, number>>,
  before: number,
): readonly Column[] {
  const lacks = columns.map((column) =>
    widths[column.path] === undefined ? Math.max(0, Math.round(nameWidth(column, rows) - column.width)) : 0,
  )
  const lacking = lacks.reduce((sum, lack) => sum + lack, 0)
  if (lacking === 0) return columns
  const taken = columns.reduce((sum, { width }) => sum + width, before)
  return columns.map((column, index) => {
    const lack = lacks[index] ?? 0
    if (lack === 0) return column
    return { ...column, growth: `clamp(0px, (100cqw - ${taken}px) * ${(lack / lacking).toFixed(4)}, ${lack}px)` }
  })
}

/** The width that the longest name of a column needs; 0 for columns without names. */
function nameWidth({ path, field }: Column, rows: readonly Row[]): number {
  if (field.kind !== 'text' && field.kind !== 'reference' && field.kind !== 'references') return 0
  const lengths = rows.map((row) => lengthOf(valueAt(row, path)))
  return Math.min(WIDEST_NAME_PX, NAME_PADDING_PX + LETTER_PX * Math.max(0, ...lengths))
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + lengthOf(one) + 2, -2)
  if (typeof value === 'object' && value !== null && 'title' in value) return String(value.title).length
  return typeof value === 'string' ? value.length : 0
}

const isAmount = ({ field }: Column): boolean =>
  (field.kind === 'decimal' && field.unit === 'money') || (field.kind === 'derived' && field.isNumber === true)

/** 0 if the column keeps its width. */
function neededFor(column: Column, rows: readonly Row[], labels: Labels): number {
  const widest = (texts: readonly string[]) => SIGN_PX * Math.max(0, ...texts.map(({ length }) => length))
  if (isAmount(column)) return PADDING_PX + widest(rows.map((row) => textOf(column, row)))
  const { entity, name, path, field } = column
  if (field.kind !== 'choice' || !isState(field.options)) return 0
  const states = new Set(rows.map((row) => plainText(valueAt(row, path))))
  return BADGE_PX + widest([...states].map((state) => labels.choice(entity, name, state)))
}

function textOf({ path, field }: Column, row: Row): string {
  const value = valueAt(row, path)
  if (value === null || value === undefined) return ''
  if (field.kind === 'derived') {
    const { amount, currency } = splitAmount(plainText(value))
    return currency === '' ? amount : `${formatDecimal(amount, 2)} ${currency}`
  }
  if (field.kind !== 'decimal') return plainText(value)
  const owner = path.includes('.') ? valueAt(row, path.slice(0, path.lastIndexOf('.'))) : row
  const currency = typeof owner === 'object' && owner !== null ? currencyOf(owner as Row, field.currencyField) : null
  return [formatDecimal(plainText(value), 2), currency].filter(Boolean).join(' ')
}
