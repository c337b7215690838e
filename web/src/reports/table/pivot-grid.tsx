// A table of grouped rows that renders only visible ones: sticky header, tree and totals, keyboard as in a grid. Independent of reports.
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { createStoredValue, useStoredValue } from '../../state/stored-value.ts'
import { useRowHeight } from '../../ui/row-height.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { TableSpacer } from '../../ui/table-spacer.tsx'
import { measureColumn, type PivotColumn } from './pivot-column.ts'
import { PivotHeader, type PivotHeaderProps } from './pivot-header.tsx'
import { PivotRow, PivotTotals } from './pivot-row.tsx'
import classes from './pivot-table.module.css'
import {
  ALL_CLOSED,
  type Expansion,
  hasChildren,
  isExpanded,
  keyOf,
  listVisible,
  type PivotTree,
  toggle,
} from './pivot-tree.ts'
import { type GridState, useActiveCell } from './use-active-cell.ts'
import { useColumnWindow } from './use-column-window.ts'

/** The row that a user acts on: its index in the tree, or the total. */
export type RowTarget = number | 'total'

/** The number under the mouse. */
export interface PointedNumber {
  readonly target: RowTarget
  readonly column: { readonly key: string }
  readonly element: Element
}

export interface PivotGridProps<R> extends PivotHeaderProps<R> {
  label: string
  tree: PivotTree<R>
  total: R
  totalLabel: string
  /** The width of the first column in pixels until the user chooses one; 0 or absent: that of reports. */
  titleWidth?: number
  /** Rows without levels need neither. */
  expansion?: Expansion
  onExpand?: (expansion: Expansion) => void
  titleOf: (row: R, depth: number) => ReactNode
  hasMenu?: (row: R) => boolean
  menuLabel?: string
  onOpenNumber: (target: RowTarget, column: PivotColumn<R>) => void
  /** Called when the mouse comes to a number, and with null when it leaves it. */
  onPointNumber?: (number: PointedNumber | null) => void
  onMenu?: (index: number, at: { x: number; y: number }) => void
  /** One metric is shown at a time; an arrow key beyond it asks for another. False: there is none. */
  onBeyond?: ((step: 1 | -1) => boolean) | undefined
  isStale: boolean
  /** Keys of selected rows; null or absent while rows are not being selected. */
  selected?: ReadonlySet<string> | null
  onSelect?: (index: number) => void
  selectLabel?: string
}

const MIN_TREE_PX = 140
const MAX_TREE_PX = 900
/** The width that the user gave the first column of reports, in pixels; 0 = the default. */
const storedTreeWidth = createStoredValue('report:tree_width', 0, (value): value is number => typeof value === 'number')

const chooseTreeWidth = (width: number) =>
  storedTreeWidth.set(Math.round(Math.min(MAX_TREE_PX, Math.max(MIN_TREE_PX, width))))

/** `widths` are null if the table is as wide as its frame. React's types do not allow custom properties. */
const tableStyle = (treeWidth: number, widths: readonly number[] | null) =>
  ({
    ...(treeWidth !== 0 && { '--chosen-tree-width': `${treeWidth}px` }),
    width: widths === null ? '100%' : `max(100%, calc(var(--tree-width) + ${sumOf(widths)}px))`,
  }) as CSSProperties

const HEADER_PX = 46
const OVERSCAN = 10
/** The header is as high as two rows, the totals as one. */
const FIXED_ROWS = 3
const noMenu = () => false
const isTouch = ({ nativeEvent }: MouseEvent): boolean =>
  'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch'

/** A sorted column moves beside the titles: the table scrolls back to it. */
function useSortedInSight(frame: RefObject<HTMLElement | null>, first: string | undefined, sorted: string | undefined) {
  useLayoutEffect(() => {
    if (sorted !== undefined && first === sorted) frame.current?.scrollTo({ left: 0 })
  }, [frame, first, sorted])
}

/** The label of the sorted column is bold. */
function useWidths<R>(columns: readonly PivotColumn<R>[], tree: PivotTree<R>, total: R, sorted: string | undefined) {
  return useMemo(
    () => columns.map((column) => measureColumn(column, tree.rows, total, column.key === sorted)),
    [columns, tree, total, sorted],
  )
}

