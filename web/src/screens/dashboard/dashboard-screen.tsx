// The dashboard: how well all of it works over time, the first five partners and countries; each as a chart with its table behind.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CHART_PERIODS, TOP_METRICS } from '@tributary/contract/reports/choices'
import type { EfficiencyAnswer, TopAnswer } from '@tributary/contract/reports/kinds'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import type { Query } from '../../data/query-string.ts'
import { useReportWords } from '../../i18n/report-words.ts'
import { ChoiceMenu } from '../../reports/choice-menu.tsx'
import { storePlain, usePlainState } from '../../reports/plain-state.ts'
import classes from '../../reports/report.module.css'
import { DateRangePicker } from '../../ui/date-range-picker.tsx'
import { Page } from '../../ui/page.tsx'
import { ChartCard } from './chart-card.tsx'

const SHAPE = {
  store: storePlain('dashboard'),
  preset: 'current_year',
  choices: { period: CHART_PERIODS, metric: TOP_METRICS },
} as const

export function DashboardScreen() {
  const { t } = useTranslation()
  const words = useReportWords()
  const role = useProfile().role.kind
  const { state, change } = usePlainState(SHAPE)
  const { period } = state.choices
  const metrics = TOP_METRICS.filter((name) => isVisibleTo(metricOf(name), role))
  const metric = metrics.find((name) => name === state.choices.metric) ?? metrics[0] ?? 'nd'
  const query = { period, dateFrom: state.from, dateTo: state.to, metric }
  const efficiency = useChart<EfficiencyAnswer>('efficiency_chart', query)
  const partners = useChart<TopAnswer>('top_partners_chart', query)
  const countries = useChart<TopAnswer>('top_country_chart', query)
  const tops = [
    { title: words.kinds.topPartners, first: words.dimensions.partner, load: partners },
    { title: words.kinds.topCountries, first: words.dimensions.country, load: countries },
  ]
  const periods = { day: words.dimensions.day, week: words.dimensions.week, month: words.dimensions.month }
  return (
    <Page title={t(($) => $.screens.dashboard.title)} subtitle={t(($) => $.screens.dashboard.subtitle)}>
      <div className={classes.toolbar}>
        <div className={classes.group}>
          <DateRangePicker from={state.from} to={state.to} onChange={({ from, to }) => change({ from, to })} />
        </div>
        <div className={classes.group}>
          <ChoiceMenu
            label={words.kinds.unit}
            value={period}
            sections={[{ title: null, options: CHART_PERIODS.map((name) => ({ name, label: periods[name] })) }]}
            onChoose={(name) => change({ choices: { period: name } })}
          />
          <ChoiceMenu
            label={words.filterPanel.metric}
            value={metric}
            sections={[{ title: null, options: metrics.map((name) => ({ name, label: words.metrics[name] })) }]}
            onChoose={(name) => change({ choices: { metric: name } })}
          />
        </div>
      </div>
      <ChartCard
        title={words.kinds.efficiency}
        metric={metric}
        firstLabel={periods[period]}
        currency={efficiency.data?.currency ?? ''}
        error={efficiency.error}
        onRetry={() => void efficiency.refetch()}
        lines={efficiency.data ? [{ title: words.kinds.all, points: efficiency.data.points, m: null }] : null}
        total={efficiency.data?.total}
      />
      {tops.map(({ title, first, load }) => (
        <ChartCard
          key={title}
          title={title}
          metric={metric}
          firstLabel={first}
          currency={load.data?.currency ?? ''}
          error={load.error}
          onRetry={() => void load.refetch()}
          lines={load.data?.rows.map(({ group, points, m }) => ({ title: group.title, points, m })) ?? null}
          total={load.data?.total}
        />
      ))}
    </Page>
  )
}

function useChart<A>(name: string, query: Query) {
  return useQuery({
    queryKey: keys.report(`dashboard/${name}`, query),
    queryFn: ({ signal }) => http.get<A>(`dashboard/${name}`, { query, signal }),
    placeholderData: keepPreviousData,
  })
}
