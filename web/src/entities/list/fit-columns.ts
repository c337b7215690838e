// Widens columns of amounts and of states, so that none of the shown rows is cut: half an amount is a wrong one.
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

type Row = Readonly<Record<string, unknown>>

/** Columns that the user has resized keep their `widths`. */
export function fitColumns(
  columns: readonly Column[],
  rows: readonly Row[],
  widths: Readonly<Record<string, number>>,
  labels: Labels,
): readonly Column[] {
  const fitted = columns.map((column) => {
    const needed = widths[column.path] === undefined ? neededFor(column, rows, labels) : 0
    return needed > column.width ? { ...column, width: needed } : column
  })
  return fitted.some((column, index) => column !== columns[index]) ? fitted : columns
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
