// Placeholder rows in the table's layout while the first rows load.
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './data-table.module.css'
import { TableFrame, tableClasses } from './table-frame.tsx'

const WIDTHS = [72, 48, 60, 40, 66, 52]

export function TableSkeleton({ columns, rows = 12 }: { columns: readonly string[]; rows?: number }) {
  const { t } = useTranslation()
  const lines = Array.from({ length: rows }, (_, row) => `row-${row}`)
  return (
    <TableFrame label={t(($) => $.frame.loading)} stale={false}>
      <table className={tableClasses.table} aria-hidden>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} className={classes.skeleton}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, row) => (
            <tr key={line}>
              {columns.map((column, index) => (
                <td key={column}>
                  <Skeleton height={9} width={`${WIDTHS[(row + index) % WIDTHS.length]}%`} radius="xl" />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
