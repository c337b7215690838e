// A table of rows that are not inside each other, in the look of the pivot table: any number of them, keys, totals.
import { useMemo } from 'react'
import { useReportWords } from '../../i18n/labels.ts'
import { density } from '../../state/preferences.ts'
import { useStoredValue } from '../../state/stored-value.ts'
import type { PivotColumn, PivotSort } from '../table/pivot-column.ts'
import { PivotTable } from '../table/pivot-table.tsx'
import { ALL_CLOSED, buildTree } from '../table/pivot-tree.ts'

const ROW_PX = { compact: 32, comfortable: 38 }
const NOTHING = () => undefined

interface FlatTableProps<R> {
  label: string
  rows: readonly R[]
  idOf: (row: R) => string
  titleLabel: string
  titleOf: (row: R) => string
  columns: readonly PivotColumn<R>[]
  total: R
  sort?: PivotSort | null
  /** 'group' is the first column. */
  onSort?: (key: string) => void
  onOpen?: (row: R, key: string) => void
  isStale: boolean
}

export function FlatTable<R>(props: FlatTableProps<R>) {
  const { rows, idOf, titleOf, total } = props
  const words = useReportWords()
  const [rowHeight] = useStoredValue(density)
  const tree = useMemo(() => buildTree(rows, { childrenOf: NOTHING, idOf }), [rows, idOf])
  return (
    <PivotTable
      label={props.label}
      tree={tree}
      total={total}
      totalLabel={words.table.total}
      columns={props.columns}
      expansion={ALL_CLOSED}
      onExpand={NOTHING}
      sort={props.sort ?? null}
      onSort={props.onSort ?? NOTHING}
      treeKey="group"
      treeLabel={props.titleLabel}
      treeActions={null}
      titleOf={(row) => {
        const title = titleOf(row)
        return <span title={title}>{title}</span>
      }}
      hasMenu={() => false}
      menuLabel=""
      onOpenNumber={(place, column) => {
        const row = place === 'total' ? total : tree.rows[place]
        if (row !== undefined) props.onOpen?.(row, column.key)
      }}
      onMenu={NOTHING}
      rowHeight={ROW_PX[rowHeight]}
      isStale={props.isStale}
    />
  )
}
