// Inserts rows of the demo network into PostgreSQL.
import type { PoolClient } from 'pg'
import type { Random } from './random.ts'

type Row = Readonly<Record<string, unknown>>

export const at = <T>(items: readonly T[], index: number): T => {
  const item = items[index]
  if (item === undefined) throw new RangeError(`nothing at ${index}`)
  return item
}

/** Rows of one shape into one table, in order. */
export async function insert(client: PoolClient, table: string, rows: readonly Row[]): Promise<number[]> {
  const first = rows[0]
  if (!first) return []
  const columns = Object.keys(first)
  const list = columns.map((column) => `"${column}"`).join(', ')
  const values = columns.map((column) => `line."${column}"`).join(', ')
  const hasId =
    !/^(advertiser_landing|partner_group_team_leader|partner_partner_tag|partner_group_offer|partner_billing_currency|offer_partner_(landing|offer_partner_tag))$/.test(
      table,
    )
  const { rows: made } = await client.query<{ id: number }>(
    `insert into "${table}" (${list}) select ${values} from jsonb_populate_recordset(null::"${table}", $1) with ordinality as line order by line.ordinality
     ${hasId ? 'returning id' : ''}`,
    [JSON.stringify(rows)],
  )
  return made.map(({ id }) => id)
}

/** A version 4 UUID from the seeded source, so that partner offers keep their addresses from one demo to the next. */
export function uuidFrom(random: Random): string {
  const part = () => random.below(4_294_967_296).toString(16).padStart(8, '0')
  const hex = `${part()}${part()}${part()}${part()}`
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
