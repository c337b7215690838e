// The pivot table of the report: rows, columns, sort, expansion and row menu.

import { IconChartHistogram, IconChevronsDown, IconChevronsUp } from '@tabler/icons-react'
import type { RoleKind } from '@tributary/contract/access'
import { isFormulaKey } from '@tributary/contract/reports/column-name'
import type { GeneralReportAnswer, ReportRow } from '@tributary/contract/reports/general'
import { memo, useCallback, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import { type DrillTarget, findDrillTarget } from '../../reports/drill/drill-target.ts'
import { SpendHover, usePointedSpend } from '../../reports/drill/spend-hover.tsx'
import { isMetricKey } from '../../reports/filter/filter-state.ts'
import classes from '../../reports/report.module.css'
import type { RowTarget } from '../../reports/table/pivot-grid.tsx'
import { PivotTable } from '../../reports/table/pivot-table.tsx'
import { ALL_CLOSED, ALL_OPEN, type Expansion } from '../../reports/table/pivot-tree.ts'
import { groupColumns, namedColumns, type ReportedPart } from '../../reports/table/report-columns.ts'
import { searchRows, TableBar } from '../../reports/table/table-bar.tsx'
import { type StoredValue, useStoredValue } from '../../state/stored-value.ts'
import { shortPeriod } from '../../ui/date/date-range.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { displayedColumns, type ReportColumns } from './columns-button.tsx'
import { isFlatReport, useReportKind } from './report-kind.ts'
import {
  flatPlaceOf,
  flatTitlesOf,
  flatTreeOf,
  groupOf,
  idOfRow,
  placeOf,
  titleOf,
  titlesOf,
  totalRow,
  treeOf,
} from './report-rows.ts'
import { effectiveSort, FOLLOWS_SORT, nextSort, type ReportState, toRequest } from './report-state.ts'
import { type MenuPlace, RowMenu, SelectionBar } from './selection-bar.tsx'
import type { ReportControl } from './use-report-state.ts'
import { parentsOf, useSelection } from './use-selection.ts'

/** Expands or collapses the whole tree. */
function TreeActions({ onOpen, onClose }: { onOpen: () => void; onClose: () => void }) {
  const words = useReportWords()
  return (
    <span className={classes.treeActions}>
      <IconButton label={words.table.expandAll} icon={IconChevronsDown} iconSize={15} size={24} onClick={onOpen} />
      <IconButton label={words.table.collapseAll} icon={IconChevronsUp} iconSize={15} size={24} onClick={onClose} />
    </span>
  )
}

/** Shows or hides the chart above the table. */
function ChartToggle({ isShown, onToggle }: { isShown: boolean; onToggle: () => void }) {
  const words = useReportWords()
  const label = isShown ? words.chart.hide : words.chart.show
  return (
    <IconButton
      label={label}
      icon={IconChartHistogram}
      size={30}
      aria-pressed={isShown}
      variant={isShown ? 'light' : 'default'}
      onClick={onToggle}
    />
  )
}

const ReportedPartLoader = lazyComponent(
  'reported part',
  async () => (await import('./reported-part-loader.ts')).ReportedPartLoader,
)
const ReportChart = lazyComponent('chart', async () => (await import('./report-chart.tsx')).ReportChart)

interface ReportTableProps {
  control: ReportControl
  answer: GeneralReportAnswer
  /** The state that the answer belongs to; the control may be newer. */
  answeredState: ReportState
  role: RoleKind
  columns: ReportColumns
  isStale: boolean
  /** Holds the end of the report's bar; null before it is drawn. */
  toolsPlace: StoredValue<HTMLElement | null>
  onOpenNumber: (target: DrillTarget) => void
}

/** Flat rows are sorted by their groups until the user sorts by a number. */
const FLAT_SORT = { by: 'group', desc: false } as const
const ROW_SHAPE = {
  childrenOf: (row: ReportRow) => row.children,
  titleOf,
  withChildren: (row: ReportRow, children: ReportRow[]): ReportRow => ({ ...row, children }),
}

/** The second period in words; null if there is none. */
function secondPeriodOf({ period }: GeneralReportAnswer): string | null {
  const { secondDateFrom: from, secondDateTo: to } = period
  return from === null || to === null ? null : shortPeriod({ from, to })
}

/** The columns of the answer's state: a stale table keeps its own. */
function useTableColumns(
  { control, answer, answeredState, columns: chosen }: ReportTableProps,
  reported: ReportedPart | null,
) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const isFlat = isFlatReport(useReportKind())
  const { levels } = answeredState
  const { formulas, look } = chosen
  const secondPeriod = secondPeriodOf(answer)
  const { hasTwoColumns } = control.state
  const placed = displayedColumns(chosen, answeredState).join()
  return useMemo(() => {
    const writtenBy = (name: string) => (name === '' ? '' : t(($) => $.formulas.by, { name }))
    const describeFormer = (value: string) => t(($) => $.second.was, { value, period: secondPeriod ?? '' })
    const facts = {
      words,
      currency: answer.currency,
      secondPeriod,
      reported,
      writtenBy,
      ...(!hasTwoColumns && { describeFormer }),
    }
    const numbers = namedColumns(placed.split(','), formulas, facts).map((column) => {
      const emphasis = look[column.key.replace(/_2$/, '')]
      return emphasis === undefined ? column : { ...column, emphasis }
    })
    return isFlat ? [...groupColumns(levels, words), ...numbers] : numbers
  }, [placed, formulas, look, words, t, answer.currency, secondPeriod, reported, hasTwoColumns, isFlat, levels])
}

