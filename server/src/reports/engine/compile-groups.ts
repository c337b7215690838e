// Joins facts of all sources with their maps and computes the group of each fact at each level.
import { columnOf } from '../model/column.ts'
import { dimensionSql, mapOf } from '../model/dimension.ts'
import { pairSql } from './condition.ts'
import type { Plan } from './plan.ts'
import type { Selection } from './query.ts'

/** The names of the levels in SQL: g1, g2… */
export const levelNames = ({ levels }: Pick<Selection, 'levels'>): string[] => levels.map((_, index) => `g${index + 1}`)

/** The SQL that follows FROM. `union` is the result of `compileUnion`. */
export function factsSql(union: string, plan: Plan): string {
  const joins = plan.maps.map((name) => {
    const { table, keys } = mapOf(name)
    const on = keys.map(([fact, own]) => `facts.c_${fact} = m_${name}.${own}`).join(' and ')
    return `\nleft any join (select * from ${table} final where is_deleted = 0) as m_${name} on ${on}`
  })
  return `(\n${union}\n) as facts${joins.join('')}`
}

/** SQL of a fact's group at each level, over the columns of `factsSql`. */
export const groupsSql = ({ levels }: Pick<Selection, 'levels'>): string[] =>
  levels.map((level) => {
    const sql = dimensionSql(level)
    if (sql.kind === 'pair') return pairSql(`toString(c_${sql.columns[0]})`, `toString(c_${sql.columns[1]})`)
    if (sql.kind === 'mapped') return `m_${sql.map}.${sql.field}`
    return columnOf(sql.column).isLowCardinality === true ? `toString(c_${sql.column})` : `c_${sql.column}`
  })

/** SQL of the group of each level: `… as g1`, `… as g2`. */
export const groupColumns = (selection: Pick<Selection, 'levels'>): string[] =>
  groupsSql(selection).map((group, index) => `${group} as g${index + 1}`)

/** The groups of a fact at all levels as one tuple. */
export const groupTuple = (selection: Pick<Selection, 'levels'>): string => `tuple(${groupsSql(selection).join(', ')})`
