// What the amounts of audit entries are in: their currencies, and the choices that make a number a percentage. An entry holds the fields that
// changed; the others are as the record has them.

import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import type { Entity } from '@tributary/contract/entity'
import { entityNamed, fieldsOf, type Row } from '../model/model.ts'
import { type Db, isVisible, type RequestContext } from '../model/request-context.ts'
import { readReferences } from '../read/references.ts'
import { type NamedEntry, readValues } from './record-name.ts'

export type Units = HistoryEntry['units']

/** By the entry's id; entries of entities without amounts are left out. */
export async function readUnits(
  db: Db,
  context: RequestContext,
  entries: readonly NamedEntry[],
): Promise<ReadonlyMap<number, Units>> {
  const sides = new Map<number, Units>()
  for (const [name, own] of Map.groupBy(entries, ({ entity }) => entity)) {
    const fields = unitFields(context, entityNamed(name))
    if (fields.length === 0) continue
    const pick = (row: Row): Row => Object.fromEntries(fields.map((field) => [field, row[field] ?? null]))
    const values = await readValues(db, entityNamed(name), fields, own)
    for (const { id, before } of own) {
      const after = values.get(id) ?? {}
      sides.set(id, { before: pick({ ...after, ...before }), after: pick(after) })
    }
  }
  const rows = [...sides.values()].flatMap(({ before, after }) => [before, after])
  const ids = [...new Set(rows.flatMap((row) => Object.values(row).filter((value) => typeof value === 'number')))]
  const currencies = await readReferences(db, context, entityNamed('currency'), ids)
  const withReferences = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([field, value]) => [field, currencies.get(value) ?? value]))
  return new Map(
    [...sides].map(([id, { before, after }]) => [id, { before: withReferences(before), after: withReferences(after) }]),
  )
}

/** The fields that say what the entity's amounts are in. */
function unitFields(context: RequestContext, entity: Entity): string[] {
  const fields = fieldsOf(entity)
  const named = [...fields.values()].flatMap((field) =>
    field.kind === 'decimal' && field.unit === 'money'
      ? [field.currencyField ?? 'currency', ...(field.percentWhen === undefined ? [] : [field.percentWhen.field])]
      : [],
  )
  return [...new Set(named)].filter((name) => {
    const field = fields.get(name)
    return field !== undefined && isVisible(context, field)
  })
}
