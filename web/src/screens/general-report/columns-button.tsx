// The button of the columns; the panel behind it is downloaded when it is first opened.
import { Button, Popover } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { RoleKind } from '@tributary/contract/access'
import type { MetricName } from '@tributary/contract/reports/traffic'
import { lazy, Suspense, useState } from 'react'
import { useReportWords } from '../../i18n/report-words.ts'
import { loadPart } from '../../lib/lazy-part.ts'
import { type ColumnChoice, EVERY_COLUMN, isColumnChoice, visibleColumns } from '../../reports/column-choice.ts'
import classes from '../../reports/report.module.css'
import { metricsFor } from '../../reports/report-columns.ts'
import { createStoredValue, useStoredValue } from '../../state/stored-value.ts'

const ColumnChooser = lazy(() =>
  loadPart('columns', () => import('../../reports/column-chooser.tsx')).then((part) => ({
    default: part.ColumnChooser,
  })),
)

const columnChoice = createStoredValue<ColumnChoice>('report:general:columns', EVERY_COLUMN, isColumnChoice)

export function useVisibleMetrics(role: RoleKind): MetricName[] {
  const [choice] = useStoredValue(columnChoice)
  return visibleColumns(metricsFor(role), choice)
}

export function ColumnsButton({ role }: { role: RoleKind }) {
  const words = useReportWords()
  const [choice, setChoice] = useStoredValue(columnChoice)
  const [isOpen, setOpen] = useState(false)
  const known = metricsFor(role)
  const hidden = known.length - visibleColumns(known, choice).length
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          classNames={{ section: classes.actionIcon ?? '' }}
          leftSection={<IconColumns3 size={15} aria-hidden />}
          aria-label={words.columns.title}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={classes.actionLabel}>{words.columns.title}</span>
          {hidden > 0 ? <span className={classes.count}>{`${known.length - hidden}/${known.length}`}</span> : null}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8}>
        <Suspense fallback={null}>
          <ColumnChooser known={known} labels={words.metrics} choice={choice} onChange={setChoice} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
