// Whose streams they are, by their ids: the partner. Ids come from facts within scope.
import type { Language } from '@tributary/contract/language'
import type { ReportGroup } from '@tributary/contract/reports/general'
import { sql } from 'kysely'
import type { Postgres } from '../../postgres/client.ts'
import { placeholderOf } from '../titles.ts'

export async function ownersOf(
  { db }: Postgres,
  streams: readonly number[],
  language: Language,
): Promise<Map<number, { partner: ReportGroup }>> {
  const wanted = [...new Set(streams)].filter((id) => id !== 0)
  const none = { partner: { id: 0, title: placeholderOf('partner', language) } }
  if (wanted.length === 0) return new Map([[0, none]])
  const { rows } = await sql<{ id: number; partner: number; title: string }>`
    select s.id, p.id as partner, p.title from partner_stream s join partner p on p.id = s.partner_id
    where s.id = any(${wanted})`.execute(db)
  return new Map([
    [0, none],
    ...rows.map(({ id, partner, title }) => [id, { partner: { id: partner, title } }] as const),
  ])
}
