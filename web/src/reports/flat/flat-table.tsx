// The table of a flat report and the pages below it.
import type { Pagination } from '@tributary/contract/list-query'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatCount } from '../../lib/number-format.ts'
import { PageSteps } from '../../ui/pager.tsx'
import type { DrillTarget } from '../drill/drill-target.ts'
import classes from '../report.module.css'
import type { PivotColumn, PivotSort } from '../table/pivot-column.ts'
import type { RowTarget } from '../table/pivot-grid.tsx'
import { PivotTable } from '../table/pivot-table.tsx'
import { buildTree } from '../table/pivot-tree.ts'

export interface OpenedNumber extends Omit<DrillTarget, 'report' | 'request'> {
  /** Filters beside those of the report: the total of a chart covers its own groups only. */
  readonly narrow?: Readonly<Record<string, unknown>>
}

/** What the numbers of a report call; the frame adds the report and its request. */
export interface FlatNumbers {
  /** Opens the drill-down. */
  readonly open: (number: OpenedNumber) => void
  /** Called when the mouse comes to a number, and with null when it leaves it. */
  readonly point: (number: OpenedNumber | null, element?: Element) => void
}

interface FlatTableProps<R> {
  label: string
  rows: readonly R[]
  idOf: (row: R) => string
  titleLabel: string
  titleOf: (row: R) => string
  columns: readonly PivotColumn<R>[]
  total: R
  sort?: PivotSort | null
  /** 'group' is the key of the first column. */
  onSort?: (key: string) => void
  /** The number of a row and column; null if there is none or it opens nothing. */
  openingOf: (row: R, key: string) => OpenedNumber | null
  numbers: FlatNumbers
  isStale: boolean
}

const LETTER_PX = 9
const TITLE_PADDING_PX = 60
const SHORTEST_PX = 150
const SHORT_PX = 240

/** Short titles, such as months, leave their room to the numbers. 0 for longer ones. */
function shortTitleWidth(titles: readonly string[]): number {
  const needed = TITLE_PADDING_PX + LETTER_PX * Math.max(...titles.map(({ length }) => length))
  return needed > SHORT_PX ? 0 : Math.max(SHORTEST_PX, needed)
}

/** A table of rows without levels, styled like the pivot table. */
export function FlatTable<R>({
  rows,
  idOf,
  titleOf,
  titleLabel,
  total,
  openingOf,
  numbers,
  sort = null,
  onSort,
  ...table
}: FlatTableProps<R>) {
  const words = useReportWords()
  const tree = useMemo(() => buildTree(rows, { childrenOf: () => undefined, idOf }), [rows, idOf])
  const openingAt = (rowTarget: RowTarget, key: string): OpenedNumber | null => {
    const row = rowTarget === 'total' ? total : tree.rows[rowTarget]
    return row === undefined ? null : openingOf(row, key)
  }
  return (
    <PivotTable
      {...table}
      tree={tree}
      titleWidth={shortTitleWidth([titleLabel, ...rows.map(titleOf)])}
      total={total}
      totalLabel={words.table.total}
      sort={sort}
      onSort={onSort}
      treeKey="group"
      treeLabel={titleLabel}
      titleOf={(row) => <span title={titleOf(row)}>{titleOf(row)}</span>}
      onOpenNumber={(rowTarget, column) => {
        const opening = openingAt(rowTarget, column.key)
        if (opening !== null) numbers.open(opening)
      }}
      onPointNumber={(number) => numbers.point(number && openingAt(number.target, number.column.key), number?.element)}
    />
  )
}

interface FlatPagerProps {
  pagination: Pagination
  onPage: (page: number) => void
  /** The unit that is counted and paged if it is not rows. */
  of?: 'cohorts'
  /** A legend of the table. */
  children?: ReactNode
}

export function FlatPager({ pagination: { page, total, maxPageNumber: last }, onPage, of, children }: FlatPagerProps) {
  const { t } = useTranslation('reports')
  const { t: tKinds } = useTranslation()
  const words = useReportWords()
  const counted =
    of === 'cohorts' ? tKinds(($) => $.kinds.cohorts, { count: total }) : t(($) => $.table.rows, { count: total })
  return (
    <footer className={classes.pager}>
      <span>{counted.replace(/\d+/, formatCount(total) ?? '')}</span>
      <span className={classes.spacer}>{children}</span>
      {last > 1 ? (
        <nav className={classes.pages}>
          <PageSteps page={page} last={last} labels={words.table} onPage={onPage}>
            <span>{t(($) => $.table.page, { page, last })}</span>
          </PageSteps>
        </nav>
      ) : null}
    </footer>
  )
}
