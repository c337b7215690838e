// The dashboard: how well all of it works over time, the first five partners and countries; each as a chart with its table behind.
import { CHART_PERIODS, TOP_METRICS } from '@tributary/contract/reports/choices'
import type { DashboardAnswer } from '@tributary/contract/reports/kinds'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/labels.ts'
import type { DrillTarget } from '../../reports/drill/drill-target.ts'
import { PlainFrame } from '../../reports/flat/plain-frame.tsx'
import { narrowingOf, storePlain, usePlainState } from '../../reports/flat/plain-state.ts'
import { usePlainReport } from '../../reports/flat/use-plain-report.ts'
import { ChartCard, type ChartLine, type ChartPlace } from './chart-card.tsx'

const SHAPE = {
  store: storePlain('dashboard'),
  preset: 'current_year',
  choices: { period: CHART_PERIODS, metric: TOP_METRICS },
} as const

const isAnswer = (value: unknown): value is DashboardAnswer =>
  typeof value === 'object' && value !== null && 'points' in value && 'partners' in value && 'sources' in value

export function DashboardScreen() {
  const { t } = useTranslation()
  const words = useReportWords()
  const role = useProfile().role.kind
  const metrics = useMemo(() => TOP_METRICS.filter((name) => isVisibleTo(metricOf(name), role)), [role])
  const shape = useMemo(() => ({ ...SHAPE, choices: { ...SHAPE.choices, metric: metrics } }), [metrics])
  const control = usePlainState(shape)
  const { state } = control
  const { period, metric } = state.choices
  const days = { dateFrom: state.from, dateTo: state.to }
  const load = usePlainReport({
    report: 'dashboardReport',
    path: 'dashboard',
    request: { filter: { period, metric, ...days, ...narrowingOf(state.filters) } },
    isAnswer,
    countEntries: ({ points, partners, countries }) => points.length * (1 + partners.length + countries.length),
  })
  const [drill, setDrill] = useState<DrillTarget | null>(null)
  const { answer } = load
  const open = (of: 'all' | 'partner' | 'country') => (place: ChartPlace) => {
    const { metric: shown } = place
    setDrill({
      report: 'dashboard',
      request: { filter: load.asked.filter },
      place: { of, path: place.path },
      metric: shown,
      titles: place.titles,
      shown: place.value,
    })
  }
  const periods = { day: words.dimensions.day, week: words.dimensions.week, month: words.dimensions.month }
  const shared = { metric, period, currency: answer?.currency ?? '', total: answer?.total }
  const lines = (rows: DashboardAnswer['partners'] | undefined): ChartLine[] | null =>
    rows?.map(({ group, points, m }) => ({ id: group.id, title: group.title, points, m })) ?? null
  return (
    <PlainFrame
      isLong
      title={t(($) => $.screens.dashboard.title)}
      subtitle={t(($) => $.screens.dashboard.subtitle)}
      role={role}
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
      drill={drill}
      onDrill={setDrill}
    >
      <ChartCard
        {...shared}
        title={words.kinds.efficiency}
        firstLabel={periods[period]}
        lines={answer ? [{ id: null, title: words.kinds.all, points: answer.points, m: null }] : null}
        onOpen={open('all')}
      />
      {/* A partner is the only one that a partner sees. */}
      {role === 'PARTNER' ? null : (
        <ChartCard
          {...shared}
          title={words.kinds.topPartners}
          firstLabel={words.dimensions.partner}
          lines={lines(answer?.partners)}
          onOpen={open('partner')}
        />
      )}
      <ChartCard
        {...shared}
        title={words.kinds.topCountries}
        firstLabel={words.dimensions.country}
        lines={lines(answer?.countries)}
        onOpen={open('country')}
      />
    </PlainFrame>
  )
}
