// New deposits by day, week or month: of each partner, or of each stream with its traffic source and country.
import { CHART_PERIODS } from '@tributary/contract/reports/choices'
import type { NewDepositAnswer, NewDepositRow } from '@tributary/contract/reports/kinds'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/labels.ts'
import type { ReportWords } from '../../i18n/shape.ts'
import { formatCount } from '../../lib/number-format.ts'
import type { DrillTarget } from '../../reports/drill/drill-target.ts'
import { FlatTable } from '../../reports/flat/flat-table.tsx'
import { PlainFrame } from '../../reports/flat/plain-frame.tsx'
import { narrowingOf, storePlain, usePlainState } from '../../reports/flat/plain-state.ts'
import { hasRows, usePlainReport } from '../../reports/flat/use-plain-report.ts'
import { type PivotColumn, textColumn } from '../../reports/table/pivot-column.ts'
import { numberColumn } from '../../reports/table/report-columns.ts'

const choices = { by: ['new_deposit', 'stream_report'], period: CHART_PERIODS } as const
const SHAPE = { store: storePlain('partners'), preset: 'current_month', choices } as const
const isAnswer = (value: unknown): value is NewDepositAnswer =>
  hasRows(value) && 'periods' in value && 'sources' in value
const idOf = ({ partner, stream, traffic_source, country }: NewDepositRow) =>
  [partner.id, stream?.id, traffic_source?.id, country?.id].join(' ')

export function PartnersScreen() {
  const { t } = useTranslation()
  const words = useReportWords()
  const role = useProfile().role.kind
  const control = usePlainState(SHAPE)
  const { by, period } = control.state.choices
  const { from, to, filters } = control.state
  const load = usePlainReport({
    report: 'generalReport',
    path: `partner_report/${by}`,
    request: { filter: { period, dateFrom: from, dateTo: to, ...narrowingOf(filters) } },
    isAnswer,
    countEntries: ({ rows }) => rows.length,
  })
  const { answer } = load
  const [drill, setDrill] = useState<DrillTarget | null>(null)
  const open = ({ partner, stream, traffic_source, country, ...row }: NewDepositRow, key: string) => {
    const period = answer?.periods.find(({ date }) => date === key)
    const shown = period === undefined ? row.total : row.cells[period.date]
    if ((period === undefined && key !== 'total') || shown === undefined) return
    const groups = partner.title === '' ? [] : stream === undefined ? [partner] : [stream, traffic_source, country]
    const known = groups.filter((group) => group !== undefined)
    setDrill({
      report: load.path,
      request: { filter: load.asked.filter },
      place: { path: known.map(({ id }) => id), ...(period !== undefined && { period: period.date }) },
      metric: 'nd',
      titles: [...known.map(({ title }) => title), ...(period === undefined ? [] : [period.title])],
      shown,
    })
  }
  return (
    <PlainFrame
      title={t(($) => $.screens['partners-report'].title)}
      subtitle={t(($) => $.screens['partners-report'].subtitle)}
      role={role}
      control={control}
      labels={{
        by: {
          title: words.levels.groupBy,
          options: { new_deposit: words.dimensions.partner, stream_report: words.dimensions.stream },
        },
        period: {
          title: words.kinds.unit,
          options: { day: words.dimensions.day, week: words.dimensions.week, month: words.dimensions.month },
        },
      }}
      load={load}
      rows={answer ? answer.rows.length : null}
      drill={drill}
      onDrill={setDrill}
    >
      {answer ? (
        <FlatTable<NewDepositRow>
          label={t(($) => $.screens['partners-report'].title)}
          rows={answer.rows}
          idOf={idOf}
          titleLabel={words.dimensions.partner}
          titleOf={({ partner }) => partner.title}
          columns={columnsOf(answer, words)}
          total={{ partner: { id: 0, title: '' }, cells: answer.total.cells, total: answer.total.total }}
          onOpen={open}
          isStale={load.isStale}
        />
      ) : null}
    </PlainFrame>
  )
}

function columnsOf({ periods, rows, currency }: NewDepositAnswer, words: ReportWords): PivotColumn<NewDepositRow>[] {
  const base = numberColumn<NewDepositRow>('nd', { words, currency }, ({ total }) => ({ nd: total }))
  const isByStream = rows.some(({ stream }) => stream !== undefined)
  const groups = isByStream
    ? [
        textColumn<NewDepositRow>('stream', words.dimensions.stream, ({ stream }) => stream?.title ?? null),
        textColumn<NewDepositRow>(
          'source',
          words.dimensions.traffic_source,
          (row) => row.traffic_source?.title ?? null,
        ),
        textColumn<NewDepositRow>('country', words.dimensions.country, ({ country }) => country?.title ?? null),
      ]
    : []
  const most = Math.max(1, ...rows.flatMap(({ cells }) => Object.values(cells)))
  return [
    ...groups,
    { ...base, key: 'total', label: words.table.total, hint: words.metrics.nd },
    ...periods.map(
      ({ date, title }): PivotColumn<NewDepositRow> => ({
        ...base,
        key: date,
        label: title,
        text: ({ cells }) => formatCount(cells[date] ?? 0),
        heat: (row) => (row.partner.title === '' ? null : (row.cells[date] ?? 0) / most || null),
      }),
    ),
  ]
}
