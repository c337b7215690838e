// Migrations of large installations: one that reads or writes a whole table which grows with traffic keeps it locked for longer than a second
// at 100 M rows, and clicks or postbacks wait. Such a migration is listed here, and operators read of it in docs/operations.md.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { readMigrations } from '../../src/lib/migration.ts'
import { migratePostgres, POSTGRES_MIGRATIONS } from '../../src/postgres/migrate.ts'
import { createTestDatabase } from '../support/harness.ts'

/** The last migration of the first version whose data folders later ones start with. */
const FIRST_KEPT = 395

const GROWING = [
  'audit_log',
  'audit_log_past',
  'click_inbox',
  'click_rejection',
  'crm_attempt',
  'ledger_entry',
  'ledger_item',
  'outbox',
  'partner_spend',
  'player',
  'player_event',
  'postback',
  'postback_attempt',
  'postback_attempt_past',
  'postback_past',
  'reported_income',
  'statement_item',
]

/** Tables that a migration locks while it reads them whole, by its number. */
const LISTED: Readonly<Record<number, readonly string[]>> = {
  /** Its index is built while postbacks wait. */
  420: ['player'],
  /** Its claims get their currency. */
  480: ['partner_spend'],
  /** Others go on reading and writing the tables meanwhile. */
  522: ['audit_log', 'postback', 'postback_attempt'],
  /** Its index is built while spends wait. */
  530: ['partner_spend'],
  /** Its indexes are built while changes that are logged wait. */
  560: ['audit_log_past'],
}

const OPERATIONS = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')

/** Growing tables that the statements read or write whole. */
async function findLocked(client: Client, sql: string): Promise<string[]> {
  // Otherwise the connection still holds what it did before.
  await client.query('select pg_stat_force_next_flush()')
  await client.query('begin')
  await client.query(sql)
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_stat_xact_user_tables
      where relname = any($1) and (seq_scan > 0 or n_tup_upd > 0 or n_tup_del > 0) order by 1`,
    [GROWING],
  )
  await client.query('commit')
  return rows.map(({ name }) => name)
}

async function openDatabase(): Promise<Client> {
  const { url } = await createTestDatabase('empty')
  const client = new Client({ connectionString: url })
  await client.connect()
  const numbers = readMigrations(POSTGRES_MIGRATIONS).map(({ number }) => number)
  await migratePostgres(client, POSTGRES_MIGRATIONS, new Set(numbers.filter((number) => number <= FIRST_KEPT)))
  return client
}

test('a migration that locks a growing table for long is listed, and docs/operations.md names it [SYS-03]', async () => {
  const client = await openDatabase()
  const found: Record<number, string[]> = {}
  for (const { number, sql } of readMigrations(POSTGRES_MIGRATIONS)) {
    if (number <= FIRST_KEPT) continue
    const tables = await findLocked(client, sql)
    if (tables.length > 0) found[number] = tables
  }
  await client.end()
  expect(found).toEqual(LISTED)
  for (const number of Object.keys(LISTED)) expect(OPERATIONS).toContain(`\`${number.padStart(4, '0')}\``)
})

test.each([
  ['create index a_idx on player (created_at)', ['player']],
  ['alter table postback add column a timestamptz not null default clock_timestamp()', ['postback']],
  ['alter table postback add constraint a check (id > 0)', ['postback']],
  ['update player set partner_id = partner_id', ['player']],
  ['alter table postback add column a integer not null default 5', []],
  ['alter table postback add constraint a check (id > 0) not valid', []],
  ['create table a (id integer); create index on a (id)', []],
])('locked for long by “%s”: %j [SYS-03]', async (sql, tables) => {
  const client = await openDatabase()
  expect(await findLocked(client, sql)).toEqual(tables)
  await client.end()
})
