// First deposits by day, week or month: per partner, or per stream with its traffic source and country.
import { CHART_PERIODS } from '@tributary/contract/reports/choices'
import type { NewDepositAnswer, NewDepositRow } from '@tributary/contract/reports/kinds'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import type { ReportWords } from '../../i18n/shape.ts'
import { formatCount } from '../../lib/number-format.ts'
import { FlatFrame, hasRows, useFlatReport } from '../../reports/flat/flat-report.tsx'
import { filterRequest, storeFlat, useFlatState } from '../../reports/flat/flat-state.ts'
import { FlatTable } from '../../reports/flat/flat-table.tsx'
import { type PivotColumn, textColumn } from '../../reports/table/pivot-column.ts'
import { metricColumn } from '../../reports/table/report-columns.ts'

const choices = { by: ['new_deposit', 'stream_report'], period: CHART_PERIODS } as const
const SHAPE = { store: storeFlat('partners'), preset: 'current_month', choices } as const
const isAnswer = (value: unknown): value is NewDepositAnswer => hasRows(value, 'periods', 'sources')
const idOf = ({ partner, stream, traffic_source, country }: NewDepositRow) =>
  [partner.id, stream?.id, traffic_source?.id, country?.id].join(' ')

export function PartnersScreen() {
  const { t } = useTranslation()
  const words = useReportWords()
  const control = useFlatState(SHAPE)
  const { by, period } = control.state.choices
  const load = useFlatReport({
    path: `partner_report/${by}`,
    request: { filter: { period, ...filterRequest(control.state) } },
    isAnswer,
    countEntries: ({ rows }) => rows.length,
  })
  const { answer } = load
  const openingOf = ({ partner, stream, traffic_source, country, ...row }: NewDepositRow, key: string) => {
    const period = answer?.periods.find(({ date }) => date === key)
    const shown = period === undefined ? row.total : row.cells[period.date]
    if ((period === undefined && key !== 'total') || shown === undefined) return null
    const groups = partner.title === '' ? [] : stream === undefined ? [partner] : [stream, traffic_source, country]
    const known = groups.filter((group) => group !== undefined)
    return {
      place: { path: known.map(({ id }) => id), ...(period !== undefined && { period: period.date }) },
      metric: 'nd' as const,
      titles: [...known, ...(period ? [period] : [])].map(({ title }) => title),
      shown,
    }
  }
  return (
    <FlatFrame
      screen="partners-report"
      control={control}
      labels={{
        by: {
          title: words.levels.groupBy,
          options: { new_deposit: words.dimensions.partner, stream_report: words.dimensions.stream },
        },
        period: {
          title: currentWords().kinds.unit,
          options: { day: words.dimensions.day, week: words.dimensions.week, month: words.dimensions.month },
        },
      }}
      load={load}
      rows={answer ? answer.rows.length : null}
    >
      {(numbers) =>
        answer ? (
          <FlatTable<NewDepositRow>
            label={t(($) => $.screens['partners-report'].title)}
            rows={answer.rows}
            idOf={idOf}
            titleLabel={words.dimensions.partner}
            titleOf={({ partner }) => partner.title}
            columns={columnsOf(answer, words)}
            total={{ partner: { id: 0, title: '' }, ...answer.total }}
            openingOf={openingOf}
            numbers={numbers}
            isStale={load.isStale}
          />
        ) : null
      }
    </FlatFrame>
  )
}

function columnsOf({ periods, rows, currency }: NewDepositAnswer, words: ReportWords): PivotColumn<NewDepositRow>[] {
  const base = metricColumn<NewDepositRow>('nd', { words, currency }, ({ total }) => ({ m: { nd: total } }))
  const groups = (['stream', 'traffic_source', 'country'] as const)
    .filter((name) => rows.some((row) => row[name] !== undefined))
    .map((name) => textColumn<NewDepositRow>(name, words.dimensions[name], (row) => row[name]?.title ?? null))
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
