// The header of a pivot table: a click sorts, hover and focus show what the column means, and its formula.
import { Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { columnDefinition, useDefinitions } from '../../i18n/definitions.ts'
import { ColumnGrip } from '../../ui/column-grip.tsx'
import { tableClasses } from '../../ui/table-frame.tsx'
import type { PivotColumn, PivotSort } from './pivot-column.ts'
import classes from './pivot-table.module.css'

export interface PivotHeaderProps<R> {
  columns: readonly PivotColumn<R>[]
  sort: PivotSort | null
  onSort?: ((key: string) => void) | undefined
  /** The sort key of the tree column. */
  treeKey: string
  treeLabel: string
  /** Shown beside the tree's label: expand and collapse. */
  treeActions?: ReactNode
  onTreeWidth?: ((width: number) => void) | undefined
}

const stateOf = (sort: PivotSort | null, key: string) =>
  sort?.by === key ? (sort.desc ? 'descending' : 'ascending') : 'none'

function PivotHeaderPlain<R>({
  columns,
  sort,
  onSort,
  treeKey,
  treeLabel,
  treeActions,
  onTreeWidth,
}: PivotHeaderProps<R>) {
  const { t } = useTranslation('reports')
  const head = useRef<HTMLTableSectionElement>(null)
  const pressed = useRef<string | null>(null)
  // Definitions are downloaded once somebody comes near: the first report needs none.
  const [isNear, setNear] = useState(false)
  const definitions = useDefinitions(isNear)
  const order = columns.map(({ key }) => key).join()
  const follow = useEffectEvent(() => {
    const at = columns.findIndex(({ key }) => key === pressed.current)
    pressed.current = null
    head.current?.querySelectorAll<HTMLElement>('th')[at + 1]?.querySelector('button')?.focus()
  })
  // A column that moves when it is sorted takes the focus along and stays in sight.
  useEffect(() => {
    if (order !== '' && pressed.current !== null) follow()
  }, [order])
  return (
    <thead ref={head} onPointerEnter={() => setNear(true)} onFocus={() => setNear(true)}>
      <tr aria-rowindex={1}>
        <th className={`${tableClasses.pinned} ${classes.corner}`} aria-sort={stateOf(sort, treeKey)} scope="col">
          <span className={classes.cornerContent}>
            <SortButton label={treeLabel} hint="" state={stateOf(sort, treeKey)} onSort={() => onSort?.(treeKey)} />
            {treeActions}
          </span>
          {onTreeWidth ? (
            <ColumnGrip
              label={t(($) => $.table.columnWidth, { column: treeLabel })}
              hint={t(($) => $.table.columnWidthHint)}
              onResize={onTreeWidth}
            />
          ) : null}
        </th>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            aria-sort={stateOf(sort, column.key)}
            className={`${column.isText ? classes.textHead : tableClasses.number} ${classes.head} ${column.isSecondary ? classes.secondary : ''}`}
          >
            <Tooltip
              disabled={column.explain === '' && columnDefinition(definitions, column.key) === undefined}
              maw={340}
              events={{ hover: true, focus: true, touch: false }}
              label={<ColumnMeaning column={column} definition={columnDefinition(definitions, column.key)} />}
            >
              <SortButton
                label={column.label}
                hint={column.hint}
                state={stateOf(sort, column.key)}
                onSort={() => {
                  pressed.current = column.key
                  onSort?.(column.key)
                }}
              />
            </Tooltip>
          </th>
        ))}
      </tr>
    </thead>
  )
}

// Avoids renders while scrolling. `memo` drops the type parameter, hence the cast.
export const PivotHeader = memo(PivotHeaderPlain) as typeof PivotHeaderPlain

function ColumnMeaning<R>({ column, definition }: { column: PivotColumn<R>; definition: string | undefined }) {
  return (
    <>
      <strong>{column.label}</strong>
      {definition === undefined ? null : (
        <>
          <br />
          {definition}
        </>
      )}
      {column.explain === '' ? null : (
        <>
          <br />= {column.explain}
        </>
      )}
    </>
  )
}

interface SortButtonProps {
  label: string
  hint: string
  state: 'ascending' | 'descending' | 'none'
  onSort: () => void
}

/** The tooltip around the button passes further props. */
function SortButton({ label, hint, state, onSort, ...rest }: SortButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={state === 'none' ? classes.sort : `${classes.sort} ${classes.sorted}`}
      onClick={onSort}
    >
      <span className={classes.words}>
        {state === 'ascending' ? <IconArrowUp size={12} stroke={2.4} aria-hidden /> : null}
        {state === 'descending' ? <IconArrowDown size={12} stroke={2.4} aria-hidden /> : null}
        <span className={classes.label}>{label}</span>
      </span>
      {hint === '' ? null : <span className={classes.hint}>{hint}</span>}
    </button>
  )
}
