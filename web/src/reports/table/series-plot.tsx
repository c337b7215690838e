// The drawing of a chart: lines over time or bars, with the axis from zero. Its library is large, so that it is a chunk of its own.
import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { TRUNCATE_AT } from '@tributary/contract/limits'
import { Axis, BarGroup, BarSeries, buildChartTheme, Grid, LineSeries, Tooltip, XYChart } from '@visx/xychart'
import { useTranslation } from 'react-i18next'
import { isolate } from '../../lib/isolate.ts'
import { formatShort } from '../../lib/short-number.ts'
import { breakName } from './break-name.ts'
import classes from './chart.module.css'
import { COLORS, colorAt, type Dot, doneDots, runningDots, type Series } from './series.ts'

const HEIGHT = 260
const NARROW_HEIGHT = 180
const NARROW = '(width <= 640px)'
const TICKS = 6
/** The width of a letter on the axis. */
const LETTER_PX = 6.4
/** Fits most words, at which a name breaks. */
const NAME_WIDTH = 11 * LETTER_PX
const MARGIN = { top: 10, right: 16, bottom: 28, left: 66 }
/** Names of bars take up to this many lines. */
const NAME_LINES = 3
const LINE_PX = 13
const FONT_PX = 11
const SMALL_FONT_PX = 10

const THEME = buildChartTheme({
  backgroundColor: 'transparent',
  colors: COLORS,
  gridColor: 'var(--hairline)',
  gridColorDark: 'var(--hairline-strong)',
  tickLength: 4,
  svgLabelSmall: { fill: 'var(--text-quiet)', fontSize: FONT_PX },
})

/** Between the names of two bars. */
const BAND_GAP_PX = 8

export interface SeriesPlotProps {
  kind: 'lines' | 'bars'
  /** All series have the same dots along the axis, in order. */
  series: readonly Series[]
  /** The label on the axis, where space is short. */
  shortTitle: (dot: Dot) => string
  format: (value: number | null) => string
}

// Axis text is SVG, which CSS cannot truncate.
const shorten = (text: string, letters: number) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text)

const atOf = ({ at }: Dot): string => at
const numberOf = ({ value }: Dot): number => value ?? Number.NaN

export function SeriesPlot({ kind, series, shortTitle, format }: SeriesPlotProps) {
  const { t } = useTranslation('reports')
  const dots = series[0]?.dots ?? []
  const byPlace = new Map(dots.map((dot) => [dot.at, dot]))
  const isBars = kind === 'bars'
  const isNarrow = useMediaQuery(NARROW, globalThis.matchMedia(NARROW).matches)
  const { ref, width } = useElementSize()
  const names = Math.max(1, Math.floor((width - MARGIN.left - MARGIN.right) / NAME_WIDTH))
  const room = isBars ? names : TICKS
  const every = Math.max(1, Math.ceil(dots.length / room))
  const ticks = dots.filter((_, place) => place % every === 0).map(atOf)
  const tickWidth = (width - MARGIN.left - MARGIN.right) / Math.max(1, ticks.length)
  const letters = Math.max(TRUNCATE_AT, Math.floor(tickWidth / LETTER_PX) - 1)
  const margin = isBars ? { ...MARGIN, bottom: MARGIN.bottom + (NAME_LINES - 1) * LINE_PX } : MARGIN
  const tick = (at: string): string => {
    const dot = byPlace.get(at)
    return dot === undefined ? '' : isBars ? shortTitle(dot) : shorten(shortTitle(dot), letters)
  }
  return (
    <div ref={ref} className={classes.plot}>
      <XYChart
        height={isNarrow ? NARROW_HEIGHT : HEIGHT}
        margin={margin}
        theme={THEME}
        xScale={isBars ? { type: 'band', paddingInner: 0.3, paddingOuter: 0.15 } : { type: 'point' }}
        yScale={{ type: 'linear', zero: true, nice: true }}
      >
        <Grid columns={false} numTicks={4} />
        <Axis
          orientation="left"
          numTicks={4}
          hideAxisLine
          tickFormat={(value: number, _place: number, ticks: readonly { readonly value: number }[]) =>
            formatShort(
              value,
              (unit, text) => t(($) => $.shortNumbers[unit], { value: text }),
              Math.max(...ticks.map((tick) => Math.abs(tick.value))),
            )
          }
        />
        <Axis
          orientation="bottom"
          tickValues={ticks}
          tickFormat={tick}
          {...(isBars && {
            tickComponent: ({
              x,
              y,
              formattedValue = '',
            }: {
              x: number
              y: number
              formattedValue?: string | undefined
            }) => <BarName name={formattedValue} x={x} y={y} width={tickWidth - BAND_GAP_PX} />,
          })}
        />
        {isBars ? (
          <BarGroup>
            {series.map(({ title, dots: own }) => (
              <BarSeries key={title} dataKey={title} data={[...own]} xAccessor={atOf} yAccessor={numberOf} />
            ))}
          </BarGroup>
        ) : (
          <Lines series={series} />
        )}
        <Tooltip<Dot>
          snapTooltipToDatumX
          showVerticalCrosshair={!isBars}
          showSeriesGlyphs={!isBars}
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
              <strong>{tooltipData?.nearestDatum?.datum.title}</strong>
              {Object.entries(tooltipData?.datumByKey ?? {}).map(([title, { datum }]) => (
                <div key={title}>
                  {title}: {format(datum.value)}
                </div>
              ))}
            </div>
          )}
        />
      </XYChart>
    </div>
  )
}

