// Reads the whole record from one snapshot: tables as pieces of rows, sequences, waiting jobs.

import { Client, escapeIdentifier } from 'pg'
import { to } from 'pg-copy-streams'
import { ignore } from '../lib/promises.ts'
import { FINISHED_RESTORE } from '../postgres/restore-state.ts'
import type { Manifest, RecordTable } from './manifest.ts'
import { type Writing, writePiece } from './pieces.ts'

export interface RecordSnapshot {
  readonly client: Client
  /** On PostgreSQL's clock. */
  readonly moment: Date
  close(): Promise<void>
}

/** Everything that is read by its client is as it was when this resolved. */
export async function openRecordSnapshot(url: string): Promise<RecordSnapshot> {
  const client = new Client({ connectionString: url, application_name: 'tributary back-up', keepAlive: true })
  client.on('error', ignore)
  await client.connect()
  try {
    await client.query('set timezone = utc; set datestyle = iso; set extra_float_digits = 1')
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now from pg_database limit 1')
    return { client, moment: rows[0]?.now ?? new Date(), close: () => client.end() }
  } catch (error) {
    await client.end().catch(ignore)
    throw error
  }
}

interface TableRow {
  name: string
  key: string[]
  columns: string[]
}

/** Tables with the columns that can be written, the primary key first. What an unlogged table holds may be lost at any time. */
const TABLES_SQL = `select c.relname as name, coalesce(k.key, '{}') as key,
    coalesce(k.key, '{}') || array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
      and not a.attisdropped and a.attgenerated = '' and a.attname <> all(coalesce(k.key, '{}')) order by a.attnum) as columns
  from pg_class c left join lateral (select array_agg(a.attname::text order by u.n) as key
      from pg_index i cross join unnest(i.indkey) with ordinality u (attnum, n)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = u.attnum and a.attgenerated = ''
      where i.indrelid = c.oid and i.indisprimary) k on true
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p' and c.relname not in ('migration', '${FINISHED_RESTORE}')
  order by c.relname`

const listColumns = (columns: readonly string[]): string => columns.map(escapeIdentifier).join(', ')

export async function dumpTables({ client }: RecordSnapshot, writing: Writing): Promise<RecordTable[]> {
  const { rows: tables } = await client.query<TableRow>(TABLES_SQL)
  const dumped: RecordTable[] = []
  for (const { name, key, columns } of tables) {
    const order = key.length === 0 ? '' : ` order by ${listColumns(key)}`
    const sql = `copy (select ${listColumns(columns)} from ${escapeIdentifier(name)}${order}) to stdout`
    const pieces: RecordTable['pieces'] = []
    for await (const { content, rows } of splitRows(client.query(to(sql))))
      pieces.push({ ...(await writePiece(writing, content)), rows })
    dumped.push({ name, columns, pieces })
  }
  return dumped
}

const NEW_LINE = 10
const TAB = 9
/** Rows whose ids are in one range form a piece, so that a changed row changes no other piece. */
const IDS_PER_PIECE = 20_000
const PIECE_BYTES = 16 * 1024 * 1024

/** Splits COPY's text into pieces of whole rows. */
async function* splitRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ content: Buffer; rows: number }> {
  let rest: Buffer = Buffer.alloc(0)
  let lines: Buffer[] = []
  let [bytes, range] = [0, Number.NaN]
  const take = (): { content: Buffer; rows: number } => {
    const piece = { content: Buffer.concat(lines), rows: lines.length }
    ;[lines, bytes] = [[], 0]
    return piece
  }
  for await (const chunk of chunks) {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = text.indexOf(NEW_LINE, start); end >= 0; end = text.indexOf(NEW_LINE, start)) {
      const line = text.subarray(start, end + 1)
      const lineRange = rangeOf(line)
      if (lines.length > 0 && (bytes >= PIECE_BYTES || (lineRange !== range && !Number.isNaN(lineRange)))) yield take()
      range = lineRange
      lines.push(line)
      bytes += line.length
      start = end + 1
    }
    rest = text.subarray(start)
  }
  if (rest.length > 0) throw new Error('the rows of a table ended within a row')
  if (lines.length > 0) yield take()
}

/** The range of a row whose first column is a number; NaN for any other row. */
function rangeOf(line: Buffer): number {
  const end = line.indexOf(TAB)
  return Math.floor(Number(line.toString('latin1', 0, end < 0 ? line.length - 1 : Math.min(end, 20))) / IDS_PER_PIECE)
}

/** Sequences are not part of a snapshot: read last, they are at least as high as any stored id. */
export async function dumpSequences({ client }: RecordSnapshot): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' and last_value is not null order by 1`,
  )
  return rows.map(({ name, value }) => ({ name, value: Number(value) }))
}

/** Jobs that are done are not stored. */
export async function dumpJobs({ client }: RecordSnapshot, writing: Writing): Promise<Manifest['jobs']> {
  const { rows } = await client.query<{ job: object }>(
    `select to_jsonb(j) as job from jobs.job j where state < 'completed' order by name, id`,
  )
  return rows.length === 0 ? [] : [await writePiece(writing, Buffer.from(JSON.stringify(rows.map(({ job }) => job))))]
}

export async function readMigrationNumbers({ client }: RecordSnapshot): Promise<number[]> {
  const { rows } = await client.query<{ number: number }>('select number from migration order by number')
  return rows.map(({ number }) => number)
}
