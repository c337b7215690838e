// What a row looks like when it is read: one select list per entity and holder, made once. References come as {id, title, labels}.

import { type Holder, hasPermission } from '@tributary/contract/access'
import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { type Field, isHidden, type ReferencesField } from '@tributary/contract/field'
import { type RawBuilder, sql } from 'kysely'
import { columnOf, entityNamed, fieldsOf, isStored, titleField } from './model.ts'

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The text by which a row is called; through a reference when that is its title. */
export function titleOf(entity: Entity, alias: string): string {
  const field = titleField(entity)
  const own = `${quote(alias)}.${quote(columnOf(entity.title, field))}`
  if (field.kind !== 'reference') return `${own}::text`
  const inner = `${alias}_`
  const target = entityNamed(field.to)
  return `(select ${titleOf(target, inner)} from ${quote(target.name)} ${quote(inner)} where ${quote(inner)}."id" = ${own})`
}

/** `further`: references of the row referred to that a list shows beside it ('offer.advertiser'). */
export function referenceObject(
  entity: Entity,
  alias: string,
  holder: Holder,
  further: readonly string[] = [],
): string {
  const parts = [`'id', ${quote(alias)}."id"`, `'title', ${titleOf(entity, alias)}`]
  for (const name of entity.label ?? []) {
    const field = fieldsOf(entity).get(name)
    if (field === undefined || isHidden(field, holder)) continue
    parts.push(`${literal(name)}, ${quote(alias)}.${quote(columnOf(name, field))}`)
  }
  for (const name of further) {
    const field = fieldsOf(entity).get(name)
    if (field?.kind !== 'reference' || isHidden(field, holder)) continue
    const column = `${quote(alias)}.${quote(columnOf(name, field))}`
    parts.push(`${literal(name)}, ${selectReference(field.to, column, alias, holder)}`)
  }
  return `json_build_object(${parts.join(', ')})`
}

function selectReference(
  to: string,
  column: string,
  alias: string,
  holder: Holder,
  further: readonly string[] = [],
): string {
  const inner = `${alias}_`
  const target = entityNamed(to)
  return `(select ${referenceObject(target, inner, holder, further)} from ${quote(to)} ${quote(inner)} where ${quote(inner)}."id" = ${column})`
}

function selectReferences(field: ReferencesField, alias: string, holder: Holder): string {
  const inner = `${alias}_`
  const target = entityNamed(field.to)
  const { table, own, other } = field.through
  const rows = `from ${quote(table)} j join ${quote(field.to)} ${quote(inner)} on ${quote(inner)}."id" = j.${quote(other)}`
  return `(select coalesce(json_agg(${referenceObject(target, inner, holder)} order by ${quote(inner)}."id"), '[]') ${rows} where j.${quote(own)} = ${quote(alias)}."id")`
}

/** What the list's columns show through a reference: 'offer.advertiser' → 'advertiser' of 'offer'. */
const shownThrough = ({ list }: Entity, name: string): string[] =>
  list.columns.flatMap((path) => {
    const [head, next, ...deeper] = path.split('.')
    return head === name && next !== undefined && deeper.length === 0 ? [next] : []
  })

function selectField(entity: Entity, name: string, field: Field, alias: string, holder: Holder): string | undefined {
  if (isHidden(field, holder)) return undefined
  if (field.kind === 'references') return `${selectReferences(field, alias, holder)} as ${quote(name)}`
  if (!isStored(field)) return undefined
  const column = `${quote(alias)}.${quote(columnOf(name, field))}`
  return field.kind === 'reference'
    ? `${selectReference(field.to, column, alias, holder, shownThrough(entity, name))} as ${quote(name)}`
    : `${column} as ${quote(name)}`
}

/** What single fields ask for, anywhere. */
const NEEDED = [
  ...new Set(
    Object.values<Entity>(ENTITIES).flatMap(({ fields }) => Object.values(fields).flatMap(({ needs }) => needs ?? [])),
  ),
]
const made = new Map<string, RawBuilder<unknown>>()

/** The columns of a whole row under the alias `t`. `except` is left out: the parent, in a collection of its rows. */
export function selectList(entity: Entity, holder: Holder, except = ''): RawBuilder<unknown> {
  const key = `${entity.name} ${holder.role} ${NEEDED.filter((permission) => hasPermission(holder, permission)).join()} ${except}`
  const known = made.get(key)
  if (known !== undefined) return known
  const columns = [...fieldsOf(entity)].flatMap(([name, field]) =>
    name === except ? [] : (selectField(entity, name, field, 't', holder) ?? []),
  )
  const list = sql.raw(columns.join(', '))
  made.set(key, list)
  return list
}

/** The named columns of a row under the alias `t`, as they stand in a whole one. */
export function selectSome(entity: Entity, holder: Holder, names: ReadonlySet<string>): RawBuilder<unknown> {
  const columns = [...fieldsOf(entity)].flatMap(([name, field]) =>
    names.has(name) ? (selectField(entity, name, field, 't', holder) ?? []) : [],
  )
  return sql.raw(columns.join(', '))
}
