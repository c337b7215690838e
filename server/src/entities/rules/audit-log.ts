// Names the record of each change and the fields that it changed, in the caller's language. The log is for admins, who see every field.

import { type EntityName, isEntityName } from '@tributary/contract/entities/registry'
import { isRepeated } from '@tributary/contract/field'
import { fieldLabel } from '@tributary/contract/words/entity-words'
import { WORDS } from '../../lib/words.ts'
import { readRecordNames } from '../engine/audit/record-name.ts'
import type { EntityRules } from '../engine/model/entity-rules.ts'
import { entityNamed, fieldsOf, type Row } from '../engine/model/model.ts'
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

const toNamedEntry = ({ id, entity, entity_id, before, after }: Row) => ({
  id: Number(id),
  entity: String(entity),
  entity_id: entity_id === null ? null : Number(entity_id),
  before: isRow(before) ? before : null,
  after: isRow(after) ? after : null,
})

export const auditLogRules: EntityRules = {
  async derive(db, rows, context) {
    const { language = 'en' } = context
    const known = rows.flatMap((row) => (typeof row.entity === 'string' && isEntityName(row.entity) ? [row] : []))
    for (const [entity, changes] of Map.groupBy(known, (row) => row.entity as EntityName)) {
      const ids = changes.flatMap(({ entity_id: id }) => (id === null ? [] : [Number(id)]))
      const titles = await readTitles(db, context, entity, [...new Set(ids)])
      const names = await readRecordNames(db, context, changes.map(toNamedEntry))
      for (const row of changes) {
        const id = Number(row.entity_id)
        const labels = changedFields(row, entity).map((field) => fieldLabel(WORDS[language], entity, field))
        row.record =
          names.get(Number(row.id)) ??
          titles.get(id) ??
          storedTitle(row, entity) ??
          (row.entity_id === null ? null : `#${id}`)
        row.changed =
          labels.length > FIELDS_NAMED ? `${labels.slice(0, FIELDS_NAMED).join(', ')}, …` : labels.join(', ') || null
      }
    }
  },
}
