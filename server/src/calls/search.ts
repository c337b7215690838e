// The handler that finds records for the palette, among the rows and entities that the caller may see.
import type { Calls } from '@tributary/contract/calls/registry'
import { SEARCH_LIMIT, type SearchItem, type SearchKind } from '@tributary/contract/calls/search'
import { sql } from 'kysely'
import { entityNamed, type Fragment } from '../entities/engine/model/model.ts'
import { type Db, mayView, type RequestContext } from '../entities/engine/model/request-context.ts'
import type { Services } from '../services.ts'
import type { Handler } from './handler.ts'
import { inOtherLayout } from './keyboard-layout.ts'
import {
  findNamed,
  findOffersByCode,
  findOffersByNames,
  findOffersByTypo,
  findPlayers,
  readText,
  type SearchedText,
  WORD_SIMILARITY,
} from './search-sql.ts'
import { findClick } from './trace.ts'

const NAMED_KINDS = ['partner', 'offer', 'advertiser', 'user'] as const

interface SearchHit {
  readonly id: number
  readonly title: string
  readonly detail: string | null
  readonly active: boolean
  readonly field: string | null
  readonly value?: string | null
  readonly score: number
}

interface Group {
  readonly kind: SearchKind
  readonly items: readonly SearchItem[]
  /** Score of the best item. */
  readonly score: number
}

export const searchRecords: Handler<Calls['search']> = async ({ query, context }, services) => {
  const groups = await findGroups(context, services, query.query)
  const other = groups.length > 0 ? null : inOtherLayout(query.query)
  if (other === null) return toAnswer(query.query, groups)
  const inOther = await findGroups(context, services, other)
  return toAnswer(inOther.length > 0 ? other : query.query, inOther)
}

const toAnswer = (query: string, groups: readonly Group[]) => ({
  query,
  groups: [...groups]
    .sort((a, b) => b.score - a.score)
    .map(({ kind, items }) => ({ kind, items: items.map((item) => ({ ...item })) })),
})

async function findGroups(context: RequestContext, services: Services, query: string): Promise<Group[]> {
  const searched = readText(query)
  const [records, click] = await Promise.all([
    services.postgres.withTransaction(async (db) => {
      await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(WORD_SIMILARITY)}, true)`.execute(db)
      return findRecords(db, context, searched)
    }),
    searched.uuid === null ? null : findClick(context, services, searched.uuid),
  ])
  if (click === null) return records
  const id = String(click.id)
  const detail = typeof click.created_at === 'string' ? click.created_at : null
  return [...records, { kind: 'click', items: [{ id, title: id, detail, active: true, matched: null }], score: 1.1 }]
}

async function findRecords(db: Db, context: RequestContext, searched: SearchedText): Promise<Group[]> {
  const sees = (name: string) => mayView(context, entityNamed(name))
  const groups: Group[] = []
  // No name contains a UUID.
  for (const kind of searched.uuid === null ? NAMED_KINDS : [])
    if (sees(kind)) groups.push(await readGroup(db, kind, [findNamed(context, kind, searched, SEARCH_LIMIT)]))
  if (sees('player')) groups.push(await readGroup(db, 'player', [findPlayers(context, searched, SEARCH_LIMIT)]))
  if (sees('offer_partner')) {
    const statements = [findOffersByCode(context, searched, SEARCH_LIMIT)]
    if (searched.words.length > 1) statements.push(findOffersByNames(context, searched, SEARCH_LIMIT))
    const exact = await readGroup(db, 'offer_partner', statements)
    const isUnknown = exact.items.length === 0 && groups.every(({ items }) => items.length === 0)
    groups.push(
      isUnknown ? await readGroup(db, 'offer_partner', [findOffersByTypo(context, searched, SEARCH_LIMIT)]) : exact,
    )
  }
  return groups.filter(({ items }) => items.length > 0)
}

/** Runs the statements; a record that several of them find is kept with its best score. */
async function readGroup(db: Db, kind: SearchKind, statements: readonly Fragment[]): Promise<Group> {
  const hits: SearchHit[] = []
  for (const statement of statements) hits.push(...(await sql<SearchHit>`${statement}`.execute(db)).rows)
  const best = new Map<number, SearchHit>()
  for (const row of hits.sort((a, b) => Number(b.score) - Number(a.score))) if (!best.has(row.id)) best.set(row.id, row)
  const rows = [...best.values()].slice(0, SEARCH_LIMIT)
  return { kind, items: rows.map(asItem), score: Number(rows[0]?.score ?? 0) }
}

const asItem = ({ id, title, detail, active, field, value }: SearchHit): SearchItem => ({
  id,
  title,
  detail: detail === '' ? null : detail,
  active,
  matched: field === null ? null : { field, value: value ?? String(id) },
})
