// A naive model of lists: rows from the API, filtered and sorted by plain walks. The server's answers must equal it.

import type { Field } from '@tributary/contract/field'
import type { Condition, ListQuery } from '@tributary/contract/list-query'
import { DEFAULT_ZONE, dayOf } from '@tributary/contract/period'
import { fieldsOf } from '../../src/entities/engine/model/model.ts'
import type { Json } from '../support/entity-calls.ts'
import { entityOf } from '../support/entity-rows.ts'

/** All rows of an entity by id, detailed. */
export const world = new Map<string, Map<number, Json>>()

export function valuesAt(name: string, row: Json, path: readonly string[]): { field: Field; values: unknown[] } {
  const [head = '', ...rest] = path
  const field = fieldsOf(entityOf(name)).get(head)
  if (field === undefined) throw new Error(`${name} has no ${head}`)
  const value = row[head]
  const listed: unknown[] = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
  if (rest.length === 0) return { field, values: listed }
  const target = field.kind === 'children' ? field.of : 'to' in field ? field.to : ''
  const found = listed.flatMap((next) => valuesAt(target, rowOf(target, (next as Json).id), rest).values)
  return { field: endField(target, rest), values: found }
}

export function endField(name: string, path: readonly string[]): Field {
  const [head = '', ...rest] = path
  const field = fieldsOf(entityOf(name)).get(head)
  if (field === undefined) throw new Error(`${name} has no ${head}`)
  return rest.length === 0
    ? field
    : endField(field.kind === 'children' ? field.of : 'to' in field ? field.to : '', rest)
}

function rowOf(name: string, id: number): Json {
  const row = world.get(name)?.get(id)
  if (row === undefined) throw new Error(`there is no ${name} ${id}`)
  return row
}

export const idOrSelf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as Json).id : value

export function holds(name: string, row: Json, condition: Condition): boolean {
  const { field, values } = valuesAt(name, row, condition.path.split('.'))
  if (condition.operator === 'nin') return !values.some((value) => isAmong(field, value, condition.values))
  return values.some((value) => matches(field, value, condition))
}

function isAmong(field: Field, value: unknown, texts: readonly string[]): boolean {
  return texts.some((text) => isEqual(field, idOrSelf(value), text))
}

function isEqual(field: Field, value: unknown, text: string): boolean {
  if (field.kind === 'decimal') return Number(value) === Number(text)
  if (field.kind === 'boolean') return value === (text === '1')
  if (field.kind === 'datetime') return dayOf(Date.parse(plain(value)), DEFAULT_ZONE) === text
  return plain(value) === text
}

function matches(field: Field, value: unknown, { operator, values }: Condition): boolean {
  const own = idOrSelf(value)
  const [first = '', second = ''] = values
  switch (operator) {
    case 'eq':
      return isEqual(field, own, first)
    case 'in':
      return isAmong(field, value, values)
    case 'like': {
      const text = field.kind === 'reference' ? String((value as Json).title) : plain(own)
      return text.toLowerCase().includes(first.toLowerCase())
    }
    case 'gt':
      return compare(field, own, first) > 0
    case 'bwn':
    case 'nin':
      return compare(field, own, first) >= 0 && compare(field, own, second) <= 0
  }
}

export function compare(field: Field, value: unknown, text: string): number {
  if (field.kind === 'integer' || field.kind === 'decimal' || field.kind === 'reference')
    return Number(value) - Number(text)
  const own = field.kind === 'datetime' ? dayOf(Date.parse(plain(value)), DEFAULT_ZONE) : plain(value)
  return own < text ? -1 : own > text ? 1 : 0
}

function sortKey(name: string, row: Json, path: string): string | number | null {
  const { field, values } = valuesAt(name, row, path.split('.'))
  const [value] = values
  if (value === undefined || value === null) return null
  if (field.kind === 'reference') return String((value as Json).title).toLowerCase()
  if (field.kind === 'integer' || field.kind === 'decimal') return Number(value)
  if (field.kind === 'boolean') return value === true ? 1 : 0
  return field.kind === 'text' ? plain(value).toLowerCase() : plain(value)
}

/** Rows without a value are last, in both directions. */
export function compareRows(name: string, query: ListQuery): (a: Json, b: Json) => number {
  const keys = query.order.length > 0 ? query.order : defaultOrder(name)
  return (a, b) => {
    for (const { path, desc } of keys) {
      const [x, y] = [sortKey(name, a, path), sortKey(name, b, path)]
      if (x === y) continue
      if (x === null || y === null) return x === null ? 1 : -1
      return compareKeys(x, y) * (desc ? -1 : 1)
    }
    return (a.id - b.id) * (keys.at(-1)?.desc ? -1 : 1)
  }
}

const defaultOrder = (name: string): ListQuery['order'] => {
  const { sort } = entityOf(name).list
  return sort ? [{ path: sort.by, desc: sort.desc }] : [{ path: 'active', desc: true }]
}

const compareKeys = (x: string | number, y: string | number): number =>
  typeof x === 'string' && typeof y === 'string'
    ? Buffer.compare(Buffer.from(x), Buffer.from(y))
    : Number(x) - Number(y)

/** Scalars only: references were replaced by their ids before. */
export const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
