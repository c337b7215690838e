// The spend grid: renders only visible rows, with sticky days and totals; keyboard, clipboard and mouse as in a spreadsheet.
import { useVirtualizer } from '@tanstack/react-virtual'
import type { SpendTable } from '@tributary/contract/calls/spend-table'
import i18next from 'i18next'
import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n/language.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import { parseClipboard } from '../../lib/read-amounts.ts'
import { notifyFailure } from '../../ui/notify.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { TableSpacer } from '../../ui/table-spacer.tsx'
import { stepFor } from './grid-keys.ts'
import {
  copyText,
  type Edits,
  fillDown,
  type GivenText,
  type GridPlace,
  isWithin,
  pasteTexts,
  rowKey,
  textOf,
} from './grid-model.ts'
import { GridRow, type TypingEnd } from './grid-row.tsx'
import type { GridTotals } from './grid-totals.ts'
import { dayWidth, sumWidth } from './grid-width.ts'
import classes from './spend-grid.module.css'
import type { SpendGrid } from './use-spend-grid.ts'

interface SpendGridTableProps {
  table: SpendTable
  grid: SpendGrid
  totals: GridTotals
  /** False: nothing can be entered. */
  isEditable: boolean
  isStale: boolean
  gridRef: RefObject<HTMLTableElement | null>
  rowHeight: number
  onSave: () => void
}

const HEADER_PX = 44
const OVERSCAN = 6

export function SpendGridTable({
  table,
  grid,
  totals,
  isEditable,
  isStale,
  gridRef,
  rowHeight,
  onSave,
}: SpendGridTableProps) {
  const { t } = useTranslation()
  const gridId = useId()
  const frame = useRef<HTMLDivElement>(null)
  const isLeaving = useRef(false)
  const { rows, days } = table
  const { active, range, edits, typing } = grid
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: HEADER_PX,
    scrollPaddingStart: HEADER_PX,
    scrollPaddingEnd: rowHeight,
  })
  const { scrollToIndex } = virtualizer
  useEffect(() => {
    if (active.row < rows.length) scrollToIndex(active.row)
    scrollAcross(frame.current, active.day)
  }, [active, rows.length, scrollToIndex])

  const textAt = (place: GridPlace): string => textIn(rows, edits, place)
  const clear = () => grid.enter(pasteTexts([['']], range).given)
  // Rows are memoized: the handler that they get must stay the same.
  const typed = useRef<(end: TypingEnd) => void>(() => undefined)
  typed.current = ({ text, move }) => {
    if (text !== null && text !== textAt(active)) grid.enter([{ ...active, text }])
    else grid.type(null)
    const [down, right] = STEPS[move]
    if (move !== 'stay') grid.go({ row: active.row + down, day: active.day + right })
    gridRef.current?.focus({ preventScroll: true })
  }
  const onTyped = useCallback((end: TypingEnd) => typed.current(end), [])
  const style = useGridStyle(table, grid, totals, rowHeight)

  const onKeyDown = (event: KeyboardEvent) => {
    const pageRows = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeight) - 3)
    const step = stepFor(event, { active, range, rows: rows.length, days: days.length, pageRows })
    if (step === null || (event.key === 'Tab' && isLeaving.current)) return
    isLeaving.current = step.act === 'leave'
    if (!isEditable && !['go', 'all', 'leave'].includes(step.act)) return
    event.preventDefault()
    switch (step.act) {
      case 'go':
        return grid.go(step.to, step.extend)
      case 'type':
        return grid.type(step.text ?? textAt(active))
      case 'clear':
        return clear()
      case 'fill':
        return grid.enter(fillDown(range, textAt))
      case 'all':
        grid.go({ row: 0, day: 0 })
        return grid.go({ row: rows.length - 1, day: days.length - 1 }, true)
      case 'leave':
        return grid.go(active)
      case 'save':
        return onSave()
      case 'undo':
      case 'redo':
        return grid[step.act]()
    }
  }
  const onCopy = (event: ClipboardEvent) => {
    event.preventDefault()
    event.clipboardData.setData('text/plain', copyText(range, currentLanguage() === 'ru' ? ',' : '.', textAt))
    if (event.type === 'cut' && isEditable) clear()
  }
  const onPaste = (event: ClipboardEvent) => {
    if (!isEditable) return
    event.preventDefault()
    const pasted = pasteTexts(parseClipboard(event.clipboardData.getData('text/plain')), range)
    grid.enter(pasted.given, pasted.sign, pasted.range)
    notifyOutside(pasted.given, table)
  }
  const onPointer = (event: PointerEvent) => {
    const place = placeOf(event.target)
    if (place === null || (event.target as Element).closest('input') !== null) return
    if (event.type === 'pointerover' && (event.buttons !== 1 || event.pointerType !== 'mouse')) return
    grid.go(place, event.shiftKey || event.type === 'pointerover')
    gridRef.current?.focus({ preventScroll: true })
  }

  const items = virtualizer.getVirtualItems()
  const before = (items[0]?.start ?? HEADER_PX) - HEADER_PX
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? HEADER_PX) - HEADER_PX)
  return (
    <TableFrame label={t(($) => $.spends.grid.label)} stale={isStale} frameRef={frame} isFocusable={false}>
      <table
        ref={gridRef}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table that is navigated by cells
        role="grid"
        aria-label={t(($) => $.spends.grid.label)}
        aria-multiselectable
        aria-readonly={!isEditable}
        aria-rowcount={rows.length + 2}
        aria-colcount={days.length + 2}
        aria-activedescendant={typing === null ? `${gridId}-active` : undefined}
        tabIndex={0}
        className={`${tableClasses.table} ${classes.grid}`}
        style={style}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
        onCut={onCopy}
        onPaste={onPaste}
        onPointerDown={onPointer}
        onPointerOver={onPointer}
        onDoubleClick={(event) => isEditable && placeOf(event.target) !== null && grid.type(textAt(active))}
      >
        <colgroup>
          <col className={classes.nameColumn} />
          {days.map((day) => (
            <col key={day} className={classes.dayColumn} />
          ))}
          <col className={classes.sumColumn} />
        </colgroup>
        <GridHead table={table} />
        <tbody>
          <TableSpacer height={before} columns={days.length + 2} />
          {items.map(({ index }) => {
            const row = rows[index]
            if (row === undefined) return null
            const key = rowKey(row)
            const isIn = isWithin(range, index, range.from.day)
            return (
              <GridRow
                key={key}
                row={row}
                index={index}
                edits={edits.get(key)}
                total={totals.rows.get(key) ?? '0'}
                currency={table.currency}
                active={active.row === index ? active.day : null}
                selectedFrom={isIn ? range.from.day : null}
                selectedTo={isIn ? range.to.day : null}
                typing={active.row === index ? typing : null}
                gridId={gridId}
                onTyped={onTyped}
                onDraft={grid.draftText}
              />
            )
          })}
          <TableSpacer height={after} columns={days.length + 2} />
        </tbody>
        <GridFoot table={table} totals={totals} />
      </table>
    </TableFrame>
  )
}

