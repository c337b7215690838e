// The button in a column's header: says and changes how the table is sorted.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { tableClasses } from './table-frame.tsx'

export type SortState = 'ascending' | 'descending' | 'none'

interface SortHeaderProps {
  label: string
  sort: SortState
  onSort: () => void
  children?: ReactNode
}

/** Put `aria-sort={sort}` on the th around it. */
export function SortHeader({ label, sort, onSort, children }: SortHeaderProps) {
  const { t } = useTranslation()
  const isSorted = sort !== 'none'
  return (
    <button
      type="button"
      className={isSorted ? `${tableClasses.sort} ${tableClasses.sorted}` : tableClasses.sort}
      title={t(($) => $.list.sortBy, { column: label })}
      onClick={onSort}
    >
      {children ?? label}
      {sort === 'ascending' ? <IconArrowUp size={13} aria-hidden /> : null}
      {sort === 'descending' ? <IconArrowDown size={13} aria-hidden /> : null}
    </button>
  )
}
