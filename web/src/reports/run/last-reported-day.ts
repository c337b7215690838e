// Up to which day the income of a report is whole.
import { addDays, earlierDay } from '@tributary/contract/period'
import type { ReportRow } from '@tributary/contract/reports/general'

/** The day before the first one whose income is not reported; null if all are, or none is. */
export function lastReportedDay(rows: readonly Pick<ReportRow, 'g' | 'partial'>[], from: string): string | null {
  const open = rows.flatMap(({ g, partial }) =>
    g?.date !== undefined && partial?.includes('income') === true && g.date >= from ? g.date : [],
  )
  if (open.length === 0) return null
  const last = addDays(open.reduce(earlierDay), -1)
  return last < from ? null : last
}
