// The same report up to the last day whose income is reported. Income of the whole period is only a part then: to compare it with a whole
// period would be wrong, but both periods up to that day can be compared.
import { useQuery } from '@tanstack/react-query'
import { addDays, daysBetween } from '@tributary/contract/period'
import type { GeneralReportAnswer, GeneralReportInput, ReportRow } from '@tributary/contract/reports/general'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { lastReportedDay } from '../../reports/run/last-reported-day.ts'
import type { ReportedPart } from '../../reports/table/report-columns.ts'
import { groupFilter } from '../../state/preferences.ts'
import { useStoredValue } from '../../state/stored-value.ts'
import { shortPeriod } from '../../ui/date/date-range.ts'

/** Reported days change rarely; the report itself is loaded again more often. */
const FRESH_MS = 60_000

function useAnswer(path: string, request: GeneralReportInput | null) {
  const { id, role } = useProfile()
  const [group] = useStoredValue(groupFilter)
  const { data } = useQuery({
    // Another tab may start to view as another user, to whom later answers belong; the group narrows them, too.
    queryKey: [...keys.report(path, request ?? {}), `${id} ${role.kind} ${group}`],
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
  idOf: (row: ReportRow) => string,
  pairs: WeakMap<ReportRow['m'], ReportRow> = new WeakMap(),
): WeakMap<ReportRow['m'], ReportRow> {
  const known = new Map(reported.map((row) => [idOf(row), row]))
  for (const row of rows) {
    const found = known.get(idOf(row))
    if (found === undefined) continue
    pairs.set(row.m, found)
    pairRows(row.children ?? [], found.children ?? [], idOf, pairs)
  }
  return pairs
}

interface ReportedPartProps {
  /** The path of the report below /api. */
  path: string
  request: GeneralReportInput
  /** Rows and total of its answer. */
  rows: readonly ReportRow[]
  total: ReportRow
  /** Unique among the rows of one level. A prop: an import would split the chunk of the report. */
  idOf: (row: ReportRow) => string
  /** Null: no day is reported, or the periods have different lengths. */
  onChange: (part: ReportedPart | null) => void
}

/** Draws nothing. Loaded only for a report that compares partial income, which most do not. */
export function ReportedPartLoader({ onChange, ...report }: ReportedPartProps) {
  const part = useReportedPart(report)
  useEffect(() => onChange(part), [onChange, part])
  return null
}

function useReportedPart({
  path,
  request,
  rows,
  total,
  idOf,
}: Omit<ReportedPartProps, 'onChange'>): ReportedPart | null {
  const { t } = useTranslation('reports')
  const { secondDateFrom = '', secondDateTo = '', ...first } = request.filter ?? {}
  const { dateFrom: from = '', dateTo: to = '' } = first
  const isComparable = secondDateFrom !== '' && daysBetween(secondDateFrom, secondDateTo) === daysBetween(from, to)
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
  const former = last === null ? null : { from: secondDateFrom, to: addDays(secondDateFrom, daysBetween(from, last)) }
  const part = useAnswer(
    path,
    last === null || former === null
      ? null
      : { ...request, filter: { ...request.filter, dateTo: last, secondDateTo: former.to } },
  )
  const period = former === null ? '' : shortPeriod(former)
  return useMemo(() => {
    if (part === undefined || last === null) return null
    const pairs = pairRows(rows, part.rows, idOf)
    const { partial, ...m } = part.total
    pairs.set(total.m, { m, ...(partial && { partial }) })
    const day = shortPeriod({ from: last, to: last })
    return {
      of: (row) => pairs.get(row.m),
      describe: (now, value) => t(($) => $.second.wasReported, { now, value, period, last: day }),
    }
  }, [part, rows, total, idOf, last, period, t])
}
