// Widens columns of amounts, so that no amount of the shown rows is cut: half an amount is a wrong one.
import { formatDecimal } from '../../lib/number-format.ts'
import type { Column } from '../field/columns.ts'
import { valueAt } from '../field/field-at.ts'
import { currencyOf } from '../field/field-value.tsx'
import { plainText } from '../field/row-text.ts'

/** Pixels of a digit or a letter, and of the padding of a cell with a number. */
const SIGN_PX = 8
const PADDING_PX = 33

type Row = Readonly<Record<string, unknown>>

/** Columns that the user has resized keep their `widths`. */
export function fitAmounts(
  columns: readonly Column[],
  rows: readonly Row[],
  widths: Readonly<Record<string, number>>,
): readonly Column[] {
  const fitted = columns.map((column) => {
    const needed = widths[column.path] === undefined && isAmount(column) ? widthOf(column, rows) : 0
    return needed > column.width ? { ...column, width: needed } : column
  })
  return fitted.some((column, index) => column !== columns[index]) ? fitted : columns
}

const isAmount = ({ field }: Column): boolean =>
  (field.kind === 'decimal' && field.unit === 'money') || (field.kind === 'derived' && field.isNumber === true)

const widthOf = (column: Column, rows: readonly Row[]): number =>
  PADDING_PX + SIGN_PX * Math.max(0, ...rows.map((row) => textOf(column, row).length))

function textOf({ path, field }: Column, row: Row): string {
  const value = valueAt(row, path)
  if (value === null || value === undefined) return ''
  if (field.kind !== 'decimal') return plainText(value)
  const owner = path.includes('.') ? valueAt(row, path.slice(0, path.lastIndexOf('.'))) : row
  const currency = typeof owner === 'object' && owner !== null ? currencyOf(owner as Row, field.currencyField) : null
  return [formatDecimal(plainText(value), 2), currency].filter(Boolean).join(' ')
}
