// The facts of a source as known at an earlier moment: current rows, except that keys changed since then have their last earlier version.
// Maps of offers, partners and partner offers have no history, so reports use their current state.
import type { SourceName } from '@tributary/contract/reports/traffic'
import { ACTIVITY_COLUMNS, SPEND_COLUMNS, VERSION_COLUMNS } from '../../facts/fact-row.ts'
import { daysSql, type Params } from '../engine/params.ts'
import type { Selection } from '../engine/query.ts'
import { SOURCE_SQL } from './component.ts'

interface LogTable {
  readonly table: string
  readonly key: readonly string[]
  readonly columns: readonly string[]
  /** The day is part of the key and never changes, so the days of the report also limit the log. */
  readonly isDayInKey: boolean
}

/** Clicks have no log, because they never change: they are known from their creation on. */
export const LOG_TABLES: Readonly<Record<'activity' | 'spend', LogTable>> = {
  activity: { table: 'activity_fact', key: ['player_id', 'day'], columns: ACTIVITY_COLUMNS, isDayInKey: true },
  spend: { table: 'spend_fact', key: ['spend_id'], columns: SPEND_COLUMNS, isDayInKey: false },
}

/** The days of a report, and the moment as of which it is known. */
type KnownDays = Pick<Selection, 'first' | 'second' | 'knownAt'>

export const knownAtParam = (knownAt: string, params: Params): string =>
  params.bindAs('known_at', 'DateTime64(3)', knownAt)

/** A sub-select of the keys with a version that became known after `selection.knownAt`. */
export function changedKeysSql(
  { table, key, isDayInKey: isKeptByDay }: LogTable,
  selection: KnownDays,
  params: Params,
): string {
  const days = isKeptByDay ? `${daysSql(selection, params)} and ` : ''
  return `(select ${key.join(', ')} from ${table}_log where ${days}known_at > ${knownAtParam(selection.knownAt ?? '', params)})`
}

/** The SQL that follows FROM. */
export function sourceFromSql(source: SourceName, selection: KnownDays, params: Params): string {
  const { knownAt } = selection
  if (knownAt === null || source === 'click') return SOURCE_SQL[source].from
  const logged = LOG_TABLES[source]
  const { table, key, isDayInKey: isKeptByDay } = logged
  const columns = [...logged.columns, ...VERSION_COLUMNS].join(', ')
  const keys = key.join(', ')
  const tuple = key.length === 1 ? keys : `(${keys})`
  const days = daysSql(selection, params)
  const changed = changedKeysSql(logged, selection, params)
  return `(
select ${columns} from ${table} final where ${days} and ${tuple} not in ${changed}
union all
select ${columns} from (
select ${columns}, minIf(version, known_at > ${knownAtParam(knownAt, params)}) over (partition by ${keys}) as next_version
from ${table}_log where ${isKeptByDay ? `${days} and ` : ''}${tuple} in ${changed}
) where version < next_version order by version desc limit 1 by ${keys}
)`
}
