// Conditions of a list in the filter panel: at most one per path, never empty.
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { operatorsOf } from '@tributary/contract/filter'
import type { Condition, Operator } from '@tributary/contract/list-query'
import { entityOf } from '../field/field-at.ts'

/** Drops empty values and conditions without values; keeps 0 and false. */
export function cleanConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.flatMap((condition) => {
    const filled = condition.values.filter((value) => value.trim() !== '')
    if (filled.length === 0) return []
    return condition.operator === 'bwn' ? [condition] : [{ ...condition, values: filled }]
  })
}

export const conditionOn = (conditions: readonly Condition[], path: string): Condition | undefined =>
  conditions.find((condition) => condition.path === path)

/** True for a condition with which the list of an entity opens, which its own switch shows. */
export const isOpeningCondition = (name: EntityName, { path, operator, values }: Condition): boolean =>
  entityOf(name).list.opensWith?.some(
    (own) => own.path === path && own.operator === operator && own.values.join() === values.join(),
  ) === true

/** Replaces the condition on a path; empty values remove it. The order of the others stays. */
export function setCondition(
  conditions: readonly Condition[],
  path: string,
  operator: Operator,
  values: readonly string[],
): Condition[] {
  const next = { path, operator, values }
  const at = conditions.findIndex((condition) => condition.path === path)
  if (at === -1) return cleanConditions([...conditions, next])
  return cleanConditions(
    conditions.flatMap((condition, index) => (index === at ? [next] : condition.path === path ? [] : [condition])),
  )
}

export type FilterShape = 'text' | 'options' | 'choices' | 'flag' | 'numbers' | 'days'

/** The control of a field's filter; null if the field cannot be filtered. */
export function shapeOf(field: Field): FilterShape | null {
  if (field.unfiltered || operatorsOf(field).length === 0) return null
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

/** Offered operators, the default first. 'eq' of an option is shown as 'in' with one value. */
const OFFERED: Readonly<Record<FilterShape, readonly Operator[]>> = {
  text: ['like', 'eq', 'in', 'nin'],
  options: ['in', 'nin', 'like', 'gt'],
  choices: ['in', 'nin'],
  flag: ['eq'],
  numbers: ['bwn', 'eq', 'in', 'nin', 'gt', 'like'],
  days: ['bwn', 'eq', 'in', 'nin', 'gt'],
}

export function offeredOperators(field: Field): readonly Operator[] {
  const shape = shapeOf(field)
  const taken = operatorsOf(field)
  return shape === null ? [] : OFFERED[shape].filter((operator) => taken.includes(operator))
}

/** The offered operator under which an operator of the address is shown. */
export const offeredAs = (operator: Operator, offered: readonly Operator[]): Operator | undefined =>
  offered.includes(operator) ? operator : operator === 'eq' && offered.includes('in') ? 'in' : undefined

type Sort = 'ids' | 'text' | 'number'

const sortOf = (shape: FilterShape, operator: Operator): Sort => {
  if (shape !== 'options') return 'text'
  return operator === 'like' ? 'text' : operator === 'gt' ? 'number' : 'ids'
}

/** The values that remain when the operator changes: two ends become one value, selected rows cannot become text. */
export function carryValues(
  shape: FilterShape,
  before: Operator,
  next: Operator,
  values: readonly string[],
): readonly string[] {
  if (sortOf(shape, before) !== sortOf(shape, next)) return []
  const filled = values.filter((value) => value !== '')
  return next === 'eq' || next === 'gt' || next === 'like'
    ? filled.slice(0, 1)
    : next === 'bwn'
      ? filled.slice(0, 2)
      : filled
}
