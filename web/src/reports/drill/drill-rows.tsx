// The records behind a number in pages, with the terms of a spend.
import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Pagination } from '@tributary/contract/list-query'
import type { GeneralReportRowsAnswer, MetricKey } from '@tributary/contract/reports/general'
import { type MetricName, metricOf, splitKey } from '@tributary/contract/reports/traffic'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import { formatCount } from '../../lib/number-format.ts'
import { PageSteps } from '../../ui/pager.tsx'
import { FailedState } from '../../ui/states.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { formatNumber } from '../table/report-columns.ts'
import classes from './drill.module.css'
import { DrillTable } from './drill-table.tsx'
import { type DrillTarget, drillBody, drillMetrics } from './drill-target.ts'
import { SpendTerms } from './spend-terms.tsx'

const PAGE = 50

function DrillPager({ pagination, onPage }: { pagination: Pagination; onPage: (page: number) => void }) {
  const { t } = useTranslation()
  const words = useReportWords()
  const { page, limit, total, maxPageNumber } = pagination
  const from = formatCount((page - 1) * limit + 1) ?? ''
  const to = formatCount(Math.min(page * limit, total)) ?? ''
  return (
    <footer className={classes.pager}>
      <span>{t(($) => $.drill.of, { from, to, total: formatCount(total) ?? '' })}</span>
      <PageSteps page={page} last={maxPageNumber} labels={words.table} onPage={onPage} />
    </footer>
  )
}

/** '03.2026–06.2026': deleted months follow each other. */
function nameMonths(months: readonly string[]): string {
  const names = [months[0], months.at(-1)].map((month = '') => `${month.slice(5)}.${month.slice(0, 4)}`)
  return [...new Set(names)].join('–')
}

interface DrillRowsProps {
  target: DrillTarget
  currency: string
  onMoved: () => void
}

export function DrillRows({ target, currency, onMoved }: DrillRowsProps) {
  const { t } = useTranslation()
  const words = useReportWords()
  const { metric, isSecond } = splitKey(target.metric)
  const parts = target.formula?.metrics ?? drillMetrics(metric)
  const [part, setPart] = useState<MetricName>(parts[0] ?? metric)
  const [page, setPage] = useState(1)
  const key: MetricKey = isSecond ? `${part}_2` : part
  const body = drillBody(target, key, { page, limit: PAGE })
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: keys.report(`${target.report}/rows`, body),
    queryFn: ({ signal }) => http.post<GeneralReportRowsAnswer>(`${target.report}/rows`, body, { signal }),
    placeholderData: keepPreviousData,
  })
  const hasMoved =
    data !== undefined &&
    !isPlaceholderData &&
    data.deleted_months.length === 0 &&
    target.formula === undefined &&
    part === metric &&
    formatNumber(part, data.total) !== formatNumber(metric, target.shown)
  const notifyMoved = useEffectEvent(onMoved)
  // New data may arrive while the drawer is open.
  useEffect(() => {
    if (hasMoved) notifyMoved()
  }, [hasMoved])
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  const unit = metricOf(part).unit === 'money' ? ` ${currency}` : ''
  return (
    <div className={classes.rows}>
      <div className={classes.head}>
        {parts.length > 1 ? (
          <SegmentedControl
            size="xs"
            className={classes.parts}
            aria-label={t(($) => $.drill.numerator)}
            data={parts.map((name) => ({ value: name, label: words.metrics[name] }))}
            value={part}
            onChange={(name) => {
              setPart(parts.find((known) => known === name) ?? part)
              setPage(1)
            }}
          />
        ) : null}
        {data ? (
          <p className={classes.equals} aria-live="polite">
            {words.rows[data.kind]}
            <b data-testid="drill-total">
              {t(($) => $.drill.equals, { number: formatNumber(part, data.total) ?? '–' })}
              {unit}
            </b>
            {hasMoved ? t(($) => $.drill.moved, { shown: formatNumber(metric, target.shown) ?? '–' }) : null}
          </p>
        ) : null}
      </div>
      {data === undefined || data.deleted_months.length === 0 ? null : (
        <p className={classes.none}>{t(($) => $.drill.deleted, { months: nameMonths(data.deleted_months) })}</p>
      )}
      {data === undefined || data.terms.length === 0 ? null : <SpendTerms answer={data} />}
      {data === undefined ? (
        <TableSkeleton columns={Object.values(currentWords().drill.columns).slice(0, 6)} />
      ) : data.items.length === 0 ? (
        <p className={classes.none}>{t(($) => $.drill.none)}</p>
      ) : (
        <>
          <DrillTable answer={data} part={part} isStale={isPlaceholderData} />
          <DrillPager pagination={data.pagination} onPage={setPage} />
        </>
      )}
    </div>
  )
}