export function PivotGrid<R>(props: PivotGridProps<R>) {
  const { tree, total, expansion = ALL_CLOSED, hasMenu = noMenu, selected = null } = props
  const rowHeight = useRowHeight()
  const isSingle = props.onBeyond !== undefined
  const columns = useMemo(() => props.columns.map((column) => weighColumn(column, tree)), [props.columns, tree])
  const gridId = useId()
  const frame = useRef<HTMLDivElement>(null)
  const visible = useMemo(() => listVisible(tree, expansion), [tree, expansion])
  const sortedKey = props.sort?.by
  const widths = useWidths(columns, tree, total, sortedKey)
  const hasLevels = useMemo(() => tree.depth.some((depth) => depth > 0), [tree])
  const { start, end } = useColumnWindow(frame, widths)
  const treeWidth = useStoredValue(storedTreeWidth)[0] || (props.titleWidth ?? 0)
  const virtualizer = useVirtualizer({
    count: visible.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: HEADER_PX,
    scrollPaddingStart: HEADER_PX,
    scrollPaddingEnd: rowHeight,
  })
  const isOpen = useCallback(
    (index: number) => (hasChildren(tree, index) ? isExpanded(tree, expansion, index) : null),
    [tree, expansion],
  )
  const gridStateAt = (row: number): GridState => {
    const index = visible[row]
    return {
      rows: visible.length,
      columns: columns.length,
      pageRows: Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeight) - FIXED_ROWS),
      isOpen: index === undefined ? null : isOpen(index),
      parentRow: parentIn(tree, visible, index),
    }
  }
  const act = (what: 'toggle' | 'open' | 'menu', visibleRow: number, column: number, element: Element | null) => {
    const index = visible[visibleRow]
    const number = columns[column - 1]
    if (what === 'open' && number) props.onOpenNumber(index ?? 'total', number)
    if (index === undefined) return
    if (what === 'toggle' && isOpen(index) !== null) props.onExpand?.(toggle(tree, expansion, index))
    const row = tree.rows[index]
    if (what === 'menu' && row !== undefined && hasMenu(row)) props.onMenu?.(index, cornerOf(element))
  }
  const behaviour = { frame, gridId, gridStateAt, act, onBeyond: props.onBeyond }
  const { active, setActive, onKeyDown } = useActiveCell({ ...behaviour, scrollTo: virtualizer.scrollToIndex })

  const onClick = (event: MouseEvent) => {
    const target = event.target as Element
    const cell = target.closest<HTMLElement>('td[data-column]')
    const row = target.closest<HTMLElement>('tr[data-visible-row]')
    if (!cell || !row) return
    const visibleRow = Number(row.dataset.visibleRow)
    const column = Number(cell.dataset.column)
    setActive({ row: visibleRow, column })
    // A finger has no tooltip: its first tap shows the former number, the next one opens the number.
    if (isTouch(event) && cell.id === '' && cell.title !== '' && column > 0) return
    if (event.type === 'click' && target.closest('[data-select]') !== null) {
      const index = visible[visibleRow]
      if (index !== undefined) props.onSelect?.(index)
      return
    }
    const isMenu = event.type === 'contextmenu' || target.closest('[data-menu]') !== null
    if (event.type === 'contextmenu' && column === 0) event.preventDefault()
    if (event.type === 'contextmenu' && column !== 0) return
    act(isMenu ? 'menu' : column === 0 ? 'toggle' : 'open', visibleRow, column, target)
  }

  useSortedInSight(frame, columns[0]?.key, sortedKey)
  const items = virtualizer.getVirtualItems()
  const before = (items[0]?.start ?? HEADER_PX) - HEADER_PX
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? HEADER_PX) - HEADER_PX)
  return (
    <TableFrame label={props.label} stale={props.isStale} frameRef={frame} isFocusable={false}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a treegrid is a table that is navigated by cells
        role="treegrid"
        aria-rowcount={visible.length + 2}
        aria-colcount={columns.length + 1}
        aria-activedescendant={active ? `${gridId}-active` : undefined}
        aria-label={props.label}
        tabIndex={0}
        className={`${tableClasses.table} ${classes.table} ${hasLevels ? '' : classes.flat} ${isSingle ? classes.single : ''}`}
        style={tableStyle(treeWidth, isSingle ? null : widths)}
        onClick={onClick}
        onContextMenu={onClick}
        onKeyDown={onKeyDown}
        onPointerOver={(event) => props.onPointNumber?.(numberUnder(event, columns, visible))}
        onPointerLeave={() => props.onPointNumber?.(null)}
      >
        <colgroup>
          <col className={classes.treeColumn} />
          {widths.map((width, at) => (
            <col key={columns[at]?.key} style={{ width }} />
          ))}
        </colgroup>
        <PivotHeader
          columns={columns}
          sort={props.sort}
          onSort={props.onSort}
          treeKey={props.treeKey}
          treeLabel={props.treeLabel}
          treeActions={props.treeActions}
          onTreeWidth={isSingle ? undefined : chooseTreeWidth}
        />
        <tbody>
          <TableSpacer height={before} columns={columns.length + 1} />
          {items.map(({ index: visibleRow }) => {
            const index = visible[visibleRow]
            const row = index === undefined ? undefined : tree.rows[index]
            if (index === undefined || row === undefined) return null
            return (
              <PivotRow
                key={index}
                row={row}
                index={index}
                visibleRow={visibleRow}
                depth={tree.depth[index] ?? 0}
                isOpen={isOpen(index)}
                columns={columns}
                start={start}
                end={end}
                titleOf={props.titleOf}
                hasMenu={hasMenu}
                menuLabel={props.menuLabel ?? ''}
                isSelected={selected === null || !hasMenu(row) ? null : selected.has(keyOf(tree, index))}
                selectLabel={props.selectLabel ?? ''}
                active={active?.row === visibleRow ? active.column : null}
                gridId={gridId}
              />
            )
          })}
          <TableSpacer height={after} columns={columns.length + 1} />
        </tbody>
        <PivotTotals
          total={total}
          label={props.totalLabel}
          columns={columns}
          visibleRow={visible.length}
          active={active?.row === visible.length ? active.column : null}
          gridId={gridId}
        />
      </table>
    </TableFrame>
  )
}