function textIn(rows: SpendTable['rows'], edits: Edits, { row, day }: GridPlace): string {
  const at = rows[row]
  return at === undefined ? '' : textOf(at.cells[day], edits.get(rowKey(at))?.get(day))
}

/** Says how many pasted cells lie outside the table, if any do. */
function notifyOutside(given: readonly GivenText[], { rows, days }: SpendTable): void {
  const outside = given.filter(({ row, day, text }) => text !== '' && (row >= rows.length || day >= days.length))
  if (outside.length > 0) notifyFailure(i18next.t(($) => $.spends.grid.outside, { count: outside.length }))
}

function useGridStyle(
  table: SpendTable,
  { edits }: SpendGrid,
  { days, rows, sum }: GridTotals,
  rowHeight: number,
): CSSProperties {
  const width = useMemo(() => dayWidth(table, edits, days), [table, edits, days])
  const sumChars = useMemo(() => sumWidth([...rows.values(), sum]), [rows, sum])
  const sizes = {
    '--sum-chars': `${sumChars}ch`,
    '--day-width': `calc(${width}ch * 1.07 + 11px)`,
    '--days': table.days.length,
    '--row-height': `${rowHeight}px`,
  }
  // Custom properties are no keys of CSSProperties.
  return sizes as CSSProperties
}

const STEPS = { down: [1, 0], up: [-1, 0], right: [0, 1], left: [0, -1], stay: [0, 0] } as const

function GridHead({ table: { days, today, currency } }: { table: SpendTable }) {
  const { t } = useTranslation()
  const weekday = new Intl.DateTimeFormat(currentLanguage(), { weekday: 'short', timeZone: 'UTC' })
  return (
    <thead>
      <tr>
        <th scope="col" className={`${tableClasses.pinned} ${classes.name}`}>
          {t(($) => $.spends.grid.name)}
        </th>
        {days.map((day) => {
          const date = new Date(`${day}T00:00:00Z`)
          const isWeekend = date.getUTCDay() % 6 === 0
          const mark = day === today ? classes.today : isWeekend ? classes.weekend : ''
          return (
            <th key={day} scope="col" data-day={day} className={`${tableClasses.number} ${classes.day} ${mark}`}>
              <b>{Number(day.slice(8))}</b> <span>{weekday.format(date)}</span>
            </th>
          )
        })}
        <th
          scope="col"
          className={`${tableClasses.number} ${classes.day} ${classes.sum}`}
          title={t(($) => $.spends.grid.total, { currency })}
        >
          <b>{t(($) => $.spends.grid.sum)}</b> <span>{currency}</span>
        </th>
      </tr>
    </thead>
  )
}

function GridFoot({ table: { rows, days, currency }, totals }: { table: SpendTable; totals: GridTotals }) {
  const { t } = useTranslation()
  return (
    <tfoot>
      <tr aria-rowindex={rows.length + 2}>
        <td className={`${tableClasses.pinned} ${classes.name}`}>{t(($) => $.spends.grid.total, { currency })}</td>
        {totals.days.map((sum, day) => (
          <td key={days[day]} className={tableClasses.number}>
            {formatDecimal(sum, 2)}
          </td>
        ))}
        <td className={`${tableClasses.number} ${classes.sum}`}>{formatDecimal(totals.sum, 2)}</td>
      </tr>
    </tfoot>
  )
}

function placeOf(target: EventTarget): GridPlace | null {
  const cell = (target as Element).closest<HTMLElement>('td[data-day]')
  const row = cell?.closest<HTMLElement>('tr[data-row]')
  if (!cell || !row) return null
  return { row: Number(row.dataset.row), day: Number(cell.dataset.day) }
}

/** Scrolls a day out from under the sticky names and totals. */
function scrollAcross(frame: HTMLElement | null, day: number): void {
  const heads = frame?.querySelectorAll<HTMLElement>('thead th')
  const [name, head, sum] = [heads?.[0], heads?.[day + 1], heads?.[heads.length - 1]]
  if (!frame || !head || !name || !sum) return
  const left = head.offsetLeft - name.offsetWidth
  const right = head.offsetLeft + head.offsetWidth + sum.offsetWidth - frame.clientWidth
  if (frame.scrollLeft > left) frame.scrollLeft = left
  else if (frame.scrollLeft < right) frame.scrollLeft = right
}
