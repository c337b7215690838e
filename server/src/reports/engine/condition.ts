// Compiles one condition to SQL over one source. If a source lacks the column, all its facts have the empty value, so all or none match.

import type { SourceName } from '@tributary/contract/reports/traffic'
import { NO_CLICK } from '../../facts/columns.ts'
import { COLUMNS, type ColumnName, type ColumnType, columnOf, EMPTY_SQL } from '../model/column.ts'
import { type MappedSql, mapOf } from '../model/dimension.ts'
import type { Params } from './params.ts'
import type { Condition } from './query.ts'

export const NOTHING = '0'
export const EVERYTHING = '1'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The SQL expression of a column in a source; the empty value if the source lacks it. */
export const columnSql = (column: ColumnName, source: SourceName): string =>
  columnOf(column).sql[source] ?? EMPTY_SQL[COLUMNS[column].type]

/** SQL of the group text of a site ID and sub ID: '' if both are empty. */
export const pairSql = (first: string, second: string): string =>
  `if(${first} = '' and ${second} = '', '', concat(${first}, ',', ${second}))`

/** SQL of a filter on the facts of a source: NOTHING if it can never match, EVERYTHING if it always does. */
export function conditionSql(condition: Condition, source: SourceName, params: Params): string {
  const { on } = condition
  switch (on.kind) {
    case 'column':
      return columnCondition(condition, on.column, source, params)
    case 'pair':
      return compareSql(
        condition,
        pairSql(columnSql(on.columns[0], source), columnSql(on.columns[1], source)),
        'String',
        params,
      )
    case 'mapped':
      return mappedCondition(condition, on, source, params)
  }
}

function columnCondition(condition: Condition, column: ColumnName, source: SourceName, params: Params): string {
  const { type, sql } = columnOf(column)
  const expression = sql[source]
  if (expression === null) return holdsForEmpty(condition, type) ? EVERYTHING : NOTHING
  return compareSql(condition, expression, type, params)
}

function holdsForEmpty(condition: Condition, type: ColumnType): boolean {
  const hasEmpty = (values: readonly (string | number)[]) => values.includes(type === 'UInt32' ? 0 : '')
  switch (condition.operator) {
    case 'in':
      return hasEmpty(condition.values)
    case 'nin':
      return !hasEmpty(condition.values)
    case 'like':
      return condition.text === ''
    case 'between':
      return false
  }
}

function compareSql(condition: Condition, expression: string, type: ColumnType, params: Params): string {
  switch (condition.operator) {
    case 'in':
      return `${expression} in ${params.bind(`Array(${type})`, fitValues(condition.values, type))}`
    case 'nin':
      return `${expression} not in ${params.bind(`Array(${type})`, fitValues(condition.values, type))}`
    case 'like':
      return `positionCaseInsensitiveUTF8(toString(${expression}), ${params.bind('String', condition.text)}) > 0`
    case 'between':
      return `${expression} between ${params.bind('Date', condition.from)} and ${params.bind('Date', condition.to)}`
  }
}

/** Drops texts that are not UUIDs, because they match nothing. The empty text means "no click". */
function fitValues(values: readonly (string | number)[], type: ColumnType): readonly (string | number)[] {
  if (type !== 'UUID') return values
  return values
    .map((value) => (value === '' ? NO_CLICK : String(value).toLowerCase()))
    .filter((value) => UUID.test(value))
}

function mappedCondition(condition: Condition, on: MappedSql, source: SourceName, params: Params): string {
  const { table, keys } = mapOf(on.map)
  const facts = tuple(keys.map(([fact]) => columnSql(fact, source)))
  const owns = keys.map(([, own]) => own).join(', ')
  const among = (where: string) => `${facts} in (select ${owns} from ${table} final where is_deleted = 0 and ${where})`
  const notAmong = (where: string) =>
    `${facts} not in (select ${owns} from ${table} final where is_deleted = 0 and ${where})`
  if (condition.operator === 'like' || condition.operator === 'between')
    return among(compareSql(condition, on.field, on.type, params))
  const values = fitValues(condition.values, on.type)
  const list = params.bind(`Array(${on.type})`, values)
  // A fact without a row in the map has the empty value, so "one of these or empty" means "none of the others".
  const withEmpty = values.includes(on.type === 'UInt32' ? 0 : '')
  const isIn = condition.operator === 'in'
  if (on.isList === true) {
    const has = `hasAny(${on.field}, ${list})`
    const empty = notAmong(`notEmpty(${on.field})`)
    if (isIn) return withEmpty ? `(${among(has)} or ${empty})` : among(has)
    return withEmpty ? `(${notAmong(has)} and not (${empty}))` : notAmong(has)
  }
  if (withEmpty) return isIn ? notAmong(`${on.field} not in ${list}`) : among(`${on.field} not in ${list}`)
  return isIn ? among(`${on.field} in ${list}`) : notAmong(`${on.field} in ${list}`)
}

const tuple = (expressions: readonly string[]): string =>
  expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(', ')})`
