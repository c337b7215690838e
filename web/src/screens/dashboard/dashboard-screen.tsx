// The dashboard: alerts, totals over time, the top five partners and countries, each as a chart with a table.
import { alertList } from '@tributary/contract/calls/alert'
import { CHART_PERIODS, TOP_METRICS } from '@tributary/contract/reports/choices'
import type { DashboardAnswer } from '@tributary/contract/reports/kinds'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { useMemo } from 'react'
import { useCan, useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { FlatFrame, type OpenNumber, useFlatReport } from '../../reports/flat/flat-report.tsx'
import { filterRequest, storeFlat, useFlatState } from '../../reports/flat/flat-state.ts'
import { AlertQueue } from './alert-queue.tsx'
import { ChartCard, type ChartLine, type ChartPlace } from './chart-card.tsx'

const SHAPE = {
  store: storeFlat('dashboard'),
  preset: 'current_year',
  choices: { period: CHART_PERIODS, metric: TOP_METRICS },
} as const

const isAnswer = (value: unknown): value is DashboardAnswer =>
  typeof value === 'object' && value !== null && 'points' in value && 'partners' in value && 'sources' in value

export function DashboardScreen() {
  const words = useReportWords()
  const can = useCan()
  const role = useProfile().role.kind
  const metrics = useMemo(() => TOP_METRICS.filter((name) => isVisibleTo(metricOf(name), role)), [role])
  const shape = useMemo(() => ({ ...SHAPE, choices: { ...SHAPE.choices, metric: metrics } }), [metrics])
  const control = useFlatState(shape)
  const { state } = control
  const { period, metric } = state.choices
  const load = useFlatReport({
    report: 'dashboardReport',
    path: 'dashboard',
    request: { filter: { period, metric, ...filterRequest(state) } },
    isAnswer,
    countEntries: ({ points, partners, countries }) => points.length * (1 + partners.length + countries.length),
  })
  const { answer } = load
  const openOf =
    (open: OpenNumber, of: 'all' | 'partner' | 'country') =>
    ({ path, metric: opened, titles, value }: ChartPlace) =>
      open({ place: { of, path }, metric: opened, titles, shown: value })
  const periods = { day: words.dimensions.day, week: words.dimensions.week, month: words.dimensions.month }
  const shared = { metric, period, currency: answer?.currency ?? '', total: answer?.total }
  const lines = (rows: DashboardAnswer['partners'] | undefined): ChartLine[] | null =>
    rows?.map(({ group, ...line }) => ({ ...line, id: group.id, title: group.title })) ?? null
  return (
    <FlatFrame
      isLong
      lead={can(alertList.access) ? <AlertQueue /> : null}
      screen="dashboard"
      control={control}
      labels={{
        period: { title: words.kinds.unit, options: periods },
        metric: {
          title: words.filterPanel.metric,
          options: Object.fromEntries(metrics.map((name) => [name, words.metrics[name]])),
        },
      }}
      load={load}
      rows={answer ? answer.points.length : null}
      fileColumns={[metric]}
    >
      {(open) => (
        <>
          <ChartCard
            {...shared}
            title={words.kinds.efficiency}
            firstLabel={periods[period]}
            lines={answer ? [{ id: null, title: words.kinds.all, points: answer.points, m: null }] : null}
            onOpen={openOf(open, 'all')}
          />
          {/* A partner sees no other partners. */}
          {role === 'PARTNER' ? null : (
            <ChartCard
              {...shared}
              title={words.kinds.topPartners}
              firstLabel={words.dimensions.partner}
              lines={lines(answer?.partners)}
              onOpen={openOf(open, 'partner')}
            />
          )}
          <ChartCard
            {...shared}
            title={words.kinds.topCountries}
            firstLabel={words.dimensions.country}
            lines={lines(answer?.countries)}
            onOpen={openOf(open, 'country')}
          />
        </>
      )}
    </FlatFrame>
  )
}
