// The names that a file of spends may use, and the rows that they stand for.

import type { MessageKey } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { remember } from '../../lib/remember.ts'
import { withoutGuard } from '../../lib/sheet.ts'
import { entityNamed } from '../engine/model/model.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import type { FileNamesOfRow } from './import-layout.ts'

interface NameRow {
  readonly name: string
  readonly id: number
}

interface StreamRow extends NameRow {
  readonly partner: string
}

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

export interface FoundNames {
  readonly stream: number
  readonly country: number
  /** Null: the file names no currency. */
  readonly currency: number | null
}

export interface NameProblem {
  /** The place of the column. */
  readonly column: number
  readonly key: MessageKey
}

export interface FileNames {
  /** Ids of the streams that may occur. */
  readonly streams: readonly number[]
  find(row: FileNamesOfRow): FoundNames | NameProblem
}

/** Streams within the caller's scope, of one partner or of all; countries by alternative title, title or code. */
export async function readFileNames(db: Db, context: RequestContext, partner: number | null): Promise<FileNames> {
  const scope = context.scopeOf(entityNamed('partner_stream'), 't') ?? sql`true`
  const streams = await sql<StreamRow>`select t.id, t.title as name, p.title as partner
    from partner_stream as t join partner as p on p.id = t.partner_id
    where (${partner}::int is null or t.partner_id = ${partner}::int) and ${scope} order by t.active desc, t.id`.execute(
    db,
  )
  const countries = await sql<NameRow>`select name, id from (
      select m.title as name, m.country_id as id, 1 as place from country_mapping m
      union all select title, id, 2 from country union all select code, id, 3 from country) as named
    where name is not null order by place, id`.execute(db)
  const currencies = await sql<NameRow>`select name, id from (
      select value as name, id, 1 as place from currency union all select title, id, 2 from currency) as named
    order by place, id`.execute(db)
  const byStream = Map.groupBy(streams.rows, ({ name }) => plain(name))
  const byCountry = byName(countries.rows)
  const byCurrency = byName(currencies.rows)
  const written = new Map<string, readonly string[]>()
  const namesOf = (text: string): readonly string[] => remember(written, text, () => waysToRead(text))
  const lookUp = <T>(named: ReadonlyMap<string, T>, text: string): T | undefined => {
    const [whole = '', bare = ''] = namesOf(text)
    return named.get(whole) ?? named.get(bare)
  }
  return {
    streams: streams.rows.map(({ id }) => id),
    find({ partner: owner, stream, country, currency, columns }) {
      const named = lookUp(byStream, stream) ?? []
      const owners = namesOf(owner)
      const own = owner === '' ? named : named.filter((one) => owners.includes(plain(one.partner)))
      const [found, ...others] = own
      if (found === undefined) return { column: columns.stream, key: 'spend_stream_unknown' }
      if (others.some((one) => one.partner !== found.partner))
        return { column: columns.stream, key: 'spend_stream_ambiguous' }
      const countryId = lookUp(byCountry, country)
      if (countryId === undefined) return { column: columns.country, key: 'import_country_unknown' }
      const currencyId = currency === '' ? null : byCurrency.get(plain(currency))
      if (currencyId === undefined) return { column: columns.currency, key: 'import_currency_unknown' }
      return { stream: found.id, country: countryId, currency: currencyId }
    },
  }
}

/** As the name is written, and without the guard of an exported one that looks like a formula. */
const waysToRead = (text: string): readonly string[] => [plain(text), plain(withoutGuard(text))]

/** Of equal names the first counts. */
const byName = (rows: readonly NameRow[]): Map<string, number> =>
  new Map(rows.toReversed().map(({ name, id }) => [plain(name), id]))
