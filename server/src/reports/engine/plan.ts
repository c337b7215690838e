// Stage 2 of a report run: determines the sources, columns, maps and components that a query needs.
import {
  COMPONENT_NAMES,
  type ComponentName,
  type DimensionName,
  dimensionOf,
  type MetricName,
  SOURCES,
  type SourceName,
} from '@tributary/contract/reports/traffic'
import { type ColumnName, columnOf, EMPTY_SQL } from '../model/column.ts'
import { ACTIVITY_SQL, makesRows, rowsSql, sourceOf } from '../model/component.ts'
import { dimensionSql, type MapName, mapOf, sourceWithoutOfferPartner } from '../model/dimension.ts'
import { componentsOf } from '../model/metric.ts'
import type { Selection } from './query.ts'

/** What a query needs to be read. */
export interface Plan {
  readonly sources: readonly SourceName[]
  /** Columns of facts that the groups derive from. */
  readonly columns: readonly ColumnName[]
  readonly maps: readonly MapName[]
  readonly components: readonly ComponentName[]
  /** False if entered spend lacks the dimension of a level; then all of it is unallocated. */
  readonly isSpendPlaceable: boolean
}

/** Stage 2 of a report run: decides which sources, columns, maps and components the metrics and levels need. */
export function planReport(selection: Selection, metrics: readonly MetricName[]): Plan {
  const maps = new Set<MapName>()
  const columns = new Set<ColumnName>()
  for (const level of selection.levels) collectNeeds(level, columns, maps)
  const wanted = new Set(metrics.flatMap(componentsOf))
  const components = COMPONENT_NAMES.filter((component) => wanted.has(component))
  return {
    sources: SOURCES.filter((source) => isCounted(source, selection, components)),
    columns: [...columns],
    maps: [...maps],
    components,
    isSpendPlaceable: selection.levels.every((level) => dimensionOf(level).sources.includes('spend')),
  }
}

function collectNeeds(level: DimensionName, columns: Set<ColumnName>, maps: Set<MapName>): void {
  const sql = dimensionSql(level)
  if (sql.kind === 'column') columns.add(sql.column)
  else if (sql.kind === 'pair') for (const column of sql.columns) columns.add(column)
  else {
    maps.add(sql.map)
    for (const [fact] of mapOf(sql.map).keys) columns.add(fact)
  }
}

/** Clicks and entered spend belong to no player, so a query that selects players does not count them. */
function isCounted(source: SourceName, selection: Selection, components: readonly ComponentName[]): boolean {
  const { activity, baseline } = selection
  if (rowsSql(source, selection.rowsBy) === null) return false
  if (source === 'activity') return true
  return (
    activity === 'all' &&
    baseline === 'all' &&
    (source === 'click' || components.some((component) => sourceOf(component) === source))
  )
}

/** True if the source counts facts by whether the income of their day is reported. Spend is entered on days that have other facts. */
export const countsIncomeDays = (source: SourceName, plan: Plan, selection: Selection): boolean =>
  source !== 'spend' && plan.components.includes('income') && givesComponent('activity', 'income', selection)

/** True if the source has the component under the query's activity; otherwise the component is 0. */
export const givesComponent = (source: SourceName, component: ComponentName, { activity }: Selection): boolean =>
  sourceOf(component) === source && (ACTIVITY_SQL[activity].components as readonly ComponentName[]).includes(component)

/** The columns that `placelessSpendSql` reads. */
export const placelessColumns = (selection: Selection, plan: Plan): ColumnName[] =>
  !plan.isSpendPlaceable || makesRows('spend', selection.rowsBy)
    ? []
    : [
        ...new Set(
          selection.levels.flatMap((level): ColumnName[] => {
            const source = sourceWithoutOfferPartner(level)
            if (source === 'always') return []
            return source === 'nothing' ? ['offer_partner'] : ['offer_partner', source]
          }),
        ),
      ]

/**
 * SQL condition on a spend: it has no partner offer that tells its groups, so no group carries it. `sqlOf` is the SQL of a column. Null if every
 * spend has groups, or none has.
 */
export function placelessSpendSql(
  selection: Selection,
  plan: Plan,
  sqlOf: (column: ColumnName) => string,
): string | null {
  if (placelessColumns(selection, plan).length === 0) return null
  const isEmpty = (column: ColumnName): string => `${sqlOf(column)} = ${EMPTY_SQL[columnOf(column).type]}`
  const lacking = selection.levels.map(sourceWithoutOfferPartner).filter((source) => source !== 'always')
  const columns = lacking.flatMap((source) => (source === 'nothing' ? [] : source))
  if (columns.length < lacking.length) return isEmpty('offer_partner')
  return `${isEmpty('offer_partner')} and (${columns.map(isEmpty).join(' or ')})`
}
