// The table of a list: fixed column widths, sticky header and first column, virtual rows.
import { useRouter, useRouterState } from '@tanstack/react-router'
import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import type { EntityName } from '@tributary/contract/entities/registry'
import { type KeyboardEvent, type MouseEvent, memo, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { type Labels, useLabels } from '../../i18n/labels.ts'
import { density } from '../../state/preferences.ts'
import { useStoredValue } from '../../state/stored-value.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { TableSpacer } from '../../ui/table-spacer.tsx'
import { isSelected, pageState, type SelectionControl } from '../bulk/selection.ts'
import type { Column } from '../field/columns.ts'
import { entityOf, targetOf } from '../field/field-at.ts'
import { ColumnHead } from './column-head.tsx'
import type { Row } from './list-query.ts'
import { ListRow, type RowSetting } from './list-row.tsx'
import classes from './list-table.module.css'
import type { RowActions } from './row-actions.tsx'
import type { ListControl } from './use-list-state.ts'

interface ListTableProps {
  name: EntityName
  columns: readonly Column[]
  rows: readonly Row[]
  isStale: boolean
  list: ListControl
  onResize: (path: string, width: number) => void
  actions: RowActions | null
  zone?: { id: string; mark: string } | undefined
  selection: SelectionControl
}

const ROW_HEIGHT = { compact: 32, comfortable: 38 } as const
const OVERSCAN = 8
const CHECK_WIDTH = 36
/** Includes the menu button of the row. */
const ACTIONS_WIDTH = 62
/** Rows are added in groups of this size, so that most frames add none. */
const ROW_GROUP = 4

/** The first column leaves room for others on a narrow screen. */
const widthOf = ({ width }: Column, index: number): string => (index === 0 ? `min(${width}px, 44vw)` : `${width}px`)

const checkWidthOf = (actions: RowActions | null): number => (actions === null ? CHECK_WIDTH : ACTIONS_WIDTH)

/** Pinned columns are at the left, each after the ones before it. */
function leftsOf(columns: readonly Column[], checkWidth: number): (string | null)[] {
  let before = `${checkWidth}px`
  return columns.map((column, index) => {
    if (!column.isPinned) return null
    const left = index === 0 ? before : `calc(${before})`
    before = `${before} + ${widthOf(column, index)}`
    return left
  })
}

/** Up and Down move the focus between links of rows; the browser handles Enter. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !(event.target instanceof HTMLAnchorElement)) return
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a[data-row]')]
  const next = links[links.indexOf(event.target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

/** A plain left click navigates inside the page; the browser handles all other clicks. */
function useFollow(): (event: MouseEvent<HTMLElement>) => void {
  const router = useRouter()
  return (event) => {
    const isOther = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const href = link?.getAttribute('href')
    if (isOther || !href) return
    event.preventDefault()
    router.history.push(href)
  }
}

function useRowSetting({ name, columns, actions, zone, selection }: ListTableProps, labels: Labels): RowSetting {
  const { t, i18n } = useTranslation()
  const can = useCan()
  const href = useRouterState({ select: (state) => state.location.href })
  const linked = columns.flatMap(({ path, field }) => {
    const target = field.kind === 'reference' ? targetOf(field) : null
    return target !== null && can(entityOf(target).access.view) ? [path] : []
  })
  const linkedKey = linked.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels and t change with the language, the links with their names
  return useMemo(
    () => ({
      name,
      columns,
      labels,
      actions,
      href,
      zone: zone?.id,
      linked: new Set(linked),
      lefts: leftsOf(columns, checkWidthOf(actions)),
      select: selection.set,
      selectLabel: (title: string) => t(($) => $.lists.selectRow, { title }),
      actionsOn: (title: string) => t(($) => $.engine.rowActions, { title }),
    }),
    [name, columns, actions, href, zone, linkedKey, selection.set, i18n.language],
  )
}

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
  const setting = useRowSetting(props, labels)
  const follow = useFollow()
  const frame = useRef<HTMLDivElement>(null)
  const [chosenDensity] = useStoredValue(density)
  const height = ROW_HEIGHT[chosenDensity]
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    rangeExtractor: listRenderedRows,
  })
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const checkWidth = checkWidthOf(actions)
  const width = columns.reduce((sum, column) => sum + column.width, checkWidth)
  const span = columns.length + 2
  return (
    <TableFrame label={labels.title(name)} stale={isStale} frameRef={frame}>
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
        <tbody onKeyDown={moveFocus} onClick={follow}>
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
        <PageCheck rows={rows} control={selection} />
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

/** Selects or deselects the rows of the page. */
function PageCheck({ rows, control }: { rows: readonly Row[]; control: SelectionControl }) {
  const { t } = useTranslation()
  const ids = rows.map(({ id }) => id)
  const state = pageState(control.selection, ids)
  return (
    <th className={classes.check} scope="col">
      <input
        type="checkbox"
        aria-label={t(($) => $.lists.selectPage)}
        checked={state === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = state === 'some'
        }}
        onChange={() => control.set(ids, state !== 'all')}
      />
    </th>
  )
}
