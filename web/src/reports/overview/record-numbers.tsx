// The key numbers of a record in the last 30 days. They come from the general report, which each of them opens.

import { useQuery } from '@tanstack/react-query'
import { leadersOr } from '@tributary/contract/access'
import { addDays, daysBetween, secondPeriod } from '@tributary/contract/period'
import type { GeneralReportAnswer } from '@tributary/contract/reports/general'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import { isVisibleTo, type MetricName, metricOf } from '@tributary/contract/reports/traffic'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan, useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { shortPeriod } from '../../ui/date/date-range.ts'
import { FailedState } from '../../ui/states.tsx'
import { type Filters, writeFilters } from '../filter/filter-state.ts'
import { KpiTiles } from '../kpi/kpi-tiles.tsx'
import { lastReportedDay } from '../run/last-reported-day.ts'
import classes from './overview.module.css'

const DAYS = 30
const SECOND = 'previous'

interface RecordNumbersProps {
  filters: Filters
  metrics: readonly MetricName[]
}

/** The general report by day, from the first days of both periods on. Nothing is loaded without an end. */
function useDays(filters: object, from: string, second: string, to: string | null) {
  const days = daysBetween(from, to ?? from)
  const filter = {
    groupBy: 'day',
    secondGroupBy: 'off',
    dateFrom: from,
    dateTo: addDays(from, days),
    secondDateFrom: second,
    secondDateTo: addDays(second, days),
    ...filters,
  }
  return useQuery({
    queryKey: keys.report('general_report', filter),
    queryFn: ({ signal }) =>
      http.post<GeneralReportAnswer>('general_report', { filter, pagination: { page: 1, limit: -1 } }, { signal }),
    enabled: to !== null,
  })
}

/** Absent for users who may not open the report. */
export function RecordNumbers({ filters, metrics }: RecordNumbersProps) {
  const { t } = useTranslation()
  const can = useCan()
  const role = useProfile().role.kind
  const mayOpen = can(leadersOr('general_report'))
  const to = businessToday()
  const from = addDays(to, 1 - DAYS)
  const former = secondPeriod(SECOND, { from, to })
  const narrowed = writeFilters(filters)
  const report = useDays(narrowed, from, former.from, mayOpen ? to : null)
  const last = lastReportedDay(report.data?.rows ?? [], from)
  const reported = useDays(narrowed, from, former.from, last)
  if (!mayOpen) return null
  const points = (report.data?.rows ?? []).flatMap(({ g, m, partial }) =>
    g?.date === undefined || g.date < from ? [] : [{ date: g.date, m, ...(partial && { partial }) }],
  )
  return (
    <section aria-label={t(($) => $.overview.numbers, { count: DAYS })}>
      <h2 className={classes.title}>{t(($) => $.overview.numbers, { count: DAYS })}</h2>
      {report.isError ? (
        <FailedState error={report.error} onRetry={() => void report.refetch()} />
      ) : (
        <KpiTiles
          metrics={metrics.filter((name) => isVisibleTo(metricOf(name), role))}
          total={report.data?.total ?? null}
          points={points}
          period="day"
          currency={report.data?.currency ?? ''}
          former={shortPeriod(former)}
          reported={
            last === null || reported.data === undefined
              ? null
              : {
                  total: reported.data.total,
                  last: shortPeriod({ from: last, to: last }),
                  former: shortPeriod({ from: former.from, to: addDays(former.from, daysBetween(from, last)) }),
                }
          }
          isReportedPending={last !== null && reported.isPending}
          linkOf={(chart) => ({
            to: REPORT_SCREENS.general_report,
            search: { by: 'day', from, to, second: SECOND, chart, ...narrowed },
          })}
        />
      )}
    </section>
  )
}
