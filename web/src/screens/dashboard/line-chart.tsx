// Lines over time. The axis of numbers begins at zero; a period without anything is a zero, not a gap that the line passes over.
import type { MetricName } from '@tributary/contract/reports/traffic'
import { Axis, buildChartTheme, Grid, LineSeries, Tooltip, XYChart } from '@visx/xychart'
import { useMemo } from 'react'
import { formatDay } from '../../lib/date-format.ts'
import { formatShort } from '../../lib/number-format.ts'
import { formatNumber } from '../../reports/report-columns.ts'
import classes from './chart-card.module.css'
import type { ChartLine } from './chart-card.tsx'

const HEIGHT = 260
const TICKS = 6
const MARGIN = { top: 10, right: 16, bottom: 28, left: 56 }
/** Told apart in both themes and by most who see few colours. */
const COLORS = ['#3f83f8', '#e07b00', '#12a36f', '#b45bd6', '#d4456a']

const THEME = buildChartTheme({
  backgroundColor: 'transparent',
  colors: COLORS,
  gridColor: 'var(--hairline)',
  gridColorDark: 'var(--hairline-strong)',
  tickLength: 4,
  svgLabelSmall: { fill: 'var(--text-quiet)', fontSize: 11 },
})

interface Dot {
  readonly date: string
  readonly value: number
}

interface LineChartProps {
  lines: readonly ChartLine[]
  metric: MetricName
  label: string
}

export function LineChart({ lines, metric, label }: LineChartProps) {
  const dates = useMemo(
    () =>
      [...new Set(lines.flatMap(({ points }) => points.map(({ date }) => date)))].toSorted((a, b) => (a < b ? -1 : 1)),
    [lines],
  )
  const every = Math.max(1, Math.ceil(dates.length / TICKS))
  const shown = dates.filter((_, place) => place % every === 0)
  return (
    <figure aria-label={label} style={{ margin: 0 }}>
      {/* The chart takes the size of its parent: without a height of its own it would be cut to nothing. */}
      <div className={classes.plot}>
        <XYChart
          height={HEIGHT}
          margin={MARGIN}
          theme={THEME}
          xScale={{ type: 'point' }}
          yScale={{ type: 'linear', zero: true, nice: true }}
          accessibilityLabel={label}
        >
          <Grid columns={false} numTicks={4} />
          <Axis orientation="left" numTicks={4} hideAxisLine tickFormat={(value: number) => formatShort(value)} />
          <Axis
            orientation="bottom"
            tickValues={shown}
            tickFormat={(date: string) => (formatDay(date) ?? '').slice(0, 5)}
          />
          {lines.map((line) => (
            <LineSeries
              key={line.title}
              dataKey={line.title}
              data={dotsOf(line, dates, metric)}
              xAccessor={({ date }) => date}
              yAccessor={({ value }) => value}
            />
          ))}
          <Tooltip<Dot>
            snapTooltipToDatumX
            showVerticalCrosshair
            showSeriesGlyphs
            style={{
              position: 'absolute',
              padding: '6px 10px',
              color: 'var(--text)',
              background: 'var(--surface)',
              border: '1px solid var(--hairline-strong)',
              borderRadius: 6,
              boxShadow: 'var(--shadow-raised)',
            }}
            renderTooltip={({ tooltipData }) => (
              <div className={classes.tip}>
                <strong>{formatDay(tooltipData?.nearestDatum?.datum.date)}</strong>
                {Object.entries(tooltipData?.datumByKey ?? {}).map(([title, { datum }]) => (
                  <div key={title}>
                    {title}: {formatNumber(metric, datum.value)}
                  </div>
                ))}
              </div>
            )}
          />
        </XYChart>
      </div>
      {lines.length > 1 ? (
        <ul className={classes.legend}>
          {lines.map(({ title }, place) => (
            <li key={title}>
              <i style={{ background: COLORS[place % COLORS.length] }} />
              {title}
            </li>
          ))}
        </ul>
      ) : null}
    </figure>
  )
}

function dotsOf({ points }: ChartLine, dates: readonly string[], metric: MetricName): Dot[] {
  const known = new Map(points.map(({ date, m }) => [date, m[metric] ?? 0]))
  return dates.map((date) => ({ date, value: known.get(date) ?? 0 }))
}
