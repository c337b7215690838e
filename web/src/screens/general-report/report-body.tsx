// The rows of the report with skeleton, failure and empty states, pages, row menu and drill-down.

import type { RoleKind } from '@tributary/contract/access'
import { PAGE_SIZES } from '@tributary/contract/limits'
import type { GeneralReportAnswer } from '@tributary/contract/reports/general'
import { isMetric } from '@tributary/contract/reports/traffic'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { fieldErrors } from '../../lib/form-errors.ts'
import { formatCount } from '../../lib/number-format.ts'
import { DrillDrawer } from '../../reports/drill/drill-drawer.tsx'
import type { DrillTarget } from '../../reports/drill/drill-target.ts'
import { NothingFound, WrongDays } from '../../reports/filter/nothing-found.tsx'
import classes from '../../reports/report.module.css'
import { RetryingState } from '../../reports/run/retrying-state.tsx'
import { ChoiceMenu } from '../../reports/table/choice-menu.tsx'
import type { StoredValue } from '../../state/stored-value.ts'
import { useIsPhone } from '../../ui/narrow.ts'
import { PageSteps } from '../../ui/pager.tsx'
import { FailedState } from '../../ui/states.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import type { ReportColumns } from './columns-button.tsx'
import { ReportTable } from './report-table.tsx'
import type { GeneralReportLoad } from './use-report.ts'
import type { ReportControl } from './use-report-state.ts'

/** Below the table: the number of rows, and pages of first-level rows. */
function ReportPager({ control, answer }: { control: ReportControl; answer: GeneralReportAnswer }) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { state, change } = control
  // From the answer: a request for a page past the end returns the last page.
  const { page, maxPageNumber: last } = answer.pagination
  const sizes = PAGE_SIZES.map((size) => ({ name: String(size), label: String(size) }))
  return (
    <footer className={classes.pager}>
      <span aria-live="polite">
        {t(($) => $.table.rows, { count: answer.items }).replace(/\d+/, formatCount(answer.items) ?? '')}
      </span>
      <span>
        {t(($) => $.table.players, { count: answer.player_count }).replace(
          /\d+/,
          formatCount(answer.player_count) ?? '',
        )}
      </span>
      <span className={classes.spacer} />
      <ChoiceMenu
        isPlain
        label={words.table.pageSize}
        value={String(state.limit)}
        sections={[{ title: null, options: sizes }]}
        onChoose={(size) => change({ limit: PAGE_SIZES.find((known) => String(known) === size) ?? state.limit })}
      />
      {last > 1 ? (
        <nav className={classes.pages}>
          <PageSteps page={page} last={last} labels={words.table} onPage={(next) => change({ page: next })}>
            <span>{t(($) => $.table.page, { page, last })}</span>
          </PageSteps>
        </nav>
      ) : null}
    </footer>
  )
}

interface ReportBodyProps {
  control: ReportControl
  load: GeneralReportLoad
  role: RoleKind
  columns: ReportColumns
  toolsPlace: StoredValue<HTMLElement | null>
}

export function ReportBody({ control, load, role, columns, toolsPlace }: ReportBodyProps) {
  const words = useReportWords()
  const isPhone = useIsPhone()
  const [drill, setDrill] = useState<DrillTarget | null>(null)
  const { answer, error } = load
  if (error)
    return (
      <div className={classes.main}>
        {/filter\.\w*date/i.test(Object.keys(fieldErrors(error)).join()) ? (
          <WrongDays state={control.state} error={error} onDays={control.change} />
        ) : (
          <FailedState error={error} onRetry={load.refetch} />
        )}
      </div>
    )
  if (load.isRetrying)
    return (
      <div className={classes.main}>
        <RetryingState />
      </div>
    )
  if (answer === undefined)
    return (
      <div className={classes.main}>
        {isPhone ? <div style={{ flex: 'none', height: 44, marginBottom: 8 }} /> : null}
        <TableSkeleton
          columns={[
            words.table.groups,
            ...columns.shown
              .filter(isMetric)
              .slice(0, isPhone ? 1 : 9)
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
        answeredState={load.answeredState}
        role={role}
        columns={columns}
        isStale={load.isStale}
        toolsPlace={toolsPlace}
        onOpenNumber={setDrill}
      />
      <ReportPager control={control} answer={answer} />
      <DrillDrawer target={drill} currency={answer.currency} onMoved={load.refetch} onClose={() => setDrill(null)} />
    </div>
  )
}