/** Not rendered while only the drawer beside it opens or closes. */
export const ReportTable = memo(function ReportTable(props: ReportTableProps) {
  const { control, answer, answeredState, isStale, onOpenNumber } = props
  const [toolsPlace] = useStoredValue(props.toolsPlace)
  const words = useReportWords()
  const { state, change } = control
  const [expansion, setExpansion] = useState<Expansion>(ALL_CLOSED)
  const [menu, setMenu] = useState<MenuPlace | null>(null)
  const { levels } = answeredState
  const kind = useReportKind()
  const { formulas } = props.columns
  const isFlat = isFlatReport(kind)
  const [text, setText] = useState('')
  const search = useMemo(() => searchRows(answer.rows, text, ROW_SHAPE), [answer, text])
  const tree = useMemo(() => {
    const shownRows = { ...answer, rows: [...search.rows] }
    return isFlat ? flatTreeOf(shownRows) : treeOf(shownRows)
  }, [answer, search, isFlat])
  const selection = useSelection(tree, levels)
  const total = useMemo(() => totalRow(answer.total), [answer])
  const [reported, setReported] = useState<ReportedPart | null>(null)
  const isPartCompared = answeredState.second !== 'off' && total.partial !== undefined
  const columns = useTableColumns(props, isPartCompared ? reported : null)
  const drawTitle = useCallback((row: ReportRow) => <RowTitle row={row} nusHint={words.table.nusHint} />, [words])
  const hasMenu = useCallback((row: ReportRow) => row.s === undefined, [])
  const shown = isFlat ? (state.sort ?? FLAT_SORT) : effectiveSort(state)
  const targetOf = (rowTarget: RowTarget, key: string): DrillTarget | null => {
    const row = rowTarget === 'total' ? total : tree.rows[rowTarget]
    const opening = row ? findDrillTarget(key, row.m, formulas) : null
    if (!row || opening === null) return null
    const { filter, cfFilter } = toRequest(answeredState)
    const isTotal = rowTarget === 'total'
    return {
      report: kind,
      request: { filter, cfFilter },
      place: isTotal ? { path: [] } : isFlat ? flatPlaceOf(row) : placeOf(tree, rowTarget),
      ...opening,
      titles: isTotal ? [] : isFlat ? flatTitlesOf(row) : titlesOf(tree, rowTarget),
    }
  }
  const isNothing = text.trim() !== '' && search.found === 0
  const [pointedSpend, point] = usePointedSpend()
  const openNumber = (rowTarget: RowTarget, key: string) => {
    const target = targetOf(rowTarget, key)
    point(null)
    if (target !== null) onOpenNumber(target)
  }
  const openMenu = (index: number, at: { x: number; y: number }) => {
    const group = tree.rows[index] && groupOf(tree.rows[index])
    const dimension = levels[tree.depth[index] ?? 0]
    if (group && dimension) setMenu({ group, dimension, path: parentsOf(tree, levels, index), at })
  }
  return (
    <>
      {isPartCompared ? (
        <ReportedPartLoader
          path={kind}
          request={toRequest(answeredState)}
          rows={answer.rows}
          total={total}
          idOf={idOfRow}
          onChange={setReported}
        />
      ) : null}
      {state.chart === null ? null : (
        <ReportChart
          rows={search.rows}
          level={levels[0]}
          columns={columns}
          chosen={state.chart === FOLLOWS_SORT ? shown.by : state.chart}
          total={total}
          period={answer.period}
          secondPeriod={secondPeriodOf(answer)}
          onChoose={(chart) => change({ chart, page: state.page })}
          onClose={() => change({ chart: null, page: state.page })}
        />
      )}
      {toolsPlace &&
        createPortal(
          <TableBar
            text={text}
            onText={setText}
            found={search.found}
            isSelecting={selection.selected !== null}
            onSelecting={isFlat ? undefined : selection.toggleMode}
          >
            <ChartToggle
              isShown={state.chart !== null}
              onToggle={() => change({ chart: state.chart === null ? FOLLOWS_SORT : null, page: state.page })}
            />
          </TableBar>,
          toolsPlace,
        )}
      {selection.selected === null ? null : (
        <SelectionBar
          chosen={selection.chosen}
          control={control}
          role={props.role}
          onPage={selection.selectPage}
          onEnd={selection.end}
        />
      )}
      {isNothing ? (
        <EmptyState title={words.empty.nothing} text={words.search.none} />
      ) : (
        <PivotTable
          label={words.table.label}
          tree={tree}
          total={total}
          totalLabel={text.trim() === '' ? words.table.total : words.table.totalOfAll}
          columns={columns}
          expansion={text.trim() === '' ? expansion : ALL_OPEN}
          onExpand={setExpansion}
          sort={shown}
          onSort={(key) => change({ sort: nextSort(shown, isMetricKey(key) || isFormulaKey(key) ? key : 'group') })}
          treeKey="group"
          treeLabel={(isFlat ? levels.slice(0, 1) : levels).map((level) => words.dimensions[level]).join(' › ')}
          treeActions={
            levels.length > 1 && !isFlat ? (
              <TreeActions onOpen={() => setExpansion(ALL_OPEN)} onClose={() => setExpansion(ALL_CLOSED)} />
            ) : null
          }
          titleOf={drawTitle}
          hasMenu={hasMenu}
          menuLabel={words.table.rowMenu}
          onOpenNumber={(rowTarget, column) => openNumber(rowTarget, column.key)}
          onPointNumber={(number) => point(number && targetOf(number.target, number.column.key), number?.element)}
          onMenu={openMenu}
          selected={selection.selected}
          onSelect={selection.select}
          selectLabel={words.selection.row}
          isStale={isStale}
        />
      )}
      <SpendHover pointed={pointedSpend} currency={answer.currency} />
      <RowMenu place={menu} control={control} onClose={() => setMenu(null)} />
    </>
  )
})

function RowTitle({ row, nusHint }: { row: ReportRow; nusHint: string }) {
  const title = titleOf(row)
  if (row.s)
    return (
      <span className={classes.nus} title={`${title}\n${nusHint}`}>
        {title}
      </span>
    )
  const group = groupOf(row)
  const isNothing = group?.id === 0 || group?.id === ''
  return (
    <span className={isNothing ? classes.nothing : undefined} title={title}>
      {title}
    </span>
  )
}
