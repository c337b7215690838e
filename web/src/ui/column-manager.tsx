// Shows, hides and reorders columns of a list or a report: by dragging, by buttons, or with Alt and an arrow.
import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../i18n/labels.ts'
import classes from './column-manager.module.css'
import { useIsPainted } from './deferred.tsx'
import { Definition } from './definition.tsx'
import { IconButton } from './icon-button.tsx'

export interface ManagedColumn {
  readonly key: string
  readonly label: string
  readonly definition?: string | undefined
  readonly isShown: boolean
  /** Cannot be hidden: the last shown one. */
  readonly isLast?: boolean
  /** Further buttons of the column. */
  readonly acts?: ReactNode
}

interface ColumnManagerProps {
  /** In their order. */
  columns: readonly ManagedColumn[]
  /** Only the first ones can be moved, if not all. */
  movable?: number
  onToggle: (key: string) => void
  /** Moves a column to a position. */
  onMove: (key: string, to: number) => void
  onReset: () => void
}

/** So many lines fit the list; the others come after it is painted. */
const FIRST_LINES = 14
/** From so many columns on, they can be searched. */
const SEARCHED_FROM = 14

export function ColumnManager({ columns, movable = columns.length, onToggle, onMove, onReset }: ColumnManagerProps) {
  const words = useReportWords()
  const [sought, setSought] = useState('')
  const isPainted = useIsPainted()
  // By key: a column that is hidden before the others are there moves below, but its line keeps the focus.
  const [first] = useState(() => new Set(columns.slice(0, FIRST_LINES).map(({ key }) => key)))
  const [dragged, setDragged] = useState<string | null>(null)
  const found = columns.filter(({ label }) => label.toLowerCase().includes(sought.trim().toLowerCase()))
  const move = (key: string, to: number) => {
    if (to >= 0 && to < movable) onMove(key, to)
  }
  return (
    <div className={classes.manager}>
      {columns.length >= SEARCHED_FROM ? (
        <TextInput
          size="xs"
          type="search"
          mb={6}
          aria-label={words.columns.search}
          placeholder={words.columns.search}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      ) : null}
      <p className={classes.hint}>{words.columns.hint}</p>
      <ul className={classes.list}>
        {(isPainted ? found : found.filter(({ key }) => first.has(key))).map((column) => {
          const place = columns.indexOf(column)
          return (
            <ColumnLine
              key={column.key}
              column={column}
              place={place}
              movable={movable}
              isDragged={dragged === column.key}
              onToggle={() => onToggle(column.key)}
              onMove={(to) => move(column.key, to)}
              onDrag={(isDragged) => setDragged(isDragged ? column.key : null)}
              onDragOver={() => {
                if (dragged !== null && dragged !== column.key) move(dragged, place)
              }}
            />
          )
        })}
      </ul>
      <Button variant="subtle" size="compact-sm" onClick={onReset}>
        {words.columns.reset}
      </Button>
    </div>
  )
}

interface ColumnLineProps {
  column: ManagedColumn
  place: number
  movable: number
  isDragged: boolean
  onToggle: () => void
  onMove: (to: number) => void
  onDrag: (isDragged: boolean) => void
  onDragOver: () => void
}

function ColumnLine({ column, place, movable, isDragged, onToggle, onMove, onDrag, onDragOver }: ColumnLineProps) {
  const { t } = useTranslation('reports')
  const { label, definition, isShown, isLast = false, acts } = column
  const isMovable = place < movable
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || by === 0) return
    event.preventDefault()
    onMove(place + by)
  }
  return (
    <li
      draggable={isMovable}
      className={isDragged ? `${classes.item} ${classes.dragged}` : classes.item}
      onDragStart={(event) => {
        onDrag(true)
        event.dataTransfer.effectAllowed = 'move'
      }}
      onDragEnter={onDragOver}
      onDragOver={(event) => event.preventDefault()}
      onDragEnd={() => onDrag(false)}
    >
      <Checkbox size="xs" label={label} checked={isShown} disabled={isLast} onChange={onToggle} onKeyDown={onKeyDown} />
      <Definition text={definition} />
      <span className={classes.acts}>
        {acts}
        {isMovable ? (
          <>
            <IconButton
              label={t(($) => $.columns.moveUp, { column: label })}
              icon={IconArrowUp}
              iconSize={13}
              size={22}
              disabled={place === 0}
              onClick={() => onMove(place - 1)}
            />
            <IconButton
              label={t(($) => $.columns.moveDown, { column: label })}
              icon={IconArrowDown}
              iconSize={13}
              size={22}
              disabled={place === movable - 1}
              onClick={() => onMove(place + 1)}
            />
            <IconGripVertical size={14} className={classes.grip} aria-hidden />
          </>
        ) : null}
      </span>
    </li>
  )
}
