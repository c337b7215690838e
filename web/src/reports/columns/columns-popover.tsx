// The button that opens the columns panel. The panel lists the report's metrics and the team's formulas.
import { Button, Popover } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Metrics } from '@tributary/contract/reports/general'
import type { MetricName } from '@tributary/contract/reports/traffic'
import { useState } from 'react'
import { useReportWords } from '../../i18n/labels.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import classes from '../report.module.css'
import { formulasQuery } from '../saved/saved-query.ts'
import type { Emphasis } from '../table/pivot-column.ts'
import { visibleColumns } from './column-choice.ts'
import { presetColumns, presetOf } from './column-presets.ts'

const ColumnsPanel = lazyComponent('columns', async () => (await import('./columns-panel.tsx')).ColumnsPanel)

export type ColumnEmphasis = Readonly<Record<string, Emphasis>>

interface ColumnsPopoverProps {
  known: readonly string[]
  /** In display order. */
  shown: readonly string[]
  /** The metrics that formulas may use. */
  metrics: readonly MetricName[]
  /** The total of the shown report, for the preview of a formula. */
  total: Metrics | undefined
  /** Null shows all columns in their default order. */
  onShown: (shown: readonly string[] | null) => void
  /** Absent: numbers are not emphasised here. */
  look?: ColumnEmphasis
  onEmphasis?: (look: ColumnEmphasis) => void
}

export function ColumnsPopover({ known, shown, onShown, ...panel }: ColumnsPopoverProps) {
  const words = useReportWords()
  const [isOpen, setOpen] = useState(false)
  const { data: formulas = [] } = useQuery(formulasQuery)
  const seen = shown.filter((name) => known.includes(name))
  const preset = presetOf(seen, known)
  const hasName = preset !== null && preset !== 'all'
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end">
      <Popover.Target>
        <Button
          variant="default"
          fw={450}
          classNames={{ root: classes.action ?? '', section: classes.actionIcon ?? '' }}
          leftSection={<IconColumns3 size={15} aria-hidden />}
          aria-label={!hasName ? words.columns.title : `${words.columns.title}: ${words.columns.presets[preset]}`}
          onClick={() => (isOpen ? setOpen(false) : void ColumnsPanel.preload().then(() => setOpen(true)))}
        >
          <span className={hasName ? `${classes.actionLabel} ${classes.wideOnly}` : classes.actionLabel}>
            {words.columns.title}
          </span>
          {seen.length < known.length ? (
            <span className={classes.count}>
              {preset === null ? `${seen.length}/${known.length}` : words.columns.presets[preset]}
            </span>
          ) : null}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8}>
        <ColumnsPanel
          known={known}
          formulas={formulas}
          preset={preset}
          onPreset={(name) => onShown(name === 'all' ? null : presetColumns(name, known))}
          choice={{ order: seen, hidden: known.filter((name) => !seen.includes(name)) }}
          onChange={(choice) => {
            const next = visibleColumns(known, choice)
            onShown(next.join() === known.join() ? null : next)
          }}
          {...panel}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
