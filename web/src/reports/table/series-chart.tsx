// Numbers as lines over time or as bars. The drawing waits until it comes into sight; a table with the same numbers serves screen readers.
import { Skeleton } from '@mantine/core'
import { startTransition, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import classes from './chart.module.css'
import { colorAt } from './series.ts'
import type { SeriesPlotProps } from './series-plot.tsx'

const SeriesPlot = lazyComponent('series-plot', async () => (await import('./series-plot.tsx')).SeriesPlot)

/** So near to what is in sight, a chart is drawn. */
const NEAR = '200px'

/** True since the element came near to what is in sight. */
function useNear() {
  const ref = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  // Observes the element, which only the browser places.
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        // Drawing must not delay what the user does meanwhile.
        startTransition(() => setNear(true))
      },
      { rootMargin: NEAR, scrollMargin: NEAR },
    )
    if (ref.current) observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return [ref, isNear] as const
}

interface SeriesChartProps extends SeriesPlotProps {
  label: string
}

export function SeriesChart({ label, ...plot }: SeriesChartProps) {
  const { t } = useTranslation('reports')
  const { kind, series, format } = plot
  const dots = series[0]?.dots ?? []
  const running = kind === 'bars' ? -1 : dots.findIndex(({ isRunning }) => isRunning)
  const [ref, isNear] = useNear()
  return (
    <figure aria-label={label} className={classes.figure}>
      {/* The chart fills its parent: without a height of its own it would collapse. */}
      <div ref={ref} className={classes.plot} aria-hidden>
        {isNear ? <SeriesPlot {...plot} /> : null}
      </div>
      {series.length > 1 || running >= 0 ? (
        <ul className={classes.legend}>
          {(series.length > 1 ? series : []).map(({ title }, place) => (
            <li key={title}>
              <i style={{ background: colorAt(place) }} />
              {title}
            </li>
          ))}
          {running < 0 ? null : (
            <li>
              <i className={classes.running} />
              {t(($) => $.chart.running, { period: dots[running]?.title ?? '' })}
            </li>
          )}
        </ul>
      ) : null}
      <Read series={series} format={format} label={label} />
    </figure>
  )
}

/** Of the height of a chart with one line of legend. */
export function ChartSkeleton() {
  return (
    <div className={classes.waiting}>
      <Skeleton className={classes.plot ?? ''} />
    </div>
  )
}

function Read({ series, format, label }: Pick<SeriesChartProps, 'series' | 'format' | 'label'>) {
  return (
    <div className={classes.read}>
      <table>
        <caption>{label}</caption>
        <tbody>
          {(series[0]?.dots ?? []).map(({ at, title }, place) => (
            <tr key={at}>
              <th scope="row">{title}</th>
              {series.map((one) => (
                <td key={one.title}>{format(one.dots[place]?.value ?? null)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
