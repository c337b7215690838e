// The same report up to the last day whose income is reported. Income of the whole period is only a part then: to compare it with a whole
// period would be wrong, but both periods up to that day can be compared.
import { useQuery } from '@tanstack/react-query'
import { addDays, daysBetween } from '@tributary/contract/period'
import type { GeneralReportAnswer, GeneralReportInput, ReportRow } from '@tributary/contract/reports/general'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { lastReportedDay } from '../../reports/run/last-reported-day.ts'
import type { ReportedPart } from '../../reports/table/report-columns.ts'
import { shortPeriod } from '../../ui/date/date-range.ts'
import { idOfRow } from './report-rows.ts'
import { type ReportState, secondPeriodOf, toRequest } from './report-state.ts'

/** Reported days change rarely; the report itself is loaded again more often. */
const FRESH_MS = 60_000

function useAnswer(path: string, request: GeneralReportInput | null) {
  const { data } = useQuery({
    queryKey: keys.report(path, request ?? {}),
    queryFn: ({ signal }) => http.post<GeneralReportAnswer>(path, request ?? {}, { signal }),
    enabled: request !== null,
    staleTime: FRESH_MS,
  })
  return request === null ? undefined : data
}

/** The rows of all levels, and the total, by the numbers of the row that they belong to. */
function pairRows(
  rows: readonly ReportRow[],
  reported: readonly ReportRow[],
  pairs: WeakMap<ReportRow['m'], ReportRow> = new WeakMap(),
): WeakMap<ReportRow['m'], ReportRow> {
  const known = new Map(reported.map((row) => [idOfRow(row), row]))
  for (const row of rows) {
    const found = known.get(idOfRow(row))
    if (found === undefined) continue
    pairs.set(row.m, found)
    pairRows(row.children ?? [], found.children ?? [], pairs)
  }
  return pairs
}

interface ReportedPartProps {
  /** The path of the report below /api. */
  path: string
  state: ReportState
  /** Rows and total of the report for the state. */
  rows: readonly ReportRow[]
  total: ReportRow
  /** Null: no day is reported, or the periods have different lengths. */
  onChange: (part: ReportedPart | null) => void
}

/** Draws nothing. Loaded only for a report that compares partial income, which most do not. */
export function ReportedPartLoader({ onChange, ...report }: ReportedPartProps) {
  const part = useReportedPart(report)
  useEffect(() => onChange(part), [onChange, part])
  return null
}

function useReportedPart({ path, state, rows, total }: Omit<ReportedPartProps, 'onChange'>): ReportedPart | null {
  const { t } = useTranslation('reports')
  const { from, to } = state
  const second = secondPeriodOf(state)
  const isComparable = second !== null && daysBetween(second.from, second.to) === daysBetween(from, to)
  const request = toRequest(state)
  const { secondDateFrom: _from, secondDateTo: _to, ...first } = request.filter ?? {}
  const days = useAnswer(
    path,
    isComparable
      ? {
          filter: { ...first, groupBy: 'day', secondGroupBy: 'off', thirdGroupBy: 'off', fourthGroupBy: 'off' },
          pagination: { page: 1, limit: -1 },
        }
      : null,
  )
  const last = days === undefined ? null : lastReportedDay(days.rows, from)
  const former =
    last === null || second === null ? null : { from: second.from, to: addDays(second.from, daysBetween(from, last)) }
  const part = useAnswer(
    path,
    last === null || former === null
      ? null
      : { ...request, filter: { ...request.filter, dateTo: last, secondDateTo: former.to } },
  )
  const period = former === null ? '' : shortPeriod(former)
  return useMemo(() => {
    if (part === undefined || last === null) return null
    const pairs = pairRows(rows, part.rows)
    const { partial, ...m } = part.total
    pairs.set(total.m, { m, ...(partial && { partial }) })
    const day = shortPeriod({ from: last, to: last })
    return {
      of: (row) => pairs.get(row.m),
      describe: (now, value) => t(($) => $.second.wasReported, { now, value, period, last: day }),
    }
  }, [part, rows, total, last, period, t])
}
