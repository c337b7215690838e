// Months of logs as partitions: made before their rows come, and dropped as a whole when the settings keep them no longer. What was there when
// the tables were partitioned is one partition; rows of a moment without a partition wait in another one, so that no write ever fails.

import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg'
import type { Postgres } from './client.ts'

/** Each table with the column that tells the month, and the primary key of a partition. */
const MONTHLY_TABLES = {
  audit_log: { at: 'at', key: 'id' },
  postback: { at: 'created_at', key: 'id' },
  postback_attempt: { at: 'at', key: 'postback_id, number' },
} as const
export type MonthlyTable = keyof typeof MONTHLY_TABLES
export const MONTHLY_TABLE_NAMES = Object.keys(MONTHLY_TABLES) as MonthlyTable[]

/** So many months are made before they begin. */
const MONTHS_AHEAD = 3
/** Dropping and attaching lock the table; whoever waits for the lock holds back all others. */
const LOCK_LIMIT = '3s'

/** 'YYYY-MM', so many months after the month of a moment (UTC). */
export function monthFrom(moment: number, months: number): string {
  const date = new Date(moment)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)).toISOString().slice(0, 7)
}

const startOf = (month: string): string => `${month}-01 00:00:00+00`

interface Partition {
  readonly name: string
  /** Where it ends; null for the rows without a partition. */
  readonly until: Date | null
}

const PARTITIONS_SQL = `select c.relname as name,
    substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \\('([^']+)'\\)$re$)::timestamptz as until
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by until`

async function readPartitions(client: Pick<ClientBase, 'query'>, table: MonthlyTable): Promise<Partition[]> {
  return (await client.query<Partition>(PARTITIONS_SQL, [table])).rows
}

/** Makes the partitions of the coming months. `now` is in milliseconds. Returns the names of new ones. */
export async function addMonthPartitions({ pool }: Pick<Postgres, 'pool'>, now: number): Promise<string[]> {
  const added: string[] = []
  for (const table of MONTHLY_TABLE_NAMES) {
    const last = (await readPartitions(pool, table)).findLast(({ until }) => until !== null)?.until
    if (last == null) continue
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
      const month = monthFrom(now, ahead)
      if (Date.parse(`${month}-01`) < last.getTime()) continue
      await inTransaction(pool, (client) => addPartition(client, table, month, monthFrom(now, ahead + 1)))
      added.push(partitionName(table, month))
    }
  }
  return added
}

const partitionName = (table: MonthlyTable, month: string): string => `${table}_${month.replace('-', '_')}`

/** Rows of the month that came before their partition move into it. */
async function addPartition(client: ClientBase, table: MonthlyTable, month: string, next: string): Promise<void> {
  const { at, key } = MONTHLY_TABLES[table]
  const [name, rest] = [escapeIdentifier(partitionName(table, month)), escapeIdentifier(`${table}_rest`)]
  const [from, to] = [escapeLiteral(startOf(month)), escapeLiteral(startOf(next))]
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const columns = rows[0]?.columns ?? ''
  await client.query(`lock table ${table} in share row exclusive mode`)
  await client.query(`create table ${name} (like ${table} including all, primary key (${key}))`)
  await client.query(`with moved as (delete from ${rest} where ${at} >= ${from} and ${at} < ${to} returning ${columns})
    insert into ${name} (${columns}) select ${columns} from moved`)
  await client.query(`alter table ${table} attach partition ${name} for values from (${from}) to (${to})`)
}

/** Drops partitions that end before the month ('YYYY-MM'). Returns their names. */
export async function dropMonthPartitions(
  { pool }: Pick<Postgres, 'pool'>,
  table: MonthlyTable,
  before: string,
): Promise<string[]> {
  const end = Date.parse(`${before}-01`)
  const partitions = await readPartitions(pool, table)
  const old = partitions.filter(({ until }) => until !== null && until.getTime() <= end)
  for (const { name } of old)
    await inTransaction(pool, async (client) => void (await client.query(`drop table ${escapeIdentifier(name)}`)))
  return old.map(({ name }) => name)
}

async function inTransaction(pool: Postgres['pool'], work: (client: ClientBase) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = '${LOCK_LIMIT}'`)
    await work(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
