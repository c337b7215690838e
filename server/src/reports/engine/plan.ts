// Stage 2: which sources, columns, maps and components a query needs. Decides nothing about values.
import {
  type DimensionName,
  dimensionOf,
  type MetricName,
  PART_NAMES,
  type PartName,
  SOURCES,
  type SourceName,
} from '@tributary/contract/reports/traffic'
import type { ColumnName } from '../model/column.ts'
import { dimensionSql, type MapName, mapOf } from '../model/dimension.ts'
import { partsOf } from '../model/metric.ts'
import { ACTIVITY_SQL, rowsSql, sourceOf } from '../model/part.ts'
import type { Selection } from './query.ts'

export interface Plan {
  readonly sources: readonly SourceName[]
  /** Columns of facts that the groups are made of. */
  readonly columns: readonly ColumnName[]
  readonly maps: readonly MapName[]
  readonly parts: readonly PartName[]
  /** False when entered spend does not know a level: then all of it is unallocated. */
  readonly isSpendPlaceable: boolean
}

export function planReport(selection: Selection, metrics: readonly MetricName[]): Plan {
  const maps = new Set<MapName>()
  const columns = new Set<ColumnName>()
  for (const level of selection.levels) collectNeeds(level, columns, maps)
  const wanted = new Set(metrics.flatMap(partsOf))
  const parts = PART_NAMES.filter((part) => wanted.has(part))
  return {
    sources: SOURCES.filter((source) => isCounted(source, selection, parts)),
    columns: [...columns],
    maps: [...maps],
    parts,
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

/** Clicks and entered spend belong to no player, so a choice of players leaves them out. */
function isCounted(source: SourceName, selection: Selection, parts: readonly PartName[]): boolean {
  const { activity, baseline } = selection
  if (rowsSql(source, selection.rowsBy) === null) return false
  if (source === 'activity') return true
  return (
    activity === 'all' && baseline === 'all' && (source === 'click' || parts.some((part) => sourceOf(part) === source))
  )
}

/** Whether the source has the component under the chosen activity; where not, it is zero. */
export const givesPart = (source: SourceName, part: PartName, { activity }: Selection): boolean =>
  sourceOf(part) === source && (ACTIVITY_SQL[activity].parts as readonly PartName[]).includes(part)
