// The facts of a source as known at an earlier moment: present rows, and for each key that has changed since, the last version before the change.
// Maps of offers, partners and partner offers have no history and are read as they are now.
import type { SourceName } from '@tributary/contract/reports/traffic'
import { ACTIVITY_COLUMNS, SPEND_COLUMNS, VERSION_COLUMNS } from '../../facts/fact-row.ts'
import { daysSql, type Params } from '../engine/params.ts'
import type { Selection } from '../engine/query.ts'
import { SOURCE_SQL } from './component.ts'

interface Logged {
  readonly table: string
  readonly key: readonly string[]
  readonly columns: readonly string[]
  /** The day of a key never changes, so the days of the report narrow the log. */
  readonly isKeptByDay: boolean
}

/** Clicks are never corrected: they are known from the moment at which they were made. */
export const LOGGED: Readonly<Record<'activity' | 'spend', Logged>> = {
  activity: { table: 'activity_fact', key: ['player_id', 'day'], columns: ACTIVITY_COLUMNS, isKeptByDay: true },
  spend: { table: 'spend_fact', key: ['spend_id'], columns: SPEND_COLUMNS, isKeptByDay: false },
}

export const knownParam = (knownAt: string, params: Params): string =>
  params.named('known_at', 'DateTime64(3)', knownAt)

/** Keys of which a version became known after the moment, as a sub-select. */
export function changedKeys({ table, key, isKeptByDay }: Logged, selection: Selection, params: Params): string {
  const days = isKeptByDay ? `${daysSql(selection, params)} and ` : ''
  return `(select ${key.join(', ')} from ${table}_log where ${days}known_at > ${knownParam(selection.knownAt ?? '', params)})`
}

/** What stands after FROM. */
export function sourceFrom(source: SourceName, selection: Selection, params: Params): string {
  const { knownAt } = selection
  if (knownAt === null || source === 'click') return SOURCE_SQL[source].from
  const logged = LOGGED[source]
  const { table, key, isKeptByDay } = logged
  const columns = [...logged.columns, ...VERSION_COLUMNS].join(', ')
  const keys = key.join(', ')
  const tuple = key.length === 1 ? keys : `(${keys})`
  const days = daysSql(selection, params)
  const changed = changedKeys(logged, selection, params)
  return `(
select ${columns} from ${table} final where ${days} and ${tuple} not in ${changed}
union all
select ${columns} from (
select ${columns}, minIf(version, known_at > ${knownParam(knownAt, params)}) over (partition by ${keys}) as next_version
from ${table}_log where ${isKeptByDay ? `${days} and ` : ''}${tuple} in ${changed}
) where version < next_version order by version desc limit 1 by ${keys}
)`
}