/** Adds the weight of each number relative to the largest of its level. */
function weighColumn<R>(column: PivotColumn<R>, tree: PivotTree<R>): PivotColumn<R> {
  const { emphasis, number } = column
  if (emphasis === undefined || number === undefined) return column
  const largest: number[] = []
  for (const [index, row] of tree.rows.entries()) {
    const depth = tree.depth[index] ?? 0
    largest[depth] = Math.max(largest[depth] ?? 0, Math.abs(number(row) ?? 0))
  }
  return { ...column, weigh: (row, depth) => (number(row) ?? 0) / (largest[depth] || 1) }
}

function parentIn<R>(tree: PivotTree<R>, visible: Int32Array, index: number | undefined): number | null {
  const parent = index === undefined ? -1 : (tree.parent[index] ?? -1)
  return parent < 0 ? null : visible.indexOf(parent)
}

const sumOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0)

/** Null unless a mouse is over a number. */
function numberUnder<R>(
  { pointerType, target }: PointerEvent,
  columns: readonly PivotColumn<R>[],
  visible: Int32Array,
): PointedNumber | null {
  const element = (target as Element).closest<HTMLElement>('td[data-column]')
  const row = element?.closest<HTMLElement>('tr[data-visible-row]')
  const column = columns[Number(element?.dataset.column) - 1]
  if (pointerType !== 'mouse' || !element || !row || column === undefined) return null
  return { target: visible[Number(row.dataset.visibleRow)] ?? 'total', column, element }
}

function cornerOf(element: Element | null): { x: number; y: number } {
  const box = element?.getBoundingClientRect()
  return { x: box?.left ?? 0, y: box?.bottom ?? 0 }
}
