// Copies many rows into one table of PostgreSQL as fast as it accepts them.
import { once } from 'node:events'
import type { PoolClient } from 'pg'
import { from } from 'pg-copy-streams'
import { createLineBytes } from '../server/src/facts/line-bytes.ts'

export type CopyValue = string | number | boolean | null

/** Rows that gather as the text that COPY reads: as rows they would cost the collector of garbage dearly. */
export interface RowText {
  add(row: readonly CopyValue[]): void
  /** Returns all text added since the last call. */
  take(): Buffer
}

export function createRowText(): RowText {
  let lines = createLineBytes()
  return {
    add: (row) => lines.add(row.map(writeValue).join('\t')),
    take() {
      const text = lines.finish()
      lines = createLineBytes()
      return text
    },
  }
}

export async function copyRows(
  client: PoolClient,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const text = createRowText()
  for (const row of rows) text.add(row)
  await copyText(client, table, columns, text.take())
}

const PIECE = 1 << 18

export async function copyText(
  client: PoolClient,
  table: string,
  columns: readonly string[],
  text: Buffer,
): Promise<void> {
  const stream = client.query(from(`copy "${table}" (${columns.join(', ')}) from stdin`))
  const done = Promise.race([
    once(stream, 'finish'),
    once(stream, 'error').then(([error]) => Promise.reject(error as Error)),
  ])
  for (let at = 0; at < text.length; at += PIECE) {
    if (!stream.write(text.subarray(at, at + PIECE))) await Promise.race([once(stream, 'drain'), done])
  }
  stream.end()
  await done
}

function writeValue(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value !== 'string') return String(value)
  return /[\\\t\n\r]/.test(value)
    ? value.replace(/\\/g, '\\\\').replace(/\t/g, '\\t').replace(/\n/g, '\\n').replace(/\r/g, '\\r')
    : value
}
