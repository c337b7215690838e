// Columns of a file that mark the rows whose income is not reported for all of their days.
import type { Metrics, PartlyReported } from '@tributary/contract/reports/general'
import { restsOnIncome } from '@tributary/contract/reports/traffic'
import type { SheetCell } from '../../lib/sheet.ts'
import type { ReportQuery } from '../engine/query.ts'
import { type COLUMN_WORDS, type NumberColumn, periodOf } from './columns.ts'

export interface IncomeColumn {
  readonly header: string
  readonly cell: (m: Metrics, row: PartlyReported) => SheetCell
}

export const hasIncome = (columns: readonly NumberColumn[]): boolean =>
  columns.some(({ needs }) => needs.some(restsOnIncome))

/** One column for each period in which income of some days is missing; none if no column of the file rests on income. */
export function incomeColumns(
  { partial = [] }: PartlyReported,
  columns: readonly NumberColumn[],
  query: Pick<ReportQuery, 'second'>,
  { income_report: words }: (typeof COLUMN_WORDS)['en' | 'ru'],
): IncomeColumn[] {
  if (!hasIncome(columns)) return []
  return partial.map((mark) => ({
    header: `${words.header}${mark === 'income_2' ? periodOf(query) : ''}`,
    cell: (m, row) => {
      if (row.partial?.includes(mark) !== true) return null
      return m[mark] === null ? words.none : words.some
    },
  }))
}
