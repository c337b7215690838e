// The dashboard: how the network does (key numbers, totals over time, the top five partners and countries), and what needs the user.
import { leadersOr } from '@tributary/contract/access'
import { alertList } from '@tributary/contract/calls/alert'
import { SECOND_PERIODS, secondPeriod } from '@tributary/contract/period'
import { TOP_METRICS } from '@tributary/contract/reports/choices'
import type { DashboardAnswer, ReportedComparison } from '@tributary/contract/reports/kinds'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan, useProfile } from '../../data/profile.ts'
import { usePreferences } from '../../data/user-preferences.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import { visibleColumns } from '../../reports/columns/column-choice.ts'
import { writeFilters } from '../../reports/filter/filter-state.ts'
import { FlatFrame, useFlatReport } from '../../reports/flat/flat-report.tsx'
import { filterRequest, storeFlat, useFlatState } from '../../reports/flat/flat-state.ts'
import type { FlatNumbers, OpenedNumber } from '../../reports/flat/flat-table.tsx'
import { KPI_METRICS, KpiTiles } from '../../reports/kpi/kpi-tiles.tsx'
import { shortPeriod } from '../../ui/date/date-range.ts'
import { AlertQueue } from './alert-queue.tsx'
import { ArrangeButton } from './arrange-button.tsx'
import { ChartCard, type ChartLine, type ChartPlace } from './chart-card.tsx'
import classes from './dashboard.module.css'
import { StartSteps, useStartSteps } from './start-steps.tsx'

/** The first option of a choice is its default. */
const SHAPE = {
  store: storeFlat('dashboard'),
  preset: 'current_year',
  choices: { second: [...SECOND_PERIODS, 'off'], period: ['week', 'day', 'month'], metric: TOP_METRICS },
} as const

/** In the order in which they show at first. */
const SECTIONS = ['tiles', 'alerts', 'efficiency', 'partners', 'countries'] as const
export type DashboardSection = (typeof SECTIONS)[number]

const isAnswer = (value: unknown): value is DashboardAnswer =>
  typeof value === 'object' && value !== null && 'points' in value && 'partners_total' in value && 'sources' in value

/** The first steps stand above the rest, which must not move when they arrive. */
export function DashboardScreen() {
  const { isPending, steps } = useStartSteps()
  return isPending ? null : <Dashboard lead={<StartSteps steps={steps} />} />
}

