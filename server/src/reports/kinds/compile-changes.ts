// Compiles the changes of facts since a moment: each version with its cause, in the groups that the fact joined and those that it left.
import { CLICK_CAUSE } from '@tributary/contract/reports/changes'
import { factsSql, groupColumns, levelNames } from '../engine/compile-groups.ts'
import { whereSql } from '../engine/compile-source.ts'
import { columnSql } from '../engine/condition.ts'
import { Params, type Statement, toStatement } from '../engine/params.ts'
import type { Plan } from '../engine/plan.ts'
import type { Selection } from '../engine/query.ts'
import { columnOf, dimensionColumns } from '../model/column.ts'
import { ACTIVITY_SQL } from '../model/component.ts'
import { changedKeysSql, knownAtParam, LOG_TABLES } from '../model/known.ts'

/** The columns that numbers derive from. A version in which none of them differs is not a change. */
const MOVING = {
  activity: [
    'registrations',
    'first_deposits',
    'deposits_count',
    'deposits',
    'first_amount',
    'first_day_amount',
    'bets',
    'income',
    'cpa_spend',
    'rs_spend',
    'previous_bet_day',
  ],
  spend: ['day', 'sum'],
} as const

/** Columns by which the query selects players. */
function choosingColumns({ activity, baseline, conditions }: Selection): string[] {
  const chosenBy = ACTIVITY_SQL[activity]
  const days = conditions.flatMap(({ on }) =>
    on.kind === 'column' && columnOf(on.column).type === 'Date' ? (columnOf(on.column).sql.activity ?? []) : [],
  )
  return [
    ...days,
    ...('dayInPeriod' in chosenBy ? [chosenBy.dayInPeriod] : []),
    ...(baseline === 'all' ? [] : ['qualification']),
  ]
}

const EDGE = '(toString(cause), actor_id, known_at)'

/** Every version that changed something, and the version that it replaced, both with the later one's cause. */
function movedFrom(source: 'activity' | 'spend', selection: Selection, params: Params): string {
  const logged = LOG_TABLES[source]
  const keys = logged.key.join(', ')
  const tuple = logged.key.length === 1 ? keys : `(${keys})`
  const columns = [...logged.columns, 'version', 'is_deleted'].join(', ')
  const own = [
    'is_deleted',
    ...MOVING[source],
    ...dimensionColumns(source),
    ...(source === 'activity' ? choosingColumns(selection) : []),
  ]
  const since = knownAtParam(selection.knownAt ?? '', params)
  return `(
select ${columns}, arrayJoin(arrayFilter(edge -> edge.3 > ${since}, arrayConcat(
  if(own_hash != before_hash, [${EDGE}], []), if(own_hash != after_hash, [after_edge], [])))) as edge
from (
select *, lagInFrame(own_hash, 1, toUInt64(0)) over whole as before_hash,
  leadInFrame(own_hash, 1, own_hash) over whole as after_hash, leadInFrame(${EDGE}, 1) over whole as after_edge
from (
select ${columns}, cause, actor_id, known_at, cityHash64(${own.join(', ')}) as own_hash
from ${logged.table}_log where ${tuple} in ${changedKeysSql(logged, selection, params)}
)
window whole as (partition by ${keys} order by version rows between unbounded preceding and unbounded following)
)
)`
}

/**
 * Rows [g1…, cause, actor, is late, number of facts, last moment] of changes after `selection.knownAt`, newest first. Null when no fact can
 * match.
 */
export function compileChanges(selection: Selection, plan: Plan, zone: string, limit: number): Statement | null {
  const params = new Params()
  const now: Selection = { ...selection, knownAt: null }
  const late = (at: string, day: string) => `toUInt8(${day} < toDate(${at}, ${params.bindAs('zone', 'String', zone)}))`
  const selects = plan.sources.flatMap((source) => {
    const where = whereSql(source, now, params)
    if (where === null) return []
    const columns = plan.columns.map((column) => `${columnSql(column, source)} as c_${column}`)
    const since = knownAtParam(selection.knownAt ?? '', params)
    if (source === 'click') {
      const own = [...columns, `'${CLICK_CAUSE}' as cause`, 'toUInt32(0) as actor', 'created_at as at']
      return [
        `select ${own.join(', ')}, toUInt64(0) as fact, toUInt8(0) as is_late from click where created_at > ${since} and is_click and ${where.join(' and ')}`,
      ]
    }
    const fact = source === 'activity' ? 'player_id' : 'spend_id'
    const own = [...columns, 'edge.1 as cause', 'edge.2 as actor', 'edge.3 as at', `toUInt64(${fact}) as fact`]
    return [
      `select ${own.join(', ')}, ${late('edge.3', 'day')} as is_late from ${movedFrom(source, selection, params)} where ${where.join(' and ')}`,
    ]
  })
  if (selects.length === 0) return null
  const keys = levelNames(selection)
  const groups = [...keys, 'cause', 'actor', 'is_late'].join(', ')
  const columns = [
    ...groupColumns(selection),
    'facts.cause as cause',
    'facts.actor as actor',
    'facts.is_late as is_late',
    `if(cause = '${CLICK_CAUSE}', count(), uniqExact(facts.fact)) as facts_count`,
    'max(facts.at) as last_at',
  ]
  const sql = `select ${columns.join(', ')}
from ${factsSql(selects.join('\nunion all\n'), plan)}
group by ${groups}
order by last_at desc
limit ${params.bind('UInt32', limit)}`
  return toStatement(sql, params, selection)
}
