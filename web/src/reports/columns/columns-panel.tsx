// The columns panel: selection, order and emphasis of columns; it also creates and edits formulas.
import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Metrics } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import { isMetric, type MetricName } from '@tributary/contract/reports/traffic'
import { useState } from 'react'
import { useReportWords } from '../../i18n/labels.ts'
import type { Emphasis } from '../table/pivot-column.ts'
import { formulaColumnName } from '../table/report-columns.ts'
import type { ColumnChoice } from './column-choice.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { COLUMN_PRESETS, type ColumnPreset, presetColumns } from './column-presets.ts'
import { FormulaForm } from './formula-form.tsx'

/** Presets are for reports that have most metrics of the general report. */
const hasPresets = (known: readonly string[]): boolean => presetColumns('traffic', known).length > 4

interface ColumnsPanelProps {
  known: readonly string[]
  formulas: readonly ReportFormula[]
  metrics: readonly MetricName[]
  total: Metrics | undefined
  /** Null: the user chose the columns one by one. */
  preset: ColumnPreset | null
  onPreset: (preset: ColumnPreset) => void
  choice: ColumnChoice
  onChange: (choice: ColumnChoice) => void
  look?: Readonly<Record<string, Emphasis>>
  onEmphasis?: (look: Readonly<Record<string, Emphasis>>) => void
}

/** After the form closes, focus must return into the panel, or the keyboard would leave it. */
const takeFocus = (button: HTMLButtonElement | null): void => button?.focus()

export function ColumnsPanel({ known, formulas, metrics, total, preset, onPreset, ...chooser }: ColumnsPanelProps) {
  const words = useReportWords()
  const [edited, setEdited] = useState<ReportFormula | 'new' | null>(null)
  const [hasReturned, setReturned] = useState(false)
  if (edited !== null)
    return (
      <FormulaForm
        formula={edited === 'new' ? null : edited}
        metrics={metrics}
        total={total}
        onDone={() => {
          setEdited(null)
          setReturned(true)
        }}
      />
    )
  const formulaOf = (name: string) => formulas.find((formula) => formulaColumnName(formula) === name)
  const labels = Object.fromEntries(
    known.map((name) => [name, isMetric(name) ? words.metrics[name] : (formulaOf(name)?.title ?? name)]),
  )
  return (
    <>
      {hasPresets(known) ? (
        <SegmentedControl
          fullWidth
          size="xs"
          mb={8}
          aria-label={words.columns.preset}
          data={COLUMN_PRESETS.map((name) => ({ value: name, label: words.columns.presets[name] }))}
          // No preset is chosen while the columns are the user's own.
          value={preset ?? ''}
          onChange={(chosen) => onPreset(COLUMN_PRESETS.find((name) => name === chosen) ?? 'all')}
        />
      ) : null}
      <ColumnChooser
        known={known}
        labels={labels}
        {...chooser}
        onEdit={(name) => {
          const formula = formulaOf(name)
          return formula?.is_own === true ? () => setEdited(formula) : null
        }}
      />
      <Button
        ref={hasReturned ? takeFocus : null}
        variant="light"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setEdited('new')}
      >
        {words.formulas.add}
      </Button>
    </>
  )
}
