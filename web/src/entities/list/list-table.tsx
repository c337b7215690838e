// The table of a list: fixed column widths, sticky header and first column, virtual rows.
import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import { memo, useRef } from 'react'
import { useLabels } from '../../i18n/labels.ts'
import { useRowHeight } from '../../ui/row-height.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { TableSpacer } from '../../ui/table-spacer.tsx'
import { isSelected } from '../bulk/selection.ts'
import { useArrivals } from './arrivals.ts'
import { ColumnHead } from './column-head.tsx'
import { ListRow, type RowSetting } from './list-row.tsx'
import classes from './list-table.module.css'
import { PageCheck } from './page-check.tsx'
import { moveFocus, useFollow } from './row-links.ts'
import { type ListTableProps, useCheckWidth, useRowSetting, widthOf } from './row-setting.ts'
import { useScrollPlace } from './scroll-place.ts'

const OVERSCAN = 8
/** Rows are added in groups of this size, so that most frames add none. */
const ROW_GROUP = 4

/** The indices of visible rows and some on either side, rounded to whole groups. */
function listRenderedRows({ startIndex, endIndex, count }: Range): number[] {
  const from = Math.max(0, Math.floor((startIndex - OVERSCAN) / ROW_GROUP) * ROW_GROUP)
  const to = Math.min(count, Math.ceil((endIndex + 1 + OVERSCAN) / ROW_GROUP) * ROW_GROUP)
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

/** The table of a list. Only rows near the visible ones are rendered. */
export function ListTable(props: ListTableProps) {
  const { name, columns, rows, isStale, list, onResize, actions, zone, selection } = props
  const labels = useLabels()
  const checkWidth = useCheckWidth(actions !== null)
  const setting = useRowSetting(props, labels, checkWidth)
  const follow = useFollow()
  const frame = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const height = useRowHeight()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    rangeExtractor: listRenderedRows,
  })
  useScrollPlace(frame)
  useArrivals(frame, body, rows, height)
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const width = columns.reduce((sum, column) => sum + column.width, checkWidth)
  const span = columns.length + 2
  return (
    <TableFrame label={labels.title(name)} stale={isStale} frameRef={frame} isContainer>
      <table
        className={`${tableClasses.table} ${classes.table}`}
        style={{ minWidth: width }}
        aria-rowcount={rows.length}
      >
        <colgroup>
          <col style={{ width: checkWidth }} />
          {columns.map((column, index) => (
            <col key={column.path} style={{ width: widthOf(column, index) }} />
          ))}
          <col />
        </colgroup>
        <TableHead
          name={name}
          setting={setting}
          rows={rows}
          list={list}
          onResize={onResize}
          zone={zone?.mark}
          selection={selection}
        />
        <tbody ref={body} data-rows onKeyDown={moveFocus} onClick={follow}>
          <TableSpacer height={before} columns={span} />
          {items.map(({ index }) => {
            const row = rows[index]
            return row === undefined ? null : (
              <ListRow key={row.id} row={row} setting={setting} isSelected={isSelected(selection.selection, row.id)} />
            )
          })}
          <TableSpacer height={after} columns={span} />
        </tbody>
      </table>
    </TableFrame>
  )
}

interface TableHeadProps extends Pick<ListTableProps, 'name' | 'rows' | 'list' | 'onResize' | 'selection'> {
  setting: RowSetting
  zone: string | undefined
}

/** Not rendered while scrolling, when only the rows change. */
const TableHead = memo(function TableHead({ name, setting, rows, list, onResize, zone, selection }: TableHeadProps) {
  return (
    <thead>
      <tr>
        <th className={classes.check} scope="col">
          <PageCheck rows={rows} control={selection} />
        </th>
        {setting.columns.map((column, index) => (
          <ColumnHead
            key={column.path}
            name={name}
            column={column}
            left={setting.lefts[index] ?? null}
            isFirst={index === 0}
            list={list}
            onResize={onResize}
            zone={zone}
          />
        ))}
        <td aria-hidden className={classes.filler} />
      </tr>
    </thead>
  )
})
