// Shows, hides and reorders columns: by dragging, or with Alt and an arrow on a row.
import { Button, Checkbox } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ColumnChoice, EVERY_COLUMN, moveColumn, orderColumns, toggleColumn } from './column-choice.ts'
import classes from './column-chooser.module.css'

interface ColumnChooserProps<N extends string> {
  known: readonly N[]
  labels: Readonly<Record<N, string>>
  choice: ColumnChoice
  onChange: (choice: ColumnChoice) => void
}

export function ColumnChooser<N extends string>({ known, labels, choice, onChange }: ColumnChooserProps<N>) {
  const { t } = useTranslation('reports')
  const [dragged, setDragged] = useState<N | null>(null)
  const order = orderColumns(known, choice)
  const move = (name: N, to: number) => onChange(moveColumn(known, choice, name, to))
  const onKeyDown = (event: KeyboardEvent, name: N, place: number) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || by === 0) return
    event.preventDefault()
    move(name, place + by)
  }
  return (
    <div className={classes.chooser}>
      <p className={classes.hint}>{t(($) => $.columns.hint)}</p>
      <ul className={classes.list}>
        {order.map((name, place) => (
          <li
            key={name}
            draggable
            className={dragged === name ? `${classes.item} ${classes.dragged}` : classes.item}
            onDragStart={(event) => {
              setDragged(name)
              event.dataTransfer.effectAllowed = 'move'
            }}
            onDragEnter={() => {
              if (dragged !== null && dragged !== name) move(dragged, place)
            }}
            onDragOver={(event) => event.preventDefault()}
            onDragEnd={() => setDragged(null)}
          >
            <Checkbox
              size="xs"
              label={labels[name]}
              checked={!choice.hidden.includes(name)}
              onChange={() => onChange(toggleColumn(known, choice, name))}
              onKeyDown={(event) => onKeyDown(event, name, place)}
            />
            <IconGripVertical size={14} className={classes.grip} aria-hidden />
          </li>
        ))}
      </ul>
      <Button variant="subtle" size="compact-sm" onClick={() => onChange(EVERY_COLUMN)}>
        {t(($) => $.columns.reset)}
      </Button>
    </div>
  )
}
