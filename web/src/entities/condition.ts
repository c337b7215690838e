// The conditions of a list as the filter panel handles them: at most one a path; empty ones do not exist.
import type { Field } from '@tributary/contract/field'
import { OPERATORS_OF } from '@tributary/contract/filter'
import type { Condition, Operator } from '@tributary/contract/list-query'
import { plainText } from './plain-text.ts'

/** Drops empty values, keeps 0 and false; drops an operator that is left without a value. */
export function cleanConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.flatMap((condition) => {
    const filled = condition.values.filter((value) => value.trim() !== '')
    if (filled.length === 0) return []
    return condition.operator === 'bwn' ? [condition] : [{ ...condition, values: filled }]
  })
}

export const conditionOn = (conditions: readonly Condition[], path: string): Condition | undefined =>
  conditions.find((condition) => condition.path === path)

/** Replaces what the list asks of a path; empty values remove it. The order of the others stays. */
export function setCondition(
  conditions: readonly Condition[],
  path: string,
  operator: Operator,
  values: readonly string[],
): Condition[] {
  const next = { path, operator, values }
  const isThere = conditions.some((condition) => condition.path === path)
  return cleanConditions(
    isThere ? conditions.map((condition) => (condition.path === path ? next : condition)) : [...conditions, next],
  )
}

/** What the wire takes: one value, a set, two ends; booleans as 1 and 0. */
export function writeValues(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(writeValues)
  if (typeof value === 'boolean') return [value ? '1' : '0']
  return value === null || value === undefined || value === '' ? [] : [plainText(value)]
}

export type FilterShape = 'text' | 'options' | 'choices' | 'flag' | 'numbers' | 'days'

/** Which control asks for a field's filter; null when it cannot be filtered. */
export function shapeOf(field: Field): FilterShape | null {
  if (field.unfiltered || OPERATORS_OF[field.kind].length === 0) return null
  switch (field.kind) {
    case 'text':
      return field.format === 'entity' ? 'choices' : 'text'
    case 'uuid':
    case 'texts':
      return 'text'
    case 'reference':
    case 'references':
    case 'children':
      return 'options'
    case 'choice':
    case 'choices':
      return 'choices'
    case 'boolean':
      return 'flag'
    case 'integer':
    case 'decimal':
      return 'numbers'
    case 'date':
    case 'datetime':
      return 'days'
    case 'json':
    case 'derived':
      return null
  }
}
