// Every constraint that users can violate has its field and message.

import { ENTITIES, ENTITY_NAMES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { columnOf, fieldsOf, isStored } from '../../src/entities/engine/model/model.ts'
import { CONSTRAINTS } from '../../src/postgres/constraints.ts'
import { createTestDatabase } from '../support/harness.ts'

let constraints: { table: string; name: string; type: string }[] = []
let columns: Map<string, Set<string>>

/** Columns that only the product writes. */
const OUT_OF_REACH = new Set([
  'offer_partner_uuid_key',
  'offer_partner_postback_uuid_key',
  'player_advertiser_id_outer_id_key',
  'api_key_hash_idx',
  // Statements and invoices are written by their own calls only.
  'payment_invoice_crm_key_key',
  'payment_invoice_line_carried_key',
  'payment_invoice_line_carries_check',
  'statement_live_key',
])

beforeAll(async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const found = await client.query<{ table: string; name: string; type: string }>(
    `select c.relname as table, k.conname as name, k.contype as type from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype in ('u', 'c', 'x') and k.connamespace = 'public'::regnamespace
     union all select t.relname, i.relname, 'u' from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       where x.indisunique and not x.indisprimary and t.relnamespace = 'public'::regnamespace
       and not exists (select from pg_constraint k where k.conindid = i.oid)`,
  )
  constraints = found.rows
  const named = await client.query<{ table: string; names: string[] }>(
    `select table_name as table, array_agg(column_name::text) as names from information_schema.columns where table_schema = 'public' group by 1`,
  )
  columns = new Map(named.rows.map(({ table, names }) => [table, new Set(names)]))
  await client.end()
})

test.each(ENTITY_NAMES)('%s: constraints are assigned to fields', (name) => {
  const entity: Entity = ENTITIES[name]
  for (const { table, name: constraint } of constraints) {
    if (table !== name || OUT_OF_REACH.has(constraint)) continue
    const violation = CONSTRAINTS.get(constraint)
    expect(violation, constraint).toBeDefined()
    expect(fieldsOf(entity).has(violation?.field ?? ''), constraint).toBe(true)
  }
})

test.each(ENTITY_NAMES)('%s: fields that are unique in the registry are unique in PostgreSQL', (name) => {
  const entity: Entity = ENTITIES[name]
  if (entity.source === 'clickhouse') return
  for (const fields of entity.unique) {
    const key = `${name}_${fields.map((field) => (entity.fields[field]?.kind === 'reference' ? `${field}_id` : field)).join('_')}_key`
    expect(constraints.map((constraint) => constraint.name)).toContain(key)
  }
})

test.each(ENTITY_NAMES)('%s: every field has its column', (name) => {
  const entity: Entity = ENTITIES[name]
  if (entity.source === 'clickhouse') return
  for (const [field, declared] of fieldsOf(entity)) {
    if (isStored(declared)) expect(columns.get(name), field).toContain(columnOf(field, declared))
    if (declared.kind === 'references') {
      const { table, own, other } = declared.through
      expect([...(columns.get(table) ?? [])].sort((a, b) => a.localeCompare(b))).toEqual(
        [other, own].sort((a, b) => a.localeCompare(b)),
      )
    }
  }
})
