// The general report: what to count above, the filters beside, the rows below; any number opens what it is made of.
import type { GeneralReportName } from '@tributary/contract/reports/general'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { ActiveFilters } from '../../reports/active-filters.tsx'
import { FiltersAside, FiltersButton, useFiltersOpen } from '../../reports/filters-aside.tsx'
import classes from '../../reports/report.module.css'
import { ReportNoticeBar } from '../../reports/report-notice-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { ColumnsButton } from './columns-button.tsx'
import { ReportBody } from './report-body.tsx'
import { ReportKindContext, SCREEN_OF } from './report-kind.ts'
import { ReportStatus } from './report-status.tsx'
import { ReportToolbar } from './report-toolbar.tsx'
import { useReport } from './use-report.ts'
import { useReportState } from './use-report-state.ts'

export function GeneralReportScreen({ kind }: { kind: GeneralReportName }) {
  return (
    <ReportKindContext value={kind}>
      <Report key={kind} name={SCREEN_OF[kind]} />
    </ReportKindContext>
  )
}

function Report({ name }: { name: (typeof SCREEN_OF)[GeneralReportName] }) {
  const { t } = useTranslation()
  const role = useProfile().role.kind
  const control = useReportState(role)
  const load = useReport(control.state)
  const [, setPanelOpen] = useFiltersOpen()
  return (
    <Page
      fill
      title={t(($) => $.screens[name].title)}
      subtitle={t(($) => $.screens[name].subtitle)}
      actions={
        <>
          <ReportStatus state={control.state} load={load} />
          <ColumnsButton role={role} />
          <FiltersButton control={control} />
        </>
      }
    >
      <ReportToolbar control={control} role={role} />
      <ActiveFilters control={control} onOpen={() => setPanelOpen(true)} />
      <ReportNoticeBar notice={load.notice} onReload={load.refetch} />
      <div className={classes.columns}>
        <FiltersAside control={control} role={role} />
        <ReportBody control={control} load={load} role={role} />
      </div>
    </Page>
  )
}
