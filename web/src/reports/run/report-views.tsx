// The views of one report, each with an address of its own: a switch in the head of its screen.
import { Link } from '@tanstack/react-router'
import { leadersOr, type Requirement } from '@tributary/contract/access'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import { useCan } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/labels.ts'
import type { ReportWords } from '../../i18n/shape.ts'
import classes from './report-views.module.css'

interface View {
  readonly report: keyof typeof REPORT_SCREENS
  readonly name: Exclude<keyof ReportWords['views'], 'label'>
  readonly access: Requirement
}

const GENERAL = leadersOr('general_report')
const COHORTS = leadersOr('cohort_analysis_view')
const REPORTS: readonly (readonly View[])[] = [
  [
    { report: 'general_report', name: 'levels', access: GENERAL },
    { report: 'general_report_old', name: 'flat', access: GENERAL },
  ],
  [
    { report: 'general_report_click', name: 'levels', access: GENERAL },
    { report: 'general_report_click_old', name: 'flat', access: GENERAL },
  ],
  [
    { report: 'cohort_analysis', name: 'periods', access: COHORTS },
    {
      report: 'cohort_analysis_cumulative',
      name: 'cumulative',
      access: leadersOr('cohort_analysis_cumulative_view'),
    },
    { report: 'cohort_analysis_old', name: 'flat', access: COHORTS },
  ],
]

/** Period, filters, comparison and groups stay; rows have another order and other pages. */
function keepState({ page: _page, sort: _sort, ...kept }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return kept
}

/** `report`: its path on the wire. */
export function ReportViews({ report }: { report: string }) {
  const { views: words } = useReportWords()
  const can = useCan()
  const views = REPORTS.find((of) => of.some((view) => view.report === report))?.filter(({ access }) => can(access))
  if (views === undefined || views.length < 2) return null
  return (
    <nav aria-label={words.label} className={classes.views}>
      {views.map((view) => (
        <Link
          key={view.report}
          to={REPORT_SCREENS[view.report]}
          search={keepState}
          className={classes.view ?? ''}
          {...(view.report === report && { 'aria-current': 'page' as const })}
        >
          {words[view.name]}
        </Link>
      ))}
    </nav>
  )
}
