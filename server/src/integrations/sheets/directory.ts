// The names that a partner's sheet may use.

import type { Pool } from 'pg'
import { plainText } from './grid.ts'
import type { Directory } from './place-cells.ts'

interface NameRow {
  readonly name: string
  readonly id: number
}

/** Of equal names the first counts. */
const byName = (rows: readonly NameRow[]): Map<string, number> =>
  new Map(rows.toReversed().map(({ name, id }) => [plainText(name), id]))

/** `currency`: where the sheet names none. */
export async function readDirectory(pool: Pool, partner: number, currency: number | null): Promise<Directory> {
  const read = async (statement: string, values: unknown[] = []): Promise<NameRow[]> =>
    (await pool.query<NameRow>(statement, values)).rows
  const own = await read(
    'select title as name, id from partner_stream where partner_id = $1 order by active desc, id',
    [partner],
  )
  const countries = await read(`select name, id from (
      select m.title as name, m.country_id as id, 1 as place from country_mapping m
      union all select title, id, 2 from country union all select code, id, 3 from country) as named
    where name is not null order by place, id`)
  const currencies = await read('select value as name, id from currency order by active desc, id')
  return {
    streams: byName(own),
    countries: byName(countries),
    currencies: byName(currencies),
    currency,
  }
}
