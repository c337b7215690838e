// Shows, hides and reorders columns by dragging or with Alt and an arrow, and sets the emphasis of their numbers.

import { Button, Checkbox } from '@mantine/core'
import { IconChartBar, IconFlame, IconGripVertical, IconLetterCase, IconPencil } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { Emphasis } from '../table/pivot-column.ts'
import { type ColumnChoice, EVERY_COLUMN, moveColumn, orderColumns, toggleColumn } from './column-choice.ts'
import classes from './column-chooser.module.css'

type ColumnEmphasis = Readonly<Record<string, Emphasis>>

interface ColumnChooserProps {
  known: readonly string[]
  labels: Readonly<Record<string, string>>
  choice: ColumnChoice
  onChange: (choice: ColumnChoice) => void
  look?: ColumnEmphasis
  /** Absent: numbers are not emphasised. */
  onEmphasis?: ((look: ColumnEmphasis) => void) | undefined
  /** Opens the form of a formula; null for columns that cannot be changed. */
  onEdit: (name: string) => (() => void) | null
}

export function ColumnChooser({ known, labels, choice, onChange, look = {}, onEmphasis, onEdit }: ColumnChooserProps) {
  const { t } = useTranslation('reports')
  const [dragged, setDragged] = useState<string | null>(null)
  const order = orderColumns(known, choice)
  const move = (name: string, to: number) => onChange(moveColumn(known, choice, name, to))
  const onKeyDown = (event: KeyboardEvent, name: string, place: number) => {
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
            <span className={classes.acts}>
              <EditButton name={labels[name] ?? name} onEdit={onEdit(name)} />
              {onEmphasis === undefined ? null : (
                <EmphasisButton
                  name={labels[name] ?? name}
                  emphasis={look[name]}
                  onChange={(next) => onEmphasis(withEmphasis(look, name, next))}
                />
              )}
              <IconGripVertical size={14} className={classes.grip} aria-hidden />
            </span>
          </li>
        ))}
      </ul>
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => {
          onChange(EVERY_COLUMN)
          onEmphasis?.({})
        }}
      >
        {t(($) => $.columns.reset)}
      </Button>
    </div>
  )
}

function withEmphasis(look: ColumnEmphasis, name: string, emphasis: Emphasis | undefined): ColumnEmphasis {
  const rest = Object.fromEntries(Object.entries(look).filter(([key]) => key !== name))
  return emphasis === undefined ? rest : { ...rest, [name]: emphasis }
}

function EditButton({ name, onEdit }: { name: string; onEdit: (() => void) | null }) {
  const { t } = useTranslation('reports')
  if (onEdit === null) return null
  const label = t(($) => $.formulas.edit, { name })
  return <IconButton label={label} icon={IconPencil} iconSize={13} size={22} onClick={onEdit} />
}

const NEXT = { none: 'heat', heat: 'bars', bars: undefined } as const

interface LookButtonProps {
  name: string
  emphasis: Emphasis | undefined
  onChange: (emphasis: Emphasis | undefined) => void
}

/** Each click switches to the next emphasis: none, heat, bars, none. */
function EmphasisButton({ name, emphasis, onChange }: LookButtonProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const label = t(($) => $.look.of, { name, look: words.look[emphasis ?? 'none'] })
  const Icon = emphasis === 'heat' ? IconFlame : emphasis === 'bars' ? IconChartBar : IconLetterCase
  return (
    <IconButton
      label={label}
      icon={Icon}
      iconSize={13}
      size={22}
      variant={emphasis === undefined ? 'subtle' : 'light'}
      onClick={() => onChange(NEXT[emphasis ?? 'none'])}
    />
  )
}
