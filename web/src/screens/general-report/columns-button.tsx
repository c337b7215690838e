// The button of the columns; the panel behind it is downloaded when it is first opened. Beside the report's own numbers stand those that the team has made.
import { Button, Popover } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { RoleKind } from '@tributary/contract/access'
import type { Metrics } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import { lazy, Suspense, useState } from 'react'
import { useReportWords } from '../../i18n/report-words.ts'
import { loadPart } from '../../lib/lazy-part.ts'
import { type ColumnChoice, EVERY_COLUMN, isColumnChoice, visibleColumns } from '../../reports/column-choice.ts'
import { EMPHASES, type Emphasis } from '../../reports/pivot-column.ts'
import classes from '../../reports/report.module.css'
import { formulaColumnName, metricsFor } from '../../reports/report-columns.ts'
import { formulasQuery } from '../../reports/saved-query.ts'
import { createStoredValue, useStoredValue } from '../../state/stored-value.ts'

const ColumnsPanel = lazy(() =>
  loadPart('columns', () => import('../../reports/columns-panel.tsx')).then((part) => ({
    default: part.ColumnsPanel,
  })),
)

export type Look = Readonly<Record<string, Emphasis>>

export const isLook = (value: unknown): value is Look =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((one) => (EMPHASES as readonly unknown[]).includes(one))

export const columnChoice = createStoredValue<ColumnChoice>('report:general:columns', EVERY_COLUMN, isColumnChoice)
export const columnLook = createStoredValue<Look>('report:general:look', {}, isLook)

export interface ReportColumns {
  /** Names of all columns that the person may see, those of the team at the end. */
  readonly known: readonly string[]
  /** Those that are shown, in their order. */
  readonly shown: readonly string[]
  readonly formulas: readonly ReportFormula[]
  readonly look: Look
}

const NO_FORMULAS: readonly ReportFormula[] = []

export function useReportColumns(role: RoleKind): ReportColumns {
  const [choice] = useStoredValue(columnChoice)
  const [look] = useStoredValue(columnLook)
  const { data: formulas = NO_FORMULAS } = useQuery(formulasQuery)
  const known: readonly string[] = [...metricsFor(role), ...formulas.map(formulaColumnName)]
  return { known, shown: visibleColumns(known, choice), formulas, look }
}

interface ColumnsButtonProps {
  role: RoleKind
  columns: ReportColumns
  /** Of the report on the screen: what a formula gives in it. */
  total: Metrics | undefined
}

export function ColumnsButton({ role, columns, total }: ColumnsButtonProps) {
  const words = useReportWords()
  const [choice, setChoice] = useStoredValue(columnChoice)
  const [look, setLook] = useStoredValue(columnLook)
  const [isOpen, setOpen] = useState(false)
  const { known, shown, formulas } = columns
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
          {shown.length < known.length ? (
            <span className={classes.count}>{`${shown.length}/${known.length}`}</span>
          ) : null}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8}>
        <Suspense fallback={null}>
          <ColumnsPanel
            known={known}
            formulas={formulas}
            metrics={metricsFor(role)}
            total={total}
            choice={choice}
            onChange={setChoice}
            look={look}
            onLook={setLook}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
