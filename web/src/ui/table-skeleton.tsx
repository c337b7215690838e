// Placeholder rows in the table's layout while the first rows load.
import { useTranslation } from 'react-i18next'
import classes from './data-table.module.css'
import { TableFrame, tableClasses } from './table-frame.tsx'

const WIDTHS = [72, 48, 60, 40, 66, 52]

interface TableSkeletonProps {
  columns: readonly string[]
  rows?: number
  /** The widths of the columns in the table that comes; the browser chooses them if absent. */
  widths?: readonly string[]
  /** The width of what stands before the first column, in pixels. */
  lead?: number
}

export function TableSkeleton({ columns, rows = 12, widths, lead }: TableSkeletonProps) {
  const { t } = useTranslation()
  const lines = Array.from({ length: rows }, (_, row) => `row-${row}`)
  return (
    <TableFrame label={t(($) => $.frame.loading)} stale={false}>
      <table className={tableClasses.table} style={widths && { tableLayout: 'fixed' }} aria-hidden aria-busy>
        {widths === undefined ? null : (
          <colgroup>
            {lead === undefined ? null : <col style={{ width: lead }} />}
            {columns.map((column, at) => (
              <col key={column} style={{ width: widths[at] }} />
            ))}
            <col />
          </colgroup>
        )}
        <thead>
          <tr>
            {lead === undefined ? null : <th />}
            {columns.map((column) => (
              <th key={column} className={classes.skeleton}>
                {column}
              </th>
            ))}
            {widths === undefined ? null : <th />}
          </tr>
        </thead>
        <tbody className={classes.waiting}>
          {lines.map((line, row) => (
            <tr key={line}>
              {lead === undefined ? null : <td />}
              {columns.map((column, index) => (
                <td key={column}>
                  <div className={classes.bar} style={{ width: `${WIDTHS[(row + index) % WIDTHS.length]}%` }} />
                </td>
              ))}
              {widths === undefined ? null : <td />}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
