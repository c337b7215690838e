// Search among the rows of a report, the number of results, and switches of the table: they stand at the end of the report's bar.

import { IconSelect } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatCount } from '../../lib/number-format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import report from '../report.module.css'
import classes from './table-bar.module.css'

interface Titled<R> {
  readonly childrenOf: (row: R) => readonly R[] | undefined
  readonly titleOf: (row: R) => string
  readonly withChildren: (row: R, children: R[]) => R
}

/** The remaining rows and the number of matching titles. */
export function searchRows<R>(
  rows: readonly R[],
  text: string,
  shape: Titled<R>,
): { rows: readonly R[]; found: number } {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return { rows, found: 0 }
  let found = 0
  const keep = (row: R): R[] => {
    const isCalled = shape.titleOf(row).toLowerCase().includes(wanted)
    if (isCalled) found += 1
    const inside = (shape.childrenOf(row) ?? []).flatMap(keep)
    if (isCalled) return [row]
    return inside.length > 0 ? [shape.withChildren(row, inside)] : []
  }
  return { rows: rows.flatMap(keep), found }
}

interface TableBarProps {
  text: string
  onText: (text: string) => void
  found: number
  isSelecting: boolean
  /** Undefined: rows of this report cannot be selected. */
  onSelecting?: (() => void) | undefined
  children?: ReactNode
}

export function TableBar({ text, onText, found, isSelecting, onSelecting, children }: TableBarProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const result = text.trim() === '' ? '' : found === 0 ? words.search.none : t(($) => $.search.found, { count: found })
  const label = isSelecting ? words.selection.end : words.selection.start
  return (
    <>
      <span className={classes.searchBox}>
        <span className={report.srOnly} aria-live="polite">
          {result}
        </span>
        <input
          type="search"
          data-search
          className={classes.search}
          aria-label={words.search.label}
          placeholder={words.search.placeholder}
          value={text}
          onChange={({ currentTarget }) => onText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onText('')
          }}
        />
        {result === '' ? null : (
          <span className={classes.found} title={result} aria-hidden>
            {formatCount(found)}
          </span>
        )}
      </span>
      {onSelecting ? (
        <IconButton
          label={label}
          icon={IconSelect}
          size={30}
          aria-pressed={isSelecting}
          variant={isSelecting ? 'light' : 'default'}
          onClick={onSelecting}
        />
      ) : null}
      {children}
    </>
  )
}
