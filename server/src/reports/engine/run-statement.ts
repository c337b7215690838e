// Runs a statement within limits: the person who asked goes away and it stops; a sum too big for a double is read again as text.
import { daysBetween } from '@tributary/contract/period'
import type { Clickhouse, QueryOptions } from '../../clickhouse/client.ts'
import { shareTable } from '../../clickhouse/shared-table.ts'
import type { Settings } from '../../clickhouse/statement.ts'
import { REPORT_SETTINGS } from './compile.ts'
import { InexactNumber } from './derive.ts'
import type { Statement } from './params.ts'
import { periodsOf } from './periods.ts'
import type { Selection } from './query.ts'

/** Below the 100 seconds after which a proxy gives up. */
const MAX_SECONDS = 90
/** Longer periods wait in the lane where they hold up no short question. */
const SHORT_DAYS = 62

/** The rows are read, never changed: others may have asked the same. */
export type Run = <T>(statement: Statement, read: (rows: readonly unknown[][]) => T, more?: Settings) => Promise<T>

export function prepareRun(
  clickhouse: Clickhouse,
  selection: Selection,
  signal: AbortSignal | undefined,
  more: Settings = {},
): Run {
  const days = periodsOf(selection).reduce((sum, { from, to }) => sum + daysBetween(from, to), 0)
  const options: QueryOptions = {
    lane: days <= SHORT_DAYS ? 'short' : 'long',
    kind: { name: selection.levels.join(), size: days + 1 },
    maxSeconds: MAX_SECONDS,
    settings: { ...REPORT_SETTINGS, ...more },
    ...(signal !== undefined && { signal }),
  }
  return async ({ sql, params }, read, own = {}) => {
    const settled = { ...options, settings: { ...options.settings, ...own } }
    const { rows } = await shareTable(clickhouse, sql, params, settled)
    try {
      return read(rows)
    } catch (error) {
      if (!(error instanceof InexactNumber)) throw error
      const settings = { ...settled.settings, output_format_json_quote_64bit_integers: 1 }
      return read((await shareTable(clickhouse, sql, params, { ...options, settings })).rows)
    }
  }
}
