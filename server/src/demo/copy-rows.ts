// Many rows into one table of the record, as fast as it takes them.
import { once } from 'node:events'
import type { PoolClient } from 'pg'
import { from } from 'pg-copy-streams'

export type CopyValue = string | number | boolean | null

const PIECE = 1 << 18

export async function copyRows(
  client: PoolClient,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const stream = client.query(from(`copy "${table}" (${columns.join(', ')}) from stdin`))
  const done = Promise.race([
    once(stream, 'finish'),
    once(stream, 'error').then(([error]) => Promise.reject(error as Error)),
  ])
  let text = ''
  for (const row of rows) {
    text += `${row.map(writeValue).join('\t')}\n`
    if (text.length < PIECE) continue
    if (!stream.write(text)) await Promise.race([once(stream, 'drain'), done])
    text = ''
  }
  stream.end(text)
  await done
}

function writeValue(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value !== 'string') return String(value)
  return /[\\\t\n\r]/.test(value)
    ? value.replace(/\\/g, '\\\\').replace(/\t/g, '\\t').replace(/\n/g, '\\n').replace(/\r/g, '\\r')
    : value
}