let canvas: CanvasRenderingContext2D | null = null

/** In letters of FONT_PX. */
function widthOf(text: string): number {
  canvas ??= document.createElement('canvas').getContext('2d')
  if (canvas === null) return text.length * LETTER_PX
  canvas.font = `${FONT_PX}px ${getComputedStyle(document.body).fontFamily}`
  return canvas.measureText(text).width
}

interface BarNameProps {
  name: string
  x: number
  y: number
  width: number
}

/** The name below a bar, in lines that stay in its band; the whole name shows on hover. */
function BarName({ name, x, y, width }: BarNameProps) {
  // Smaller letters before a word is broken.
  const size = name.split(' ').every((word) => widthOf(word) <= width) ? FONT_PX : SMALL_FONT_PX
  const lines = breakName(name, NAME_LINES, (text) => (widthOf(text) * size) / FONT_PX <= width)
  return (
    <text x={x} y={y} textAnchor="middle" fontSize={size} fill="var(--text-quiet)">
      <title>{name}</title>
      {lines.map((line, place) => (
        <tspan key={lines.slice(0, place + 1).join('\n')} x={x} dy={place === 0 ? 0 : LINE_PX}>
          {isolate(line)}
        </tspan>
      ))}
    </text>
  )
}

/**
 * Draws each line in two strokes, because the end that still grows is dashed. The whole line, which takes part in the tooltip, is transparent
 * and comes first: the order of lines decides the colours of their marks.
 */
function Lines({ series }: Pick<SeriesPlotProps, 'series'>) {
  const shared = { xAccessor: atOf, yAccessor: numberOf }
  const strokes = [
    { name: 'done', dash: undefined, partOf: doneDots },
    { name: 'running', dash: '4 5', partOf: runningDots },
  ]
  return (
    <>
      {series.map(({ title, dots }) => (
        <LineSeries key={title} dataKey={title} data={[...dots]} stroke="transparent" {...shared} />
      ))}
      {series.flatMap(({ title, dots }, place) =>
        strokes.map(({ name, dash, partOf }) => (
          <LineSeries
            key={`${name} ${title}`}
            dataKey={`${name} ${title}`}
            data={partOf(dots)}
            stroke={colorAt(place)}
            {...(dash !== undefined && { strokeDasharray: dash })}
            enableEvents={false}
            {...shared}
          />
        )),
      )}
    </>
  )
}
