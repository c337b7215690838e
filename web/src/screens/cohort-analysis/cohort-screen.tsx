// Cohorts: a row per day, week or month of players, a column per period since, tinted by a metric. Cells open their players.

import type { CohortAnswer } from '@tributary/contract/reports/cohort'
import {
  COHORT_BASES,
  COHORT_GROUPS,
  COHORT_METRICS,
  COHORT_REPORTS,
  COHORT_UNITS,
  type CohortReportName,
} from '@tributary/contract/reports/cohort-choices'
import { dimensionOf, isMetric, isVisibleTo, type MetricName, metricOf } from '@tributary/contract/reports/traffic'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import { FlatFrame, hasRows, useFlatReport } from '../../reports/flat/flat-report.tsx'
import { filterRequest, storeFlat, useFlatState } from '../../reports/flat/flat-state.ts'
import { FlatPager, FlatTable } from '../../reports/flat/flat-table.tsx'
import { type CohortLine, cohortColumns, linesOf, totalLine } from './cohort-columns.ts'

const choices = {
  period: ['month', 'week', 'day'],
  cohortBy: COHORT_BASES,
  groupBy: COHORT_GROUPS.toReversed(),
  metric: COHORT_METRICS,
} as const
const shapeOf = (name: string) => ({ store: storeFlat(name), preset: lastYear, choices })
const SHAPES = {
  cohort_analysis: shapeOf('cohort'),
  cohort_analysis_old: shapeOf('cohort-old'),
  cohort_analysis_cumulative: shapeOf('cohort-cumulative'),
} as const satisfies Record<CohortReportName, unknown>
const SCREENS = {
  cohort_analysis: 'cohort-analysis',
  cohort_analysis_old: 'cohort-analysis-old',
  cohort_analysis_cumulative: 'cohort-analysis-cumulative',
} as const satisfies Record<CohortReportName, string>
const PAGE = 250

/** Twelve months, including the current one. */
function lastYear(today: string) {
  const months = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 12
  return { from: `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-01`, to: today }
}

const isAnswer = (value: unknown): value is CohortAnswer => hasRows(value, 'average', 'sources')
const idOf = (line: CohortLine) => line.id

export function CohortScreen({ name }: { name: CohortReportName }) {
  const { t } = useTranslation()
  const words = useReportWords()
  const role = useProfile().role.kind
  const control = useFlatState(SHAPES[name])
  const { state, change } = control
  const { metric: chosenMetric, ...shape } = state.choices
  const metrics = COHORT_METRICS.filter((one) => isVisibleTo(metricOf(one), role))
  const metric = metrics.find((one) => one === chosenMetric) ?? 'players'
  const chosen = (state.columns ?? metrics).flatMap((name) => metrics.find((one) => one === name) ?? [])
  const shown = chosen.length === 0 ? metrics : chosen
  const load = useFlatReport({
    report: name === 'cohort_analysis_cumulative' ? 'cohortAnalysisCumulative' : 'cohortAnalysis',
    path: name,
    request: {
      filter: { ...shape, ...filterRequest(state) },
      pagination: { page: state.page, limit: PAGE },
      ...(state.sort && { sort: state.sort }),
    },
    isAnswer,
    countEntries: ({ rows, periods }) => rows.length * Math.max(1, periods),
  })
  const { answer } = load
  const { isFlat } = COHORT_REPORTS[name]
  const { average } = currentWords().kinds
  const lines = useMemo(() => (answer ? linesOf(answer, average) : []), [answer, average])
  const openingOf = (line: CohortLine, key: string) => {
    const period = /^p\d+$/.test(key) ? Number(key.slice(1)) : (line.period ?? undefined)
    const opened: MetricName = key === 'size' ? 'size' : isFlat && isMetric(key) ? key : metric
    const value = key === 'size' ? line.size : (period === undefined ? line.m : line.cells.get(period)?.m)?.[opened]
    // An average counts cohorts, not players, so it has no drill-down.
    if (line.id === 'average' || typeof value !== 'number') return null
    return {
      place: {
        ...(line.cohort !== null && { cohort: line.cohort }),
        ...(line.group && { group: line.group.id }),
        ...(key !== 'size' && period !== undefined && { period }),
      },
      metric: opened,
      titles: [line.title, ...(line.group ? [line.group.title] : [])],
      shown: value,
    }
  }
  const groupOptions = COHORT_GROUPS.filter((one) => one === 'off' || isVisibleTo(dimensionOf(one), role))
  const option = <K extends string>(keys: readonly K[], labels: Readonly<Record<string, string>>) =>
    Object.fromEntries(keys.map((key) => [key, labels[key] ?? key]))
  return (
    <FlatFrame
      screen={SCREENS[name]}
      control={control}
      labels={{
        period: { title: currentWords().kinds.unit, options: option(COHORT_UNITS, words.dimensions) },
        cohortBy: { title: currentWords().kinds.cohortBy, options: currentWords().kinds.bases },
        groupBy: {
          title: words.levels.groupBy,
          options: option(groupOptions, { ...words.dimensions, off: words.levels.off }),
        },
        metric: { title: words.filterPanel.metric, options: isFlat ? {} : option(metrics, words.metrics) },
      }}
      load={load}
      rows={answer ? answer.items : null}
      fileColumns={isFlat ? shown : [metric]}
      {...(isFlat && { columns: { known: metrics, total: answer?.total.m } })}
    >
      {(numbers) =>
        answer ? (
          <>
            <FlatTable
              label={t(($) => $.screens[SCREENS[name]].title)}
              rows={lines}
              idOf={idOf}
              titleLabel={currentWords().kinds.cohort}
              titleOf={({ title }) => title}
              columns={cohortColumns(answer, lines, {
                metric,
                metrics: shown,
                words,
                currency: answer.currency,
                isFlat,
                unit: words.dimensions[shape.period],
                groupTitle: shape.groupBy === 'off' ? null : words.dimensions[shape.groupBy],
              })}
              total={totalLine(answer, words.table.total)}
              sort={state.sort}
              onSort={(by) => change({ sort: nextSort(state.sort, by, metric) })}
              openingOf={openingOf}
              numbers={numbers}
              isStale={load.isStale}
            />
            <FlatPager
              pagination={answer.pagination}
              onPage={(page) => change({ page })}
              {...(shape.groupBy === 'off' && { of: 'cohorts' as const })}
            >
              {isFlat ? null : currentWords().kinds.cohortLegend}
            </FlatPager>
          </>
        ) : null
      }
    </FlatFrame>
  )
}

/** Sorts whole rows: by cohort, group, size or the shown metric. */
function nextSort(sort: { by: string; desc: boolean } | null, key: string, metric: string) {
  const by = key === 'group' ? 'cohort' : key === 'size' ? 'size' : isMetric(key) ? key : metric
  return { by, desc: sort?.by === by ? !sort.desc : by !== 'cohort' }
}
