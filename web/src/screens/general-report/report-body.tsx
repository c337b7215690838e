// The rows of the report and what surrounds them: skeleton, failure, emptiness, pages, the menu of a row and the rows behind a number.
import { Button } from '@mantine/core'
import type { RoleKind } from '@tributary/contract/access'
import { presetPeriod } from '@tributary/contract/period'
import { isMetric } from '@tributary/contract/reports/traffic'
import { lazy, Suspense, useState } from 'react'
import { useReportWords } from '../../i18n/report-words.ts'
import { loadPart } from '../../lib/lazy-part.ts'
import type { DrillTarget } from '../../reports/drill-target.ts'
import classes from '../../reports/report.module.css'
import { businessToday } from '../../state/business-zone.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import type { ReportColumns } from './columns-button.tsx'
import { ReportPager } from './report-pager.tsx'
import { ReportTable } from './report-table.tsx'
import type { ReportLoad } from './use-report.ts'
import type { ReportControl } from './use-report-state.ts'

const DrillDrawer = lazy(() =>
  loadPart('rows', () => import('../../reports/drill-drawer.tsx')).then((part) => ({ default: part.DrillDrawer })),
)

interface ReportBodyProps {
  control: ReportControl
  load: ReportLoad
  role: RoleKind
  columns: ReportColumns
}

export function ReportBody({ control, load, role, columns }: ReportBodyProps) {
  const words = useReportWords()
  const [drill, setDrill] = useState<DrillTarget | null>(null)
  const { answer, error } = load
  if (error)
    return (
      <div className={classes.main}>
        <FailedState error={error} onRetry={load.refetch} />
      </div>
    )
  if (answer === undefined)
    return (
      <div className={classes.main}>
        <TableSkeleton
          columns={[
            words.table.groups,
            ...columns.shown
              .filter(isMetric)
              .slice(0, 9)
              .map((name) => words.metrics[name]),
          ]}
        />
      </div>
    )
  if (answer.items === 0 && !load.isStale)
    return (
      <div className={classes.main}>
        <NothingFound control={control} />
      </div>
    )
  return (
    <div className={classes.main}>
      <ReportTable
        control={control}
        answer={answer}
        asked={load.asked}
        role={role}
        columns={columns}
        isStale={load.isStale}
        onOpenNumber={setDrill}
      />
      <ReportPager control={control} answer={answer} />
      {drill ? (
        <Suspense fallback={null}>
          <DrillDrawer
            target={drill}
            currency={answer.currency}
            onMoved={load.refetch}
            onClose={() => setDrill(null)}
          />
        </Suspense>
      ) : null}
    </div>
  )
}

function NothingFound({ control: { state, change } }: { control: ReportControl }) {
  const words = useReportWords()
  const month = presetPeriod('current_month', businessToday())
  const isMonth = state.from === month.from && state.to === month.to
  const isFiltered = Object.keys(state.filters).length > 0 || state.conditions.length > 0
  return (
    <EmptyState title={words.empty.title} text={words.empty.text}>
      {isMonth ? null : <Button onClick={() => change(month)}>{words.empty.month}</Button>}
      {isFiltered ? (
        <Button variant="default" onClick={() => change({ filters: {}, conditions: [] })}>
          {words.empty.clear}
        </Button>
      ) : null}
    </EmptyState>
  )
}
