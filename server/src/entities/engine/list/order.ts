// Compiles the order of a list. The id is the last key, so that pages never overlap.

import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import { SORTABLE_KINDS } from '@tributary/contract/filter'
import { TEXT_MAX } from '@tributary/contract/limits'
import type { ListQuery } from '@tributary/contract/list-query'
import { maxLength } from '@tributary/contract/validate'
import { sql } from 'kysely'
import { column, columnOf, entityNamed, type Fragment, fieldsOf, isStored, tableOf } from '../model/model.ts'
import { isVisible, type RequestContext } from '../model/request-context.ts'
import { invalidParameter, mayQueryField } from './condition.ts'

/** ORDER BY of the query, or the entity's default. Throws `invalid`. */
export function compileOrder(context: RequestContext, entity: Entity, { order, conditions }: ListQuery): Fragment {
  const sort = order.length > 0 ? order : defaultOrder(entity)
  // A flag with a fixed value does not sort, and would prevent reading in the order of the primary key.
  const isFixedByFilter = (path: string): boolean =>
    fieldsOf(entity).get(path)?.kind === 'boolean' &&
    conditions.some((one) => one.path === path && one.operator === 'eq' && one.values[0] !== '')
  const keys = sort
    .filter(({ path }) => !isFixedByFilter(path))
    .map(({ path, desc }) => compileSortKey(context, entity, path, desc))
  // The id takes the direction of the last key.
  if (!sort.some(({ path }) => path === 'id')) keys.push(sort.at(-1)?.desc ? sql`t.id desc` : sql`t.id asc`)
  return sql.join(keys)
}

function defaultOrder(entity: Entity): ListQuery['order'] {
  if (entity.list.sort) return [{ path: entity.list.sort.by, desc: entity.list.sort.desc }]
  return [...(entity.hasActive ? [{ path: 'active', desc: true }] : []), { path: 'id', desc: true }]
}

function compileSortKey(context: RequestContext, entity: Entity, path: string, desc: boolean): Fragment {
  const key = sortValue(context, entity, 't', path.split('.'), `order[${path}]`)
  return sql`${key.value} ${sql.raw(desc ? 'desc' : 'asc')}${sql.raw(key.nullable && desc ? ' nulls last' : '')}`
}

/** Order of the rows behind the first step of a path. Errors name the whole path. */
export function compileReferencedOrder(context: RequestContext, target: Entity, path: string, rest: string): Fragment {
  const { value } = sortValue(context, target, 't', rest.split('.'), `order[${path}]`)
  return sql`${value}, t.id`
}

interface SortKey {
  value: Fragment
  nullable: boolean
}

function sortValue(
  context: RequestContext,
  entity: Entity,
  alias: string,
  path: readonly string[],
  parameter: string,
): SortKey {
  const [head = '', ...rest] = path
  const field = fieldsOf(entity).get(head)
  if (
    field === undefined ||
    field.unfiltered ||
    field.unsorted ||
    !isVisible(context, field) ||
    !mayQueryField(context, entity, head) ||
    !SORTABLE_KINDS.has(field.kind) ||
    !isStored(field)
  ) {
    throw invalidParameter(parameter, 'unknown_field')
  }
  const stored = column(alias, columnOf(head, field))
  if (field.kind === 'reference') {
    const inner = `${alias}_`
    if (inner.length > 4) throw invalidParameter(parameter, 'unknown_field')
    const target = entityNamed(field.to)
    const { value } = sortValue(context, target, inner, rest.length > 0 ? rest : [target.title], parameter)
    return {
      value: sql`(select ${value} from ${tableOf(target)} as ${sql.id(inner)} where ${column(inner, 'id')} = ${stored})`,
      nullable: true,
    }
  }
  if (rest.length > 0) throw invalidParameter(parameter, 'unknown_field')
  return { value: sortedBy(field, stored), nullable: !field.required && field.kind !== 'boolean' }
}

/** Characters of long texts in their indexes. */
const SORTED_LETTERS = 200

/** Sorts text case-insensitively, and long text by its indexed beginning. */
function sortedBy(field: Field, stored: Fragment): Fragment {
  if (field.kind !== 'text') return stored
  return maxLength(field) > TEXT_MAX
    ? sql`lower(left(${stored}, ${sql.raw(String(SORTED_LETTERS))}))`
    : sql`lower(${stored})`
}

/** Value at the end of a path as joins, for statements over a whole table. */
function joinedValue(entity: Entity, alias: string, path: readonly string[]): { joins: Fragment[]; value: Fragment } {
  const [head = '', ...rest] = path
  const field = fieldsOf(entity).get(head)
  if (field === undefined || !isStored(field)) return { joins: [], value: sql`null` }
  const stored = column(alias, columnOf(head, field))
  if (field.kind !== 'reference') return { joins: [], value: sortedBy(field, stored) }
  const inner = `${alias}_`
  const target = entityNamed(field.to)
  const { joins, value } = joinedValue(target, inner, rest.length > 0 ? rest : [target.title])
  const join = sql`left join ${tableOf(target)} as ${sql.id(inner)} on ${column(inner, 'id')} = ${stored}`
  return { joins: [join, ...joins], value }
}

/** Clauses that read a list by its referenced rows in order, and for each the rows that refer to it. */
interface ReferenceWalk {
  /** Referenced rows in order, with `id` and `key`; used under the alias `r`. */
  readonly steps: Fragment
  /** Condition: row `t` refers to `r`. */
  readonly isNext: Fragment
  /** Order of the rows of one `r`. */
  readonly within: Fragment
  readonly order: Fragment
}

/**
 * Compiles the walk for a large list that is sorted by one required reference. The index on reference and id avoids reading rows after the page.
 * Undefined for any other order.
 */
export function compileReferenceWalk(
  context: RequestContext,
  entity: Entity,
  { order }: ListQuery,
): ReferenceWalk | undefined {
  const [first, ...others] = order
  const [head = '', ...rest] = first?.path.split('.') ?? []
  const field = fieldsOf(entity).get(head)
  if (first === undefined || others.length > 0 || field?.kind !== 'reference' || !field.required) return undefined
  const target = entityNamed(field.to)
  const path = rest.length > 0 ? rest : [target.title]
  // Throws if the path may not be sorted by.
  sortValue(context, target, 't_', path, `order[${first.path}]`)
  const { joins, value } = joinedValue(target, 't_', path)
  const direction = sql.raw(first.desc ? 'desc' : 'asc')
  const last = sql.raw(first.desc ? 'desc nulls last' : 'asc')
  return {
    steps: sql`select t_.id, ${value} as key from ${tableOf(target)} as t_ ${sql.join(joins, sql` `)} order by key ${last}`,
    isNext: sql`${column('t', columnOf(head, field))} = r.id`,
    within: sql`t.id ${direction}`,
    order: sql`r.key ${last}, t.id ${direction}`,
  }
}
