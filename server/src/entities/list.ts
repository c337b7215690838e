// Lists and look-ups: one statement a page, with its total. Every condition, the scope first, stands in the same WHERE.

import type { Entity } from '@tributary/contract/entity'
import { SORTED_KINDS } from '@tributary/contract/filter'
import { ALL, ALL_CAP } from '@tributary/contract/limits'
import { type ListAnswer, type ListQuery, type LookupAnswer, paginate } from '@tributary/contract/list-query'
import { DEFAULT_ZONE } from '@tributary/contract/period'
import { sql } from 'kysely'
import { type Acting, type Db, isVisible } from './acting.ts'
import { readBusinessZone } from './business-zone.ts'
import { and, compileCondition, contains, isTold, refuseParameter } from './condition.ts'
import {
  column,
  columnOf,
  entityNamed,
  type Fragment,
  fieldsOf,
  isStored,
  type Row,
  tableOf,
  titleField,
  typed,
} from './model.ts'
import { runRead } from './prepared.ts'
import { completeRows } from './read.ts'
import { selectList, titleOf } from './select-list.ts'

export interface ListOptions {
  /** Nested collections, too. */
  readonly detailed: boolean
}

interface Page {
  where: Fragment
  order: Fragment
  limit: Fragment
}

export async function listRows(
  db: Db,
  acting: Acting,
  entity: Entity,
  query: ListQuery,
  { detailed }: ListOptions,
): Promise<ListAnswer<Row>> {
  const page = await compilePage(db, acting, entity, query)
  const counts = entity.countsUnapproved
    ? await compileCounts(db, acting, entity, query, page.where)
    : countWhere(entity, page.where)
  const list = selectList(entity, acting.holder.role)
  const { items, total, counted } = await runPage(db, acting, entity, page, counts, list)
  await completeRows(db, acting, entity, items, detailed)
  const pagination = paginate(query.page, query.limit, total)
  return entity.countsUnapproved
    ? { items, pagination, count_data: { unapproved: [Number(counted['~unapproved'] ?? 0)] } }
    : { items, pagination }
}

interface Found {
  items: Row[]
  total: number
  counted: Row
}

/** What a row shows is computed for the rows of the page alone. A page behind the end has no row to carry the counts: they are asked again. */
async function runPage(
  db: Db,
  acting: Acting,
  entity: Entity,
  page: Page,
  counts: Fragment,
  list: Fragment,
): Promise<Found> {
  const rows = await runRead(
    db,
    acting,
    sql<Row>`select "~counts".*, ${list}
    from (select * from ${tableOf(entity)} as t where ${page.where} order by ${page.order} ${page.limit}) as t
    cross join (${counts}) as "~counts" order by ${page.order}`,
  )
  const counted = rows[0] ?? (await runRead(db, acting, sql<Row>`${counts}`))[0] ?? {}
  const items = rows.map(({ '~total': _total, '~unapproved': _unapproved, ...row }) => row)
  return { items, total: Number(counted['~total'] ?? 0), counted }
}

export async function lookUp(db: Db, acting: Acting, entity: Entity, query: ListQuery): Promise<LookupAnswer> {
  const page = await compilePage(db, acting, entity, query)
  const labels = (entity.label ?? []).flatMap((name) => {
    const field = fieldsOf(entity).get(name)
    return field === undefined || !isVisible(acting, field)
      ? []
      : [sql`${column('t', columnOf(name, field))} as ${sql.id(name)}`]
  })
  const columns = [sql`t.id`, sql`${sql.raw(titleOf(entity, 't'))} as title`, ...labels]
  const found = await runPage(db, acting, entity, page, countWhere(entity, page.where), sql.join(columns))
  // The columns were chosen above: id, title and the labels of the contract.
  const options = found.items as LookupAnswer['options']
  return { options, pagination: paginate(query.page, query.limit, found.total) }
}

const countWhere = (entity: Entity, where: Fragment): Fragment =>
  sql`select count(*) as "~total" from ${tableOf(entity)} as t where ${where}`

async function compilePage(db: Db, acting: Acting, entity: Entity, query: ListQuery): Promise<Page> {
  if (query.limit !== ALL && query.limit > ALL_CAP) throw refuseParameter('limit', 'value_invalid')
  const size = query.limit === ALL ? ALL_CAP : query.limit
  const offset = query.limit === ALL ? 0 : (query.page - 1) * size
  return {
    where: await compileWhere(db, acting, entity, query),
    order: compileOrder(acting, entity, query),
    limit: sql`limit ${typed(size, 'bigint')} offset ${typed(offset, 'bigint')}`,
  }
}

/** What may be a day or an hour of the business zone. */
const DAY = /^\d{4}-\d{2}-\d{2}/

/** The condition on rows under the alias `t`. */
export async function compileWhere(db: Db, acting: Acting, entity: Entity, query: ListQuery): Promise<Fragment> {
  const conditions = query.conditions.filter(({ values }) => values.some((value) => value !== ''))
  const hasDays = conditions.some(({ values }) => values.some((value) => DAY.test(value)))
  const zone = hasDays ? await readBusinessZone(db) : DEFAULT_ZONE
  return and([
    acting.scopeOf(entity, 't'),
    ...conditions.map((condition) => compileCondition(acting, entity, condition, 't', zone)),
    query.query === '' ? undefined : compileSearch(acting, entity, query.query),
  ])
}

