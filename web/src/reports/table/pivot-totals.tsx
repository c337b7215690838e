// The totals under a pivot table, computed by the server from the summed parts: never added up here.
import { memo } from 'react'
import { tableClasses } from '../../ui/table-frame.tsx'
import { PivotCell } from './pivot-cell.tsx'
import type { PivotColumn } from './pivot-column.ts'
import classes from './pivot-table.module.css'

interface PivotTotalsProps<R> {
  total: R
  label: string
  columns: readonly PivotColumn<R>[]
  /** Place in the grid: the row after the last one in sight. */
  place: number
  active: number | null
  gridId: string
}

function PivotTotalsPlain<R>({ total, label, columns, place, active, gridId }: PivotTotalsProps<R>) {
  return (
    <tfoot>
      <tr aria-rowindex={place + 2} aria-level={1} data-total data-place={place}>
        <td
          data-column={0}
          aria-colindex={1}
          id={active === 0 ? `${gridId}-active` : undefined}
          className={`${tableClasses.pinned} ${classes.tree} ${classes.totalTitle} ${active === 0 ? classes.active : ''}`}
        >
          {label}
        </td>
        {columns.map((column, at) => (
          <PivotCell
            key={column.key}
            row={total}
            column={column}
            place={at + 1}
            activeId={active === at + 1 ? `${gridId}-active` : undefined}
          />
        ))}
      </tr>
    </tfoot>
  )
}

// `memo` forgets that the component is generic.
export const PivotTotals = memo(PivotTotalsPlain) as typeof PivotTotalsPlain
