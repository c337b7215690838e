// Compiles scope, filters and search of a list. For large lists, conditions through other rows are resolved to ids first, so that PostgreSQL
// plans with their number.

import type { EntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { type Condition, isGiven, type ListQuery } from '@tributary/contract/list-query'
import { DEFAULT_ZONE } from '@tributary/contract/period'
import { choiceLabel } from '@tributary/contract/words/entity-words'
import { sql } from 'kysely'
import { WORDS } from '../../../lib/words.ts'
import { column, columnOf, type Fragment, fieldsOf, isStored, titleField, typed } from '../model/model.ts'
import { type Db, isVisible, type RequestContext, readBusinessZone } from '../model/request-context.ts'
import { titleOf } from '../read/select-list.ts'
import {
  and,
  compileCondition,
  compileReferencedRows,
  containsText,
  invalidParameter,
  mayQueryField,
} from './condition.ts'

/** A value that may be a day or hour of the business zone. */
const DAY = /^\d{4}-\d{2}-\d{2}/

/** WHERE condition on the alias `t`. Throws `invalid`. */
export async function compileWhere(
  db: Db,
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
): Promise<Fragment> {
  const conditions = query.conditions.filter(isGiven)
  const hasDays = conditions.some(({ values }) => values.some((value) => DAY.test(value)))
  const zone = hasDays ? await readBusinessZone(db) : DEFAULT_ZONE
  const compiled: Fragment[] = []
  for (const condition of conditions) {
    // Exclusions stay in the statement: nearly all rows match and are read anyway.
    const resolved =
      entity.isLarge && condition.operator !== 'nin'
        ? await resolveIds(db, context, entity, condition, zone)
        : undefined
    compiled.push(resolved ?? compileCondition(context, entity, condition, 't', zone))
  }
  return and([
    context.scopeOf(entity, 't'),
    ...compiled,
    query.query === '' ? undefined : compileSearch(context, entity, query.query),
  ])
}

/** More ids than these stay a sub-select. */
const RESOLVED_IDS_CAP = 10_000
const INT_END = 2 ** 31

/** A condition through other rows, resolved to their ids; undefined if it is on the row itself or matches too many. */
async function resolveIds(
  db: Db,
  context: RequestContext,
  entity: Entity,
  condition: Condition,
  zone: string,
): Promise<Fragment | undefined> {
  const found = compileReferencedRows(context, entity, condition, 't', zone)
  if (found === undefined) return undefined
  const statement = sql<{
    id: number
  }>`select reached.id from (${found.matches}) as reached (id) limit ${typed(RESOLVED_IDS_CAP + 1, 'bigint')}`
  const { rows } = await statement.execute(db)
  if (rows.length > RESOLVED_IDS_CAP) return undefined
  const ids = rows.map(({ id }) => id)
  // Of the column's own type, so that PostgreSQL hashes the array.
  const array = typed(ids, ids.every((id) => id < INT_END) ? 'int[]' : 'bigint[]')
  return sql`${found.own} = any(${array})`
}

/** The options whose label in the reader's language contains the text. */
function optionsNamed(
  { language = 'en' }: RequestContext,
  entity: Entity,
  name: string,
  options: readonly string[],
  text: string,
): string[] {
  const wanted = text.toLocaleLowerCase(language)
  // Names of the registry are keys of the words.
  const labelOf = (option: string) => choiceLabel(WORDS[language], entity.name as EntityName, name, option)
  return options.filter((option) => labelOf(option).toLocaleLowerCase(language).includes(wanted))
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function compileSearch(context: RequestContext, entity: Entity, text: string): Fragment {
  if (text.includes('\0')) throw invalidParameter('query', 'control_characters')
  const found: Fragment[] = []
  for (const [name, field] of fieldsOf(entity)) {
    if (!field.searched || !isVisible(context, field) || !isStored(field) || !mayQueryField(context, entity, name))
      continue
    const stored = column('t', columnOf(name, field))
    if (field.kind === 'choice') {
      const options = optionsNamed(context, entity, name, field.options, text)
      if (options.length > 0) found.push(sql`${stored} = any(${typed(options, 'text[]')})`)
      continue
    }
    // A uuid is matched whole, by its index; any other text in part.
    if (field.kind !== 'uuid') found.push(containsText(entity, stored, text))
    else if (UUID.test(text)) found.push(sql`${stored} = ${typed(text, 'uuid')}`)
  }
  const title = titleField(entity)
  if (title.kind === 'reference') found.push(containsText(entity, sql.raw(titleOf(entity, 't')), text))
  if (/^\d{1,18}$/.test(text)) found.push(sql`t.id = ${typed(text, 'bigint')}`)
  return found.length === 0 ? sql`false` : sql`(${sql.join(found, sql` or `)})`
}
