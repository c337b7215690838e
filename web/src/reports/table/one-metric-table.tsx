// The table of a report on a narrow screen: the first column and one metric, which buttons, a list, a swipe and the arrow keys change.

import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ComponentType, type TouchEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { joinTexts } from '../../lib/isolate.ts'
import classes from './one-metric.module.css'
import { metricsOf, type Point, swipeOf } from './one-metric.ts'
import type { PivotColumn } from './pivot-column.ts'
import type { PivotGridProps } from './pivot-grid.tsx'

const pointOf = ({ changedTouches }: TouchEvent): Point => {
  const { clientX: x, clientY: y } = changedTouches[0] ?? { clientX: 0, clientY: 0 }
  return { x, y }
}

export interface OneMetricProps<R> extends PivotGridProps<R> {
  /** The table; a prop, so that this file loads apart from it. */
  Grid: ComponentType<PivotGridProps<R>>
}

export function OneMetric<R>({ Grid, ...props }: OneMetricProps<R>) {
  const { columns, titleOf, sort } = props
  const metrics = useMemo(() => metricsOf(columns), [columns])
  const texts = useMemo(() => columns.filter(({ isText }) => isText === true), [columns])
  const [chosen, choose] = useState<string | null>(null)
  const placeOf = (key: string | undefined) => metrics.findIndex(([metric]) => metric?.key === key)
  const at = Math.max(0, placeOf(chosen ?? sort?.by))
  const shown = metrics[at]
  const show = (place: number): boolean => {
    const key = metrics[place]?.[0]?.key
    if (key !== undefined) choose(key)
    return key !== undefined
  }
  const touched = useRef<Point | null>(null)
  const titleWithTexts = useCallback(
    (row: R, depth: number) =>
      texts.length === 0 ? (
        titleOf(row, depth)
      ) : (
        <span className={classes.title}>
          {titleOf(row, depth)}
          <span className={classes.texts}>{joinTexts(texts.flatMap(({ text }) => text(row) ?? []))}</span>
        </span>
      ),
    [titleOf, texts],
  )
  return (
    <div
      className={classes.box}
      onTouchStart={(event) => {
        touched.current = event.touches.length === 1 ? pointOf(event) : null
      }}
      onTouchEnd={(event) => {
        const step = touched.current && swipeOf(touched.current, pointOf(event))
        if (step !== null) show(at + step)
      }}
    >
      {metrics.length > 1 ? <MetricSteps metrics={metrics} at={at} onShow={show} /> : null}
      <Grid {...props} columns={shown ?? NO_COLUMNS} titleOf={titleWithTexts} onBeyond={(step) => show(at + step)} />
    </div>
  )
}

const NO_COLUMNS: never[] = []

interface MetricStepsProps<R> {
  metrics: readonly (readonly PivotColumn<R>[])[]
  at: number
  onShow: (place: number) => void
}

function MetricSteps<R>({ metrics, at, onShow }: MetricStepsProps<R>) {
  const { t } = useTranslation('reports')
  const labelAt = (place: number) => metrics[place]?.[0]?.label
  const [before, after] = [labelAt(at - 1), labelAt(at + 1)]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen
    <div className={classes.steps} role="group" aria-label={t(($) => $.table.metric)}>
      <ActionIcon
        variant="default"
        disabled={before === undefined}
        aria-label={t(($) => $.table.previousMetric, { metric: before ?? '–' })}
        onClick={() => onShow(at - 1)}
      >
        <IconChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <NativeSelect
        className={classes.metric ?? ''}
        aria-label={t(($) => $.table.metric)}
        value={String(at)}
        data={metrics.map((_metric, place) => ({ value: String(place), label: labelAt(place) ?? '' }))}
        onChange={({ currentTarget }) => onShow(Number(currentTarget.value))}
      />
      <span className={classes.count} aria-live="polite">
        {t(($) => $.table.metricOf, { place: at + 1, count: metrics.length })}
      </span>
      <ActionIcon
        variant="default"
        disabled={after === undefined}
        aria-label={t(($) => $.table.nextMetric, { metric: after ?? '–' })}
        onClick={() => onShow(at + 1)}
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
    </div>
  )
}
