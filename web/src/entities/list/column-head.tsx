// The header of a list column: label, definition, sort button, and a handle that resizes it by mouse or arrow keys.

import { Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { EntityName } from '@tributary/contract/entities/registry'
import { fieldDefinition } from '@tributary/contract/words/definition'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDefinitions } from '../../i18n/definitions.ts'
import { useLabels } from '../../i18n/labels.ts'
import { ColumnGrip } from '../../ui/column-grip.tsx'
import { tableClasses } from '../../ui/table-frame.tsx'
import { type Column, MAX_WIDTH } from '../field/columns.ts'
import { nextOrder } from './list-state.ts'
import classes from './list-table.module.css'
import type { ListControl } from './use-list-state.ts'

type SortState = 'ascending' | 'descending' | 'none'

interface SortHeaderProps {
  label: string
  sort: SortState
  onSort: () => void
  /** What the column means. */
  definition?: string | undefined
  children?: ReactNode
}

/** The surrounding th needs `aria-sort={sort}`. */
export function SortHeader({ label, sort, onSort, definition, children }: SortHeaderProps) {
  const { t } = useTranslation()
  const isSorted = sort !== 'none'
  return (
    <Tooltip
      label={definition ?? t(($) => $.list.sortBy, { column: label })}
      maw={320}
      events={{ hover: true, focus: true, touch: false }}
    >
      <button
        type="button"
        className={isSorted ? `${tableClasses.sort} ${tableClasses.sorted}` : tableClasses.sort}
        onClick={onSort}
      >
        <span className={classes.name}>{children ?? label}</span>
        {sort === 'ascending' ? <IconArrowUp size={13} aria-hidden /> : null}
        {sort === 'descending' ? <IconArrowDown size={13} aria-hidden /> : null}
      </button>
    </Tooltip>
  )
}

interface ColumnHeadProps {
  name: EntityName
  column: Column
  /** The sticky position; null if the column scrolls away. */
  left: string | null
  isFirst: boolean
  list: ListControl
  onResize: (path: string, width: number) => void
  /** The time zone of this list's moments, if it is not the business zone. */
  zone?: string | undefined
}

/** On a narrow screen only the first column is sticky. */
export const pinClass = (left: string | null, isFirst: boolean): string =>
  left === null ? '' : `${tableClasses.pinned} ${classes.at} ${isFirst ? '' : classes.further}`.trim()

// React's types do not allow custom properties.
export const pinStyle = (left: string | null): CSSProperties | undefined =>
  left === null ? undefined : ({ '--left': left } as CSSProperties)

/** The header cell of a column. `left`: its offset in pixels while it is pinned. */
export function ColumnHead({ name, column, left, isFirst, list, onResize, zone }: ColumnHeadProps) {
  const labels = useLabels()
  const definitions = useDefinitions()
  const { t } = useTranslation()
  const { path, field } = column
  const definition = definitions && fieldDefinition(definitions, name, path)
  const own = labels.field(name, path)
  const label = zone !== undefined && field.kind === 'datetime' ? t(($) => $.engine.zoned, { label: own, zone }) : own
  const [first] = list.query.order
  const sort: SortState = first?.path !== path ? 'none' : first.desc ? 'descending' : 'ascending'
  const kinds = [pinClass(left, isFirst), column.isNumber ? tableClasses.number : '']
  const onSort = () => list.change(({ order }) => ({ order: nextOrder(order, path, list.defaults.order) }))
  return (
    <th
      className={kinds.join(' ').trim()}
      style={pinStyle(left)}
      aria-sort={column.isSorted ? sort : undefined}
      scope="col"
    >
      {column.isSorted ? (
        <SortHeader label={label} sort={sort} onSort={onSort} definition={definition} />
      ) : (
        <Tooltip label={definition ?? label} maw={320}>
          <span className={classes.name}>{label}</span>
        </Tooltip>
      )}
      <ColumnGrip
        label={t(($) => $.engine.columnWidth, { column: label })}
        hint={t(($) => $.engine.columnWidthHint)}
        onResize={(width) => onResize(path, Math.round(Math.min(MAX_WIDTH, Math.max(column.minWidth, width))))}
      />
    </th>
  )
}
