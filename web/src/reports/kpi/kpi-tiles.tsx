// Tiles of key numbers: each the total of a metric, its change since the comparison period, and its course over the period.
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Metrics, PartlyReported, ReportTotal } from '@tributary/contract/reports/general'
import { type DimensionName, type MetricName, metricOf, restsOnIncome } from '@tributary/contract/reports/traffic'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { ChangeMark } from '../table/change-mark.tsx'
import { NotReported, PartialMark } from '../table/income-mark.tsx'
import type { Change } from '../table/pivot-column.ts'
import { changeBetween, formatNumber, incomeState, isUpGood } from '../table/report-columns.ts'
import { isRunning } from '../table/time-level.ts'
import classes from './kpi-tiles.module.css'
import { Sparkline } from './sparkline.tsx'

/** The metrics of tiles, in the order in which they show at first. */
export const KPI_METRICS = ['cc', 'cr', 'nd', 'income', 's', 'profit', 'roi'] as const satisfies readonly MetricName[]

interface KpiPoint extends PartlyReported {
  /** The first day of its period. */
  readonly date: string
  readonly m: Metrics
}

/** The total of both periods up to a day, in words. */
export interface ReportedTotal {
  readonly total: ReportTotal
  readonly last: string
  /** The days of the comparison period in words. */
  readonly former: string
}

interface KpiTilesProps {
  metrics: readonly MetricName[]
  /** Null until loaded. */
  total: ReportTotal | null
  points: readonly KpiPoint[]
  /** The time span of a point. */
  period: DimensionName
  currency: string
  /** The comparison period in words; null if there is none. */
  former: string | null
  /** What numbers that rest on income compare, if the last days have no income yet. */
  reported?: ReportedTotal | null
  /** True while `reported` loads. Tiles say nothing of reported days then, because words that change move what is below. */
  isReportedPending?: boolean
  /** The address of the report that shows a metric; null if the user may not open it. */
  linkOf: (metric: MetricName) => { readonly to: string; readonly search: Readonly<Record<string, unknown>> } | null
}

export function KpiTiles({ metrics, ...tiles }: KpiTilesProps) {
  const { t } = useTranslation()
  const length = Math.max(0, ...metrics.map((metric) => (tiles.total === null ? 0 : shownLength(metric, tiles.total))))
  return (
    <ul
      className={classes.tiles}
      // React's types do not allow custom properties.
      style={{ '--length': length } as CSSProperties}
      aria-label={t(($) => $.dashboard.keyNumbers)}
      aria-busy={tiles.total === null}
    >
      {metrics.map((metric) => (
        <li key={metric} className={classes.place}>
          <Tile metric={metric} {...tiles} />
        </li>
      ))}
    </ul>
  )
}

type TileProps = Omit<KpiTilesProps, 'metrics'> & { metric: MetricName }

function Tile({
  metric,
  total,
  points,
  period,
  currency,
  former,
  reported = null,
  isReportedPending = false,
  linkOf,
}: TileProps) {
  const words = useReportWords()
  const unit = metricOf(metric).unit
  const link = linkOf(metric)
  const today = businessToday()
  return (
    <TileFrame link={link}>
      <span className={classes.label}>
        {words.metrics[metric]}
        {unit === 'money' && currency !== '' ? <span className={classes.unit}>, {currency}</span> : null}
      </span>
      <span className={classes.numbers}>
        {total === null ? <Skeleton height={20} width="60%" my={4} /> : <Value metric={metric} total={total} />}
        {former === null ? null : <Delta {...{ metric, total, former, reported, isReportedPending }} />}
      </span>
      <Sparkline
        points={points.map(({ date, m }) => ({ value: m[metric] ?? null, isRunning: isRunning(period, date, today) }))}
      />
    </TileFrame>
  )
}

function TileFrame({ link, children }: { link: ReturnType<KpiTilesProps['linkOf']>; children: ReactNode }) {
  if (link === null) return <div className={classes.tile}>{children}</div>
  return (
    <Link to={link.to} search={link.search} className={`${classes.tile} ${classes.link}`}>
      {children}
    </Link>
  )
}

/** The mark of a partial number is as wide as so many digits. */
const MARK_LENGTH = 2

function incomeOf(metric: MetricName, { partial, ...m }: ReportTotal) {
  return restsOnIncome(metric) ? incomeState({ m, ...(partial && { partial }) }) : null
}

const textOf = (metric: MetricName, total: ReportTotal): string => valueText(metric, total[metric])

function valueText(metric: MetricName, value: number | null | undefined): string {
  const text = formatNumber(metric, value)
  if (text === null) return '–'
  return metricOf(metric).unit === 'percent' ? `${text}\u00a0%` : text
}

/** The letters of a tile's number: all tiles are as large as the longest of them allows. */
function shownLength(metric: MetricName, total: ReportTotal): number {
  const income = incomeOf(metric, total)
  return income === 'unknown' ? 0 : textOf(metric, total).length + (income === 'partial' ? MARK_LENGTH : 0)
}

function Value({ metric, total }: { metric: MetricName; total: ReportTotal }) {
  const income = incomeOf(metric, total)
  if (income === 'unknown') return <NotReported />
  const text = textOf(metric, total)
  return (
    <span className={text.startsWith('\u2212') ? `${classes.value} ${classes.negative}` : classes.value}>
      {income === 'partial' ? <PartialMark /> : null}
      {text}
    </span>
  )
}

const isPartly = (metric: MetricName, { partial }: ReportTotal): boolean =>
  restsOnIncome(metric) && partial !== undefined

/** Numbers that lack income of some days have no change. */
function changeOf(metric: MetricName, total: ReportTotal): Omit<Change, 'was'> | null {
  if (isPartly(metric, total)) return null
  const { partial: _, ...m } = total
  return changeBetween(m[metric], m[`${metric}_2`])
}

function Delta({
  metric,
  total,
  former,
  reported,
  isReportedPending,
}: Pick<TileProps, 'metric' | 'total'> & {
  former: string
  reported: ReportedTotal | null
  isReportedPending: boolean
}) {
  const { t } = useTranslation('reports')
  const isOpen = total !== null && isPartly(metric, total)
  const compared = isOpen ? (reported?.total ?? null) : total
  const change = compared && changeOf(metric, compared)
  const value = valueText(metric, compared?.[`${metric}_2`])
  const now = compared === null ? '–' : textOf(metric, compared)
  const last = reported?.last ?? ''
  const why =
    change === null
      ? isOpen
        ? t(($) => $.second.openHint)
        : null
      : isOpen && reported !== null
        ? `${t(($) => $.income.partial)} ${t(($) => $.second.wasReported, { now, value, period: reported.former, last })}`
        : t(($) => $.second.was, { value, period: former })
  return (
    <>
      <span className={classes.delta}>
        {change === null ? null : <ChangeMark change={change} isUpGood={isUpGood(metric)} />}
        {isOpen && !isReportedPending ? (
          <span className={classes.open}>
            {change === null ? t(($) => $.second.open) : t(($) => $.second.reported, { last })}
          </span>
        ) : null}
      </span>
      {why === null ? null : <span className={classes.was}>{why}</span>}
    </>
  )
}
