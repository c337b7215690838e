// The handler that finds records for the palette, among the rows and entities that the caller may see.
import type { Calls } from '@tributary/contract/calls/registry'
import { SEARCH_LIMIT, type SearchItem, type SearchKind } from '@tributary/contract/calls/search'
import { inOtherLayout } from '@tributary/contract/keyboard-layout'
import { EMPTY_QUERY } from '@tributary/contract/list-query'
import { sql } from 'kysely'
import { scopeOptions } from '../clickhouse/client.ts'
import { isoOf } from '../clickhouse/statement.ts'
import { bindParam } from '../entities/engine/clickhouse/condition.ts'
import { compileClickhouseWhere, createClickhouseQuery } from '../entities/engine/clickhouse/list.ts'
import { clickTimeOf } from '../entities/engine/clickhouse/source.ts'
import { entityNamed, type Fragment, type Row } from '../entities/engine/model/model.ts'
import { type Db, mayView, type RequestContext } from '../entities/engine/model/request-context.ts'
import type { Services } from '../services.ts'
import type { Handler } from './handler.ts'
import {
  findNamed,
  findOffersByCode,
  findOffersByNames,
  findOffersByStream,
  findOffersByTypo,
  findPlayers,
  readText,
  type SearchedText,
  SHORTEST_PART,
  WORD_SIMILARITY,
} from './search-sql.ts'
import { findClick } from './trace.ts'

const click = entityNamed('click')
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
  const [records, clicks] = await Promise.all([
    services.postgres.withTransaction(async (db) => {
      await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(WORD_SIMILARITY)}, true)`.execute(db)
      return findRecords(db, context, searched)
    }),
    findClicks(context, services, searched),
  ])
  return clicks.length === 0 ? records : [...records, { kind: 'click', items: clicks.map(asClick), score: 1.1 }]
}

const asClick = ({ id, created_at }: Row): SearchItem => ({
  id: String(id),
  title: String(id),
  detail: typeof created_at === 'string' ? created_at : null,
  active: true,
  matched: null,
})

/** The click with the id, or the first clicks whose ids begin with the text. */
async function findClicks(
  context: RequestContext,
  services: Services,
  { uuid, clickStart }: SearchedText,
): Promise<Row[]> {
  if (uuid !== null) {
    const found = await findClick(context, services, uuid)
    return found === null ? [] : [found]
  }
  if (clickStart === null || !mayView(context, click)) return []
  const builder = await createClickhouseQuery(context, click)
  const scope = await compileClickhouseWhere(builder, EMPTY_QUERY)
  // Ids begin with their time, so that only rows of about a minute are read.
  const [from, until] = ['0', 'f'].map((digit) =>
    bindParam(builder, clickTimeOf(clickStart.padEnd(12, digit)), "DateTime64(3, 'UTC')"),
  )
  const start = bindParam(builder, clickStart, 'String')
  const rows = await services.clickhouse.query<{ id: string; created_at: string }>(
    `select id, created_at from click where created_at between ${from} and ${until} and startsWith(replaceAll(toString(id), '-', ''), ${start})
      and ${scope} order by created_at, id limit ${SEARCH_LIMIT}`,
    builder.params,
    scopeOptions(),
  )
  return rows.map((row) => ({ id: row.id, created_at: isoOf(row.created_at) }))
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
    if (searched.words.some(({ length }) => length >= SHORTEST_PART))
      statements.push(findOffersByStream(context, searched, SEARCH_LIMIT))
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
