// The rows of the report and what surrounds them: skeleton, failure, emptiness, pages, the menu of a row and the rows behind a number.
import type { RoleKind } from '@tributary/contract/access'
import { isMetric } from '@tributary/contract/reports/traffic'
import { useState } from 'react'
import { useReportWords } from '../../i18n/labels.ts'
import { DrillDrawer } from '../../reports/drill/drill-drawer.tsx'
import type { DrillTarget } from '../../reports/drill/drill-target.ts'
import { NothingFound } from '../../reports/filter/nothing-found.tsx'
import classes from '../../reports/report.module.css'
import { FailedState } from '../../ui/failed-state.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import type { ReportColumns } from './columns-button.tsx'
import { ReportPager } from './report-pager.tsx'
import { ReportTable } from './report-table.tsx'
import type { ReportLoad } from './use-report.ts'
import type { ReportControl } from './use-report-state.ts'

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
        <NothingFound
          state={control.state}
          onDays={control.change}
          onClear={() => control.change({ filters: {}, conditions: [] })}
        />
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
      <DrillDrawer target={drill} currency={answer.currency} onMoved={load.refetch} onClose={() => setDrill(null)} />
    </div>
  )
}
