// The columns of a report: their choice and order, the emphasis of their numbers, and the forms of formulas.

import { IconChartBar, IconFlame, IconLetterCase, IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { columnDefinition, useDefinitions } from '../../i18n/definitions.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { ColumnManager } from '../../ui/column-manager.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { Emphasis } from '../table/pivot-column.ts'
import { type ColumnChoice, EVERY_COLUMN, moveColumn, orderColumns, toggleColumn } from './column-choice.ts'

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
  const definitions = useDefinitions()
  return (
    <ColumnManager
      columns={orderColumns(known, choice).map((name) => ({
        key: name,
        label: labels[name] ?? name,
        definition: columnDefinition(definitions, name),
        isShown: !choice.hidden.includes(name),
        acts: (
          <>
            <EditButton name={labels[name] ?? name} onEdit={onEdit(name)} />
            {onEmphasis === undefined ? null : (
              <EmphasisButton
                name={labels[name] ?? name}
                emphasis={look[name]}
                onChange={(next) => onEmphasis(withEmphasis(look, name, next))}
              />
            )}
          </>
        ),
      }))}
      onToggle={(name) => onChange(toggleColumn(known, choice, name))}
      onMove={(name, to) => onChange(moveColumn(known, choice, name, to))}
      onReset={() => {
        onChange(EVERY_COLUMN)
        onEmphasis?.({})
      }}
    />
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
