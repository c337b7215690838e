// Names the record of each change and what it changed, in the caller's language. The log is for admins, who see every field.

import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import { type EntityName, isEntityName } from '@tributary/contract/entities/registry'
import { isRepeated } from '@tributary/contract/field'
import type { Language } from '@tributary/contract/language'
import { fieldLabel } from '@tributary/contract/words/entity-words'
import { sql } from 'kysely'
import { WORDS } from '../../lib/words.ts'
import { describeChange } from '../engine/audit/change-text.ts'
import { dayText } from '../engine/audit/day-text.ts'
import { type AuditRow, describeHistory } from '../engine/audit/history.ts'
import { readRecordNames } from '../engine/audit/record-name.ts'
import type { EntityRules } from '../engine/model/entity-rules.ts'
import { entityNamed, fieldsOf, type Row, typed } from '../engine/model/model.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { readReferences } from '../engine/read/references.ts'

/** A list names so many changed fields; the panel of the change shows all. */
const FIELDS_NAMED = 4
const UNNAMED = new Set(['id', 'created_at', 'updated_at', 'version'])

/** The titles of rows by id. Rows that are named by their id, and those of ClickHouse, have none. */
async function readTitles(
  db: Db,
  context: RequestContext,
  name: EntityName,
  ids: readonly number[],
): Promise<Map<unknown, string>> {
  const entity = entityNamed(name)
  if (entity.source === 'clickhouse' || entity.title === 'id') return new Map()
  const titles = new Map<unknown, string>()
  for (const [id, reference] of await readReferences(db, context, entity, ids)) {
    const { title } = reference as { title: string | number | null }
    if (title !== null) titles.set(id, String(title))
  }
  return titles
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

function changedFields({ before, after }: Row, name: EntityName): string[] {
  const [was, is] = [isRow(before) ? before : {}, isRow(after) ? after : {}]
  const isChanged = (field: string): boolean => JSON.stringify(was[field] ?? null) !== JSON.stringify(is[field] ?? null)
  return [...fieldsOf(entityNamed(name))].flatMap(([field, declared]) =>
    isChanged(field) && !UNNAMED.has(field) && !isRepeated(declared) ? field : [],
  )
}

/** The title in what the log stored of a deleted record. */
function storedTitle({ before, after }: Row, name: EntityName): string | undefined {
  const title = [after, before].filter(isRow)[0]?.[entityNamed(name).title]
  return typeof title === 'string' ? title : undefined
}

/** The rows as the log stores them; an entry whose user is gone, or whose kind of record is, is read like any other. */
const toAuditRow = (row: Row): AuditRow => ({
  ...toNamedEntry(row),
  at: new Date(String(row.at)),
  user: null,
  action: row.action as AuditRow['action'],
  cause: null,
  request_id: null,
  of_entity: null,
  of_id: null,
})

/** The records to which changed rows belong, such as the offer of a term, by the entry's id. */
async function readOwners(db: Db, context: RequestContext, rows: readonly Row[]): Promise<Map<number, string>> {
  const ids = rows.map(({ id }) => Number(id))
  const { rows: nested } = await sql<{ id: number; entity: string; owner: number }>`
    select id, of_entity as entity, of_id as owner from audit_log
    where id = any(${typed(ids, 'bigint[]')}) and of_id is not null`.execute(db)
  const owners = new Map<number, string>()
  for (const [entity, entries] of Map.groupBy(nested, (entry) => entry.entity)) {
    if (!isEntityName(entity)) continue
    const ids = [...new Set(entries.map(({ owner }) => Number(owner)))]
    const asEntries = ids.map((owner) => ({ id: owner, entity, entity_id: owner, before: null, after: null }))
    const names = await readRecordNames(db, context, asEntries)
    for (const { id, owner } of entries) owners.set(Number(id), names.get(Number(owner)) ?? `#${owner}`)
  }
  return owners
}

/** A row of a collection is named by its record, too, unless it has names of its own that say so. */
function nestedName(owner: string | undefined, own: string | null, language: Language | undefined): string | null {
  if (owner === undefined) return own
  if (own === null || own.startsWith('#')) return owner
  return `${owner} · ${/^\d{4}-\d\d-\d\d$/.test(own) ? dayText(own, language) : own}`
}

const toNamedEntry = ({ id, entity, entity_id, before, after }: Row) => ({
  id: Number(id),
  entity: String(entity),
  entity_id: entity_id === null ? null : Number(entity_id),
  before: isRow(before) ? before : null,
  after: isRow(after) ? after : null,
})

/** What the record is named by is not repeated for a created or deleted one. */
function linesOf(name: EntityName, { action, changes }: HistoryEntry, language: Language): string[] {
  const entity = entityNamed(name)
  const fields = fieldsOf(entity)
  const naming = [entity.title, ...(entity.namedBy ?? []).map((path) => path.split('.')[0])]
  return changes.flatMap((change) => {
    const field = fields.get(change.field)
    if (field === undefined || (action !== 'update' && naming.includes(change.field))) return []
    return describeChange({ words: WORDS[language], language }, name, field, change, action)
  })
}

export const auditLogRules: EntityRules = {
  async derive(db, rows, context) {
    const { language = 'en' } = context
    const known = rows.flatMap((row) => (typeof row.entity === 'string' && isEntityName(row.entity) ? [row] : []))
    for (const [entity, changes] of Map.groupBy(known, (row) => row.entity as EntityName)) {
      const ids = changes.flatMap(({ entity_id: id }) => (id === null ? [] : [Number(id)]))
      const titles = await readTitles(db, context, entity, [...new Set(ids)])
      const names = await readRecordNames(db, context, changes.map(toNamedEntry))
      const owners = await readOwners(db, context, changes)
      const described = await describeHistory(
        db,
        context,
        changes.filter(({ action }) => action !== 'access').map(toAuditRow),
      )
      const lines = new Map(described.map((entry) => [entry.id, linesOf(entity, entry, language)]))
      for (const row of changes) {
        const id = Number(row.entity_id)
        const labels =
          lines.get(Number(row.id)) ??
          changedFields(row, entity).map((field) => fieldLabel(WORDS[language], entity, field))
        const own = titles.get(id) ?? storedTitle(row, entity) ?? (row.entity_id === null ? null : `#${id}`)
        row.record = names.get(Number(row.id)) ?? nestedName(owners.get(Number(row.id)), own, context.language)
        row.changed =
          labels.length > FIELDS_NAMED ? `${labels.slice(0, FIELDS_NAMED).join(', ')}, …` : labels.join(', ') || null
      }
    }
  },
}
