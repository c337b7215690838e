// Runs the statements of a report within a time limit until the caller aborts. If a double cannot hold a sum, it runs the statement again and
// reads numbers as text.
import { daysBetween } from '@tributary/contract/period'
import type { QueryOptions } from '../../clickhouse/client.ts'
import { shareTable } from '../../clickhouse/shared-table.ts'
import type { Settings } from '../../clickhouse/statement.ts'
import { InexactNumber } from './components.ts'
import type { ReportContext } from './context.ts'
import { periodsOf, type Statement } from './params.ts'
import type { ReportQuery, Selection } from './query.ts'

/** The versions of a fact are always in one partition, so FINAL needs no merge across partitions. */
export const REPORT_SETTINGS = { do_not_merge_across_partitions_select_final: 1 } as const
/** Flat reports read every click, so projections do not help them. */
const FLAT_SETTINGS = { ...REPORT_SETTINGS, optimize_use_projections: 0 } as const
/** Integers come as text, because a double may not hold them exactly. */
export const NUMBERS_AS_TEXT = { output_format_json_quote_64bit_integers: 1 } as const

/** Must be less than the 100 seconds after which a proxy gives up. */
const MAX_SECONDS = 90
/** Queries over more days use lane `long`. */
const SHORT_DAYS = 62

/** `read` may run twice and must not change the rows, which other callers may share. Throws AppError `timeout`, `too_large`, `unavailable`. */
export type RunStatement = <T>(
  statement: Statement,
  read: (rows: readonly unknown[][]) => T,
  settings?: Settings,
) => Promise<T>

/** Returns a runner of statements with the time limit and the queue of a report of this length. */
export function createStatementRunner(
  { clickhouse, signal }: Pick<ReportContext, 'clickhouse' | 'signal'>,
  selection: Selection & Partial<Pick<ReportQuery, 'isFlat'>>,
): RunStatement {
  const days = periodsOf(selection).reduce((sum, { from, to }) => sum + daysBetween(from, to), 0)
  const options: QueryOptions = {
    lane: days <= SHORT_DAYS ? 'short' : 'long',
    maxSeconds: MAX_SECONDS,
    ...(signal !== undefined && { signal }),
  }
  const common = selection.isFlat === true ? FLAT_SETTINGS : REPORT_SETTINGS
  return async (statement, read, settings) => {
    const readTable = async (more?: Settings) => {
      const all = { ...common, ...statement.settings, ...settings, ...more }
      return read((await shareTable(clickhouse, statement.sql, statement.params, { ...options, settings: all })).rows)
    }
    try {
      return await readTable()
    } catch (error) {
      if (!(error instanceof InexactNumber)) throw error
      return readTable(NUMBERS_AS_TEXT)
    }
  }
}
