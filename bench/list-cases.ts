// Lists the queries that a list's screen can send: the default one, each filter with each operator, each sort in both directions. They come from
// the registry, so that a new filter or column is measured without a change here.

import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import { operatorsOf, SORTABLE_KINDS } from '@tributary/contract/filter'
import { type Condition, EMPTY_QUERY, type ListQuery, type Operator } from '@tributary/contract/list-query'
import { dayOf } from '@tributary/contract/period'
import { entityNamed, fieldsOf } from '../server/src/entities/engine/model/model.ts'

export interface Case {
  readonly title: string
  readonly query: ListQuery
}

export function casesOf(entity: Entity): Case[] {
  const flag: Condition[] = entity.hasActive ? [{ path: 'active', operator: 'eq', values: ['1'] }] : []
  const order = entity.list.sort
    ? [{ path: entity.list.sort.by, desc: entity.list.sort.desc }]
    : [...(entity.hasActive ? [{ path: 'active', desc: true }] : []), { path: 'id', desc: true }]
  const opening: ListQuery = { ...EMPTY_QUERY, conditions: flag, order }
  const cases: Case[] = [
    { title: 'as it opens', query: opening },
    { title: 'without any filter', query: { ...opening, conditions: [] } },
    { title: 'search', query: { ...opening, query: 'site-77' } },
    { title: 'search, nothing found', query: { ...opening, query: 'zzzz' } },
  ]
  for (const path of new Set([...entity.list.filters, ...(entity.hasActive ? ['active'] : [])])) {
    const field = fieldAt(entity, path)
    for (const operator of operatorsOf(field)) {
      for (const values of valuesFor(field, operator)) {
        const title = `${path} ${operator} ${values.join('|')}`
        const condition = { path, operator, values }
        const conditions = path === 'active' ? [condition] : [...flag, condition]
        cases.push({ title, query: { ...opening, conditions } })
      }
    }
  }
  for (const path of new Set([...entity.list.columns, ...fieldsOf(entity).keys()])) {
    if (path === 'version') continue
    const field = fieldAt(entity, path)
    if (!SORTABLE_KINDS.has(field.kind) || field.unsorted || field.unfiltered) continue
    for (const desc of [false, true])
      cases.push({ title: `sort by ${path} ${desc ? 'down' : 'up'}`, query: { ...opening, order: [{ path, desc }] } })
  }
  return cases
}

function fieldAt(entity: Entity, path: string): Field {
  const [head = '', ...rest] = path.split('.')
  const field = fieldsOf(entity).get(head)
  if (field === undefined) throw new Error(`${entity.name} has no ${path}`)
  if (rest.length === 0) return field
  const to = field.kind === 'children' ? field.of : 'to' in field ? field.to : ''
  return fieldAt(entityNamed(to), rest.join('.'))
}

const DAY_MS = 86_400_000
const day = (ago: number): string => dayOf(Date.now() - ago * DAY_MS, 'Europe/Kyiv')

/** Values that some rows have, but far from all, and such that none has; empty where nothing is compared. */
function valuesFor(field: Field, operator: Operator): string[][] {
  const isMany = operator === 'in' || operator === 'nin'
  switch (field.kind) {
    case 'reference':
    case 'references':
      return operator === 'gt'
        ? [['5'], ['9999']]
        : operator === 'like'
          ? [['7'], ['zzzz']]
          : isMany
            ? [['3', '5']]
            : [['3']]
    case 'choice':
      return field.options.map((option) => [option])
    case 'datetime':
      return operator === 'bwn'
        ? [
            [day(14), day(0)],
            [day(300), ''],
          ]
        : isMany
          ? [[day(3), day(4)]]
          : [[day(3)]]
    case 'integer':
      return operator === 'bwn'
        ? [['100', '120']]
        : operator === 'like'
          ? [['777']]
          : isMany
            ? [['77', '78']]
            : [['77'], ['119990']]
    case 'text':
      if (field.format === 'entity') return [['offer'], ['none']]
      return operator === 'like'
        ? [['77'], ['zzzz']]
        : isMany
          ? [['site-77', 'sub-77', 'zzzz']]
          : [['site-77'], ['sub-77']]
    case 'boolean':
      return [['1'], ['0']]
    case 'children':
    case 'choices':
    case 'date':
    case 'decimal':
    case 'texts':
    case 'uuid':
    case 'json':
    case 'derived':
      throw new Error(`a filter of kind ${field.kind} has no values to be measured with`)
  }
}
