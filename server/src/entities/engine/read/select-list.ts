// Select lists for reading rows, cached by entity and permissions. References are {id, title, labels}; many-valued fields contain only rows
// in scope.

import { type AccessHolder, hasPermission } from '@tributary/contract/access'
import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { type Field, isHidden, type ReferencesField } from '@tributary/contract/field'
import { sql } from 'kysely'
import { escapeLiteral as literal, escapeIdentifier as quote } from 'pg'
import { columnOf, entityNamed, type Fragment, fieldsOf, isStored, titleField } from '../model/model.ts'
import { type RequestContext, scopeOfNamed } from '../model/request-context.ts'

/** SQL of a row's title; follows a reference if that is the title. */
export function titleOf(entity: Entity, alias: string): string {
  const field = titleField(entity)
  const own = `${quote(alias)}.${quote(columnOf(entity.title, field))}`
  if (field.kind !== 'reference') return `${own}::text`
  const inner = `${alias}_`
  const target = entityNamed(field.to)
  return `(select ${titleOf(target, inner)} from ${quote(target.name)} ${quote(inner)} where ${quote(inner)}."id" = ${own})`
}

/** SQL of a reference object. `further`: references of the referenced row to include ('offer.advertiser'). */
export function referenceObject(
  entity: Entity,
  alias: string,
  holder: AccessHolder,
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
  holder: AccessHolder,
  further: readonly string[] = [],
): string {
  const inner = `${alias}_`
  const target = entityNamed(to)
  return `(select ${referenceObject(target, inner, holder, further)} from ${quote(to)} ${quote(inner)} where ${quote(inner)}."id" = ${column})`
}

/** SQL of a column in two parts, between which the condition for visible rows is inserted. */
interface ScopedColumn {
  readonly target: Entity
  readonly alias: string
  readonly head: string
  readonly tail: string
}

function selectReferences(as: string, field: ReferencesField, alias: string, holder: AccessHolder): ScopedColumn {
  const inner = `${alias}_`
  const target = entityNamed(field.to)
  const { table, own, other } = field.through
  const rows = `from ${quote(table)} j join ${quote(field.to)} ${quote(inner)} on ${quote(inner)}."id" = j.${quote(other)}`
  return {
    target,
    alias: inner,
    head: `(select coalesce(json_agg(${referenceObject(target, inner, holder)} order by ${quote(inner)}."id"), '[]') ${rows} where j.${quote(own)} = ${quote(alias)}."id"`,
    tail: `) as ${quote(as)}`,
  }
}

/** Fields that the list shows through a reference: 'offer.advertiser' → 'advertiser' of 'offer'. */
const shownThrough = ({ list }: Entity, name: string): string[] =>
  list.columns.flatMap((path) => {
    const [head, next, ...deeper] = path.split('.')
    return head === name && next !== undefined && deeper.length === 0 ? [next] : []
  })

type Column = string | ScopedColumn

/** SQL of a field; undefined if it is hidden or has no column. `as`: name in the result. */
function selectField(
  entity: Entity,
  name: string,
  field: Field,
  alias: string,
  holder: AccessHolder,
  as: string,
): Column | undefined {
  if (isHidden(field, holder)) return undefined
  if (field.kind === 'references') return selectReferences(as, field, alias, holder)
  if (!isStored(field)) return undefined
  const column = `${quote(alias)}.${quote(columnOf(name, field))}`
  return field.kind === 'reference'
    ? `${selectReference(field.to, column, alias, holder, shownThrough(entity, name))} as ${quote(as)}`
    : `${column} as ${quote(as)}`
}

/** All permissions that fields need, in any entity. */
const FIELD_PERMISSIONS = [
  ...new Set(
    Object.values<Entity>(ENTITIES).flatMap(({ fields }) => Object.values(fields).flatMap(({ needs }) => needs ?? [])),
  ),
]
const selectLists = new Map<string, readonly Column[]>()

/** Columns of a row under the alias `t`. `except` names a field to leave out: the parent, in a collection. */
export function selectList(context: RequestContext, entity: Entity, except = ''): Fragment {
  const { holder } = context
  const key = `${entity.name} ${holder.role} ${FIELD_PERMISSIONS.filter((permission) => hasPermission(holder, permission)).join()} ${except}`
  const known = selectLists.get(key) ?? columnsOf(entity, holder, (name) => name !== except)
  selectLists.set(key, known)
  return joinColumns(context, known)
}

/** As selectList, for the named fields; `prefix` goes before their names in the result. */
export const selectSome = (
  context: RequestContext,
  entity: Entity,
  names: ReadonlySet<string>,
  prefix = '',
): Fragment =>
  joinColumns(
    context,
    columnsOf(entity, context.holder, (name) => names.has(name), prefix),
  )

/** Compiles the columns. Neighbouring plain columns are joined into one text, so that statements are built quickly. */
function columnsOf(entity: Entity, holder: AccessHolder, isSelected: (name: string) => boolean, prefix = ''): Column[] {
  const columns: Column[] = []
  for (const [name, field] of fieldsOf(entity)) {
    const column = isSelected(name) ? selectField(entity, name, field, 't', holder, prefix + name) : undefined
    const last = columns.at(-1)
    if (typeof column === 'string' && typeof last === 'string') columns[columns.length - 1] = `${last}, ${column}`
    else if (column !== undefined) columns.push(column)
  }
  return columns
}

const joinColumns = (context: RequestContext, columns: readonly Column[]): Fragment =>
  sql.join(
    columns.map((column) => {
      if (typeof column === 'string') return sql.raw(column)
      const scope = scopeOfNamed(context, column.target, column.alias)
      return scope === undefined
        ? sql.raw(`${column.head}${column.tail}`)
        : sql`${sql.raw(column.head)} and ${scope}${sql.raw(column.tail)}`
    }),
  )
