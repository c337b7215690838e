// One row of the spend grid, rendered again only when its own props change. The table handles keys and the mouse.
import type { SpendTableCell, SpendTableRow } from '@tributary/contract/calls/spend-table'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import { tableClasses } from '../../ui/table-frame.tsx'
import { CurrencyMark, SourceMark } from './grid-legend.tsx'
import type { Edit, RowEdits } from './grid-model.ts'
import { plainAmount } from './grid-model.ts'
import { showAmount } from './grid-width.ts'
import classes from './spend-grid.module.css'

export interface TypingEnd {
  /** Null: nothing is entered. */
  readonly text: string | null
  /** Where the active cell goes. */
  readonly move: 'down' | 'up' | 'right' | 'left' | 'stay'
}

interface GridRowProps {
  row: SpendTableRow
  index: number
  edits: RowEdits | undefined
  total: string
  /** The table's; cells in another one are marked with theirs. */
  currency: string
  /** Index of the active cell's day, or null. */
  active: number | null
  /** Selected days of this row, both included. */
  selectedFrom: number | null
  selectedTo: number | null
  /** What the input of the active cell starts with, or null. */
  typing: string | null
  gridId: string
  onTyped: (end: TypingEnd) => void
  onDraft: (text: string) => void
}

function GridRowPlain(props: GridRowProps) {
  const { row, index, edits, total, currency, active, selectedFrom, selectedTo, typing, gridId, onTyped, onDraft } =
    props
  const { t } = useTranslation()
  const labels = useLabels()
  const site = row.site_id === null ? '' : ` · ${row.site_id}`
  return (
    <tr aria-rowindex={index + 2} data-row={index}>
      <th
        scope="row"
        className={`${tableClasses.pinned} ${classes.name}`}
        title={`${row.stream.title} · ${row.country.title}${site}`}
      >
        <b>{row.stream.title}</b>
        <span>
          {row.country.title}
          {site}
        </span>
      </th>
      {row.cells.map((cell, day) => {
        const isActive = active === day
        const isSelected = selectedFrom !== null && selectedTo !== null && day >= selectedFrom && day <= selectedTo
        const edit = edits?.get(day)
        return (
          // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell
          <td
            key={cell.date}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of a grid
            role="gridcell"
            id={isActive ? `${gridId}-active` : undefined}
            data-day={day}
            aria-colindex={day + 2}
            aria-selected={isSelected}
            aria-readonly={cell.locked}
            aria-invalid={edit?.problem == null ? undefined : true}
            className={classNames(cell, edit, isActive, isSelected)}
            title={
              edit !== undefined || cell.source === null
                ? undefined
                : `${labels.choice('partner_spend', 'source', cell.source)} · ${cell.currency}`
            }
          >
            {edit !== undefined || cell.source === null ? null : <SourceMark source={cell.source} />}
            {cell.currency === currency || !showsAmount(cell, edit, isActive && typing !== null) ? null : (
              <CurrencyMark currency={cell.currency} />
            )}
            {cell.claimed === null ? null : <ClaimMark sum={cell.claimed} currency={cell.claim_currency} />}
            {isActive && typing !== null ? (
              <CellInput
                label={t(($) => $.spends.grid.cell, { day: cell.date })}
                start={typing}
                onEnd={onTyped}
                onDraft={onDraft}
              />
            ) : (
              cellText(cell, edit)
            )}
          </td>
        )
      })}
      <td className={`${tableClasses.number} ${classes.sum} ${classes.total}`}>{formatDecimal(total, 2)}</td>
    </tr>
  )
}

export const GridRow = memo(GridRowPlain)

function classNames(cell: SpendTableCell, edit: Edit | undefined, isActive: boolean, isSelected: boolean): string {
  const names = [
    tableClasses.number,
    classes.cell,
    cell.locked && cell.base === null ? classes.hatched : cell.locked ? classes.locked : '',
    isSelected ? classes.selected : '',
    edit === undefined ? '' : edit.problem === null ? classes.edited : classes.refused,
    isActive ? classes.active : '',
  ]
  return names.filter(Boolean).join(' ')
}

function cellText(cell: SpendTableCell, edit: Edit | undefined): string {
  if (edit?.problem?.kind === 'text' || edit?.problem?.kind === 'amount') return edit.text
  const base = edit === undefined ? cell.base : edit.base
  return base === null ? '' : showAmount(base)
}

/** True if the cell holds an amount, or one is typed in. */
const showsAmount = (cell: SpendTableCell, edit: Edit | undefined, isTyping: boolean): boolean =>
  isTyping || (edit === undefined ? cell.base : edit.base) !== null

function ClaimMark({ sum, currency }: { sum: string; currency: string | null }) {
  const { t } = useTranslation()
  const told = `${plainAmount(sum)} ${currency ?? ''}`.trim()
  return <i className={classes.claim} role="img" aria-label={t(($) => $.spends.grid.claimed, { sum: told })} />
}

interface CellInputProps {
  label: string
  start: string
  onEnd: (end: TypingEnd) => void
  onDraft: (text: string) => void
}

const MOVES = { Enter: 'down', ArrowDown: 'down', ArrowUp: 'up', Tab: 'right' } as const

function CellInput({ label, start, onEnd, onDraft }: CellInputProps) {
  const [text, setText] = useState(start)
  const input = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    input.current?.focus({ preventScroll: true })
    const end = input.current?.value.length ?? 0
    input.current?.setSelectionRange(end, end)
  }, [])
  const finish = (end: TypingEnd): void => {
    if (isOver.current) return
    isOver.current = true
    onEnd(end)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      return finish({ text: null, move: 'stay' })
    }
    if (!(event.key in MOVES)) return
    event.preventDefault()
    const move =
      event.key === 'Tab' && event.shiftKey
        ? 'left'
        : event.key === 'Enter' && event.shiftKey
          ? 'up'
          : MOVES[event.key as keyof typeof MOVES]
    finish({ text, move })
  }
  return (
    <input
      ref={input}
      className={classes.input}
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onDraft(event.currentTarget.value)
      }}
      onKeyDown={onKeyDown}
      onBlur={() => finish({ text, move: 'stay' })}
      onCopy={(event) => event.stopPropagation()}
      onPaste={(event) => event.stopPropagation()}
    />
  )
}
