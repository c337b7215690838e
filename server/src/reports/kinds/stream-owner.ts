// Whose streams they are, by their ids: the partner. Ids come from facts within scope.
import type { Language } from '@tributary/contract/language'
import type { ReportGroup } from '@tributary/contract/reports/general'
import { sql } from 'kysely'
import type { Postgres } from '../../postgres/client.ts'
import { placeholderOf } from '../engine/titles.ts'

/** Of the stream 0, and of one that is gone, the owner is not selected. */
export async function ownersOf(
  { db }: Postgres,
  streams: readonly number[],
  language: Language,
): Promise<(stream: number) => ReportGroup> {
  const none = { id: 0, title: placeholderOf('partner', language) }
  const wanted = [...new Set(streams)].filter((id) => id !== 0)
  if (wanted.length === 0) return () => none
  const { rows } = await sql<{ id: number; partner: number; title: string }>`
    select s.id, p.id as partner, p.title from partner_stream s join partner p on p.id = s.partner_id
    where s.id = any(${wanted})`.execute(db)
  const owners = new Map(rows.map(({ id, partner, title }) => [id, { id: partner, title }]))
  return (stream) => owners.get(stream) ?? none
}