function Dashboard({ lead }: { lead: ReactNode }) {
  const words = useReportWords()
  const { t } = useTranslation()
  const can = useCan()
  const role = useProfile().role.kind
  const { dashboard: arranged } = usePreferences()
  const metrics = useMemo(() => TOP_METRICS.filter((name) => isVisibleTo(metricOf(name), role)), [role])
  const shape = useMemo(() => ({ ...SHAPE, choices: { ...SHAPE.choices, metric: metrics } }), [metrics])
  const control = useFlatState(shape)
  const { state } = control
  const { period, metric, second } = state.choices
  const compared = second === 'off' ? null : secondPeriod(second, state)
  const load = useFlatReport({
    report: 'dashboardReport',
    path: 'dashboard',
    request: {
      filter: {
        period,
        metric,
        ...filterRequest(state),
        ...(compared && { secondDateFrom: compared.from, secondDateTo: compared.to }),
      },
    },
    isAnswer,
    countEntries: ({ points, partners, countries }) => points.length * (1 + partners.length + countries.length),
  })
  const { answer } = load
  const former = answer ? periodOf(answer.second) : compared
  const known = SECTIONS.filter((name) =>
    name === 'alerts' ? can(alertList.access) : name !== 'partners' || role !== 'PARTNER',
  )
  const tiles = KPI_METRICS.filter((name) => isVisibleTo(metricOf(name), role))
  const periods = { day: words.dimensions.day, week: words.dimensions.week, month: words.dimensions.month }
  const { was: _was, versus: _versus, ...secondWords } = words.second
  const shared = { metric, period, currency: answer?.currency ?? '' }
  const charts = (numbers: FlatNumbers): Readonly<Record<DashboardSection, ReactNode>> => ({
    tiles: (
      <KpiTiles
        metrics={visibleColumns(tiles, arranged.tiles)}
        total={answer?.total ?? null}
        points={answer?.points ?? []}
        period={period}
        currency={shared.currency}
        former={former && shortPeriod(former)}
        reported={answer?.reported ? reportedTotal(answer.reported) : null}
        linkOf={(name) =>
          can(leadersOr('general_report'))
            ? {
                to: REPORT_SCREENS.general_report,
                search: {
                  by: period,
                  from: state.from,
                  to: state.to,
                  second,
                  chart: name,
                  ...writeFilters(state.filters),
                },
              }
            : null
        }
      />
    ),
    alerts: <AlertQueue />,
    efficiency: (
      <ChartCard
        {...shared}
        title={t(($) => $.dashboard.efficiency)}
        firstLabel={periods[period]}
        totalLabel={words.table.total}
        total={answer?.total}
        lines={answer ? [{ id: null, title: t(($) => $.dashboard.all), points: answer.points, m: null }] : null}
        {...opensAs(numbers, 'all')}
      />
    ),
    partners: (
      <ChartCard
        {...shared}
        title={t(($) => $.dashboard.topPartners)}
        firstLabel={words.dimensions.partner}
        totalLabel={t(($) => $.dashboard.topTotal)}
        total={answer?.partners_total}
        lines={linesOf(answer?.partners)}
        {...opensAs(numbers, 'partner', { partners: idsOf(answer?.partners) })}
      />
    ),
    countries: (
      <ChartCard
        {...shared}
        title={t(($) => $.dashboard.topCountries)}
        firstLabel={words.dimensions.country}
        totalLabel={t(($) => $.dashboard.topTotal)}
        total={answer?.countries_total}
        lines={linesOf(answer?.countries)}
        {...opensAs(numbers, 'country', { countries: idsOf(answer?.countries) })}
      />
    ),
  })
  return (
    <FlatFrame
      isLong
      lead={lead}
      // Alerts also show while the report fails or is empty.
      instead={known.includes('alerts') ? <AlertQueue /> : null}
      tools={<ArrangeButton sections={known} tiles={tiles} />}
      compares={second === 'off' ? null : second}
      screen="dashboard"
      control={control}
      labels={{
        second: { title: words.second.label, options: secondWords },
        period: { title: currentWords().kinds.unit, options: periods },
        metric: {
          title: words.filterPanel.metric,
          options: Object.fromEntries(metrics.map((name) => [name, words.metrics[name]])),
        },
      }}
      load={load}
      rows={answer ? answer.points.length : null}
      fileColumns={[metric]}
    >
      {(numbers) => {
        const parts = charts(numbers)
        return (
          <div className={classes.board}>
            {visibleColumns(known, arranged.sections).map((name) => (
              <div key={name} className={classes[name]}>
                {parts[name]}
              </div>
            ))}
          </div>
        )
      }}
    </FlatFrame>
  )
}

const reportedTotal = ({ total, dateTo, secondDateFrom: from, secondDateTo: to }: ReportedComparison) => ({
  total,
  last: shortPeriod({ from: dateTo, to: dateTo }),
  former: shortPeriod({ from, to }),
})

const periodOf = (second: DashboardAnswer['second']) => second && { from: second.dateFrom, to: second.dateTo }

type TopRows = DashboardAnswer['partners']

const linesOf = (rows: TopRows | undefined): ChartLine[] | null =>
  rows?.map(({ group, ...line }) => ({ ...line, id: group.id, title: group.title })) ?? null

const idsOf = (rows: TopRows | undefined) => rows?.map(({ group }) => group.id) ?? []

/** What the numbers of a chart do. Its total covers the groups of the chart, which `groups` selects. */
function opensAs(
  numbers: FlatNumbers,
  of: 'all' | 'partner' | 'country',
  groups: Readonly<Record<string, unknown>> = {},
) {
  const openedOf = ({ path, metric, titles, value }: ChartPlace): OpenedNumber => ({
    place: { of, path },
    metric,
    titles,
    shown: value,
    ...(path.length === 0 && { narrow: groups }),
  })
  return {
    onOpen: (place: ChartPlace) => numbers.open(openedOf(place)),
    onPoint: (place: ChartPlace | null, element?: Element) => numbers.point(place && openedOf(place), element),
  }
}