/** The total, and how many rows of this list wait for approval, whatever state it is filtered by: one scan when it is not. */
async function compileCounts(
  db: Db,
  acting: Acting,
  entity: Entity,
  query: ListQuery,
  where: Fragment,
): Promise<Fragment> {
  const isWaiting = sql`t.state = 'unapproved'`
  const conditions = query.conditions.filter(({ path }) => path !== 'state')
  if (conditions.length === query.conditions.length) {
    return sql`select count(*) as "~total", count(*) filter (where ${isWaiting}) as "~unapproved" from ${tableOf(entity)} as t where ${where}`
  }
  const anyState = await compileWhere(db, acting, entity, { ...query, conditions })
  return sql`select (${countWhere(entity, where)}) as "~total", (${countWhere(entity, and([anyState, isWaiting]))}) as "~unapproved"`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function compileSearch(acting: Acting, entity: Entity, text: string): Fragment {
  if (text.includes('\0')) throw refuseParameter('query', 'control_characters')
  const pattern = contains(text)
  const found: Fragment[] = []
  for (const [name, field] of fieldsOf(entity)) {
    if (!field.searched || !isVisible(acting, field) || !isStored(field) || !isTold(acting, entity, name)) continue
    const stored = column('t', columnOf(name, field))
    // A uuid is looked for whole, by its index; of anything else any part will do.
    if (field.kind !== 'uuid') found.push(sql`${stored} ilike ${pattern}`)
    else if (UUID.test(text)) found.push(sql`${stored} = ${typed(text, 'uuid')}`)
  }
  const title = titleField(entity)
  if (title.kind === 'reference') found.push(sql`${sql.raw(titleOf(entity, 't'))} ilike ${pattern}`)
  if (/^\d{1,18}$/.test(text)) found.push(sql`t.id = ${typed(text, 'bigint')}`)
  return found.length === 0 ? sql`false` : sql`(${sql.join(found, sql` or `)})`
}

export function compileOrder(acting: Acting, entity: Entity, { order, conditions }: ListQuery): Fragment {
  const sort = order.length > 0 ? order : defaultOrder(entity)
  // A flag that all rows share sorts nothing, and would keep the primary key from giving the rows in order.
  const isPinned = (path: string): boolean =>
    fieldsOf(entity).get(path)?.kind === 'boolean' &&
    conditions.some((one) => one.path === path && one.operator === 'eq' && one.values[0] !== '')
  const keys = sort
    .filter(({ path }) => !isPinned(path))
    .map(({ path, desc }) => compileSortKey(acting, entity, path, desc))
  // Pages must not overlap: equal rows are told apart by id, in the direction of the last key.
  if (!sort.some(({ path }) => path === 'id')) keys.push(sort.at(-1)?.desc ? sql`t.id desc` : sql`t.id asc`)
  return sql.join(keys)
}

function defaultOrder(entity: Entity): ListQuery['order'] {
  if (entity.list.sort) return [{ path: entity.list.sort.by, desc: entity.list.sort.desc }]
  return [...(entity.hasActive ? [{ path: 'active', desc: true }] : []), { path: 'id', desc: true }]
}

function compileSortKey(acting: Acting, entity: Entity, path: string, desc: boolean): Fragment {
  const key = sortValue(acting, entity, 't', path.split('.'), `order[${path}]`)
  return sql`${key.value} ${sql.raw(desc ? 'desc' : 'asc')}${sql.raw(key.nullable && desc ? ' nulls last' : '')}`
}

interface SortKey {
  value: Fragment
  nullable: boolean
}

function sortValue(acting: Acting, entity: Entity, alias: string, path: readonly string[], parameter: string): SortKey {
  const [head = '', ...rest] = path
  const field = fieldsOf(entity).get(head)
  if (
    field === undefined ||
    field.unfiltered ||
    field.unsorted ||
    !isVisible(acting, field) ||
    !isTold(acting, entity, head) ||
    !SORTED_KINDS.has(field.kind) ||
    !isStored(field)
  ) {
    throw refuseParameter(parameter, 'unknown_field')
  }
  const stored = column(alias, columnOf(head, field))
  if (field.kind === 'reference') {
    const inner = `${alias}_`
    if (inner.length > 4) throw refuseParameter(parameter, 'unknown_field')
    const target = entityNamed(field.to)
    const { value } = sortValue(acting, target, inner, rest.length > 0 ? rest : [target.title], parameter)
    return {
      value: sql`(select ${value} from ${tableOf(target)} as ${sql.id(inner)} where ${column(inner, 'id')} = ${stored})`,
      nullable: true,
    }
  }
  if (rest.length > 0) throw refuseParameter(parameter, 'unknown_field')
  const isText = field.kind === 'text'
  return { value: isText ? sql`lower(${stored})` : stored, nullable: !field.required && head !== 'active' }
}
