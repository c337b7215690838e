// Stage 6: from derived rows to those of the answer: titles, names of the levels, the order inside first-level rows, unallocated spend at the end.
import type { Language } from '@tributary/contract/language'
import { ALL, ALL_CAP } from '@tributary/contract/limits'
import { type Pagination, paginate } from '@tributary/contract/list-query'
import { LEVELS } from '@tributary/contract/reports/choices'
import type { Metrics, ReportRow, SpendGroup, UnallocatedSpendItem } from '@tributary/contract/reports/general'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import type { Postgres } from '../../postgres/client.ts'
import type { ReportContext } from './context.ts'
import type { DerivedReport, DerivedRow, DerivedSpend } from './derive.ts'
import { sortAt } from './order.ts'
import type { GroupId, PageRequest, ReportQuery, Sort } from './query.ts'
import { compareTexts, formatDay, nameGroup, placeholderOf, readGroupTitles, readTitles, type Title } from './titles.ts'

/** What a report run returns. */
export interface ReportResult {
  readonly query: ReportQuery
  /** Of the page; those of unallocated spend stand at the end. */
  readonly rows: ReportRow[]
  readonly total: Metrics
  /** All of it that passes the metric filters. */
  readonly unallocated: readonly NamedSpend[]
  /** Rows of all pages. */
  readonly items: number
  readonly players: number
  readonly isRateMissing: boolean
  /** Inner levels are left out: one answer does not hold their groups. */
  readonly areLevelsCut: boolean
}

export async function formatReport(
  derived: DerivedReport,
  query: ReportQuery,
  { postgres, viewer }: ReportContext,
): Promise<ReportResult> {
  const { levels, items, players, isRateMissing } = derived
  const [titles, unallocated] = await Promise.all([
    readLevelTitles(postgres, levels, derived.rows),
    nameSpends(derived.unallocated, postgres, viewer.language),
  ])
  const named = nameRows(derived.rows, { levels, titles, sort: query.sort, language: viewer.language })
  return {
    query,
    rows: [...named, ...pageOfSpends(unallocated, items, query)],
    total: derived.total,
    unallocated,
    items: items + unallocated.length,
    players,
    isRateMissing,
    areLevelsCut: levels.length < query.levels.length,
  }
}

type LevelTitles = readonly ReadonlyMap<number, Title>[]

/** Titles of all groups of the rows, for each level. */
function readLevelTitles(
  postgres: Postgres,
  levels: readonly DimensionName[],
  rows: readonly DerivedRow[],
): Promise<LevelTitles> {
  const ids = levels.map(() => new Set<GroupId>())
  collectIds(rows, ids, 0)
  return Promise.all(levels.map((level, depth) => readGroupTitles(postgres, level, ids[depth] ?? [])))
}

function collectIds(rows: readonly DerivedRow[], found: readonly Set<GroupId>[], depth: number): void {
  for (const { ids, children } of rows) {
    for (const [place, id] of ids.entries()) found[depth + place]?.add(id)
    collectIds(children, found, depth + 1)
  }
}

interface Naming {
  readonly levels: readonly DimensionName[]
  readonly titles: LevelTitles
  readonly sort: Sort | null
  readonly language: Language
}

/** First-level and flat rows come in their order; inner ones are sorted here. */
function nameRows(rows: readonly DerivedRow[], naming: Naming, depth = 0): ReportRow[] {
  const { levels, titles, sort, language } = naming
  const level = levels[depth]
  const ordered = depth === 0 || level === undefined ? rows : sortRows(rows, level, titles[depth], sort)
  return ordered.map(({ ids, m, children }) => {
    const groups = ids.flatMap((id, place) => {
      const own = levels[depth + place]
      const name = LEVELS[depth + place]
      return own === undefined || name === undefined
        ? []
        : [[name, nameGroup(own, id, titles[depth + place] ?? new Map(), language)] as const]
    })
    const hasChildren = depth + ids.length < levels.length
    return { ...Object.fromEntries(groups), m, ...(hasChildren && { children: nameRows(children, naming, depth + 1) }) }
  })
}

function sortRows(
  rows: readonly DerivedRow[],
  level: DimensionName,
  titles: ReadonlyMap<number, Title> = new Map(),
  sort: Sort | null,
): DerivedRow[] {
  const { by, desc } = sortAt(sort, level)
  const direction = desc ? -1 : 1
  const idOf = ({ ids: [id = ''] }: DerivedRow): GroupId => id
  if (by === 'group') {
    const nameOf = (id: GroupId) => (typeof id === 'number' ? (titles.get(id)?.title ?? '') : id)
    return rows.toSorted(
      (a, b) => direction * (compareTexts(nameOf(idOf(a)), nameOf(idOf(b))) || compareIds(idOf(a), idOf(b))),
    )
  }
  return rows.toSorted((a, b) => {
    const [left, right] = [a.m[by] ?? null, b.m[by] ?? null]
    if (left === right) return compareIds(idOf(a), idOf(b))
    if (left === null) return 1
    if (right === null) return -1
    return direction * (left - right)
  })
}

const compareIds = (a: GroupId, b: GroupId): number => (a < b ? -1 : a > b ? 1 : 0)

/** Unallocated spend with its titles: as a row, and as an item of the list beside the rows. */
export interface NamedSpend {
  readonly s: SpendGroup
  readonly m: Metrics
  readonly listed: UnallocatedSpendItem
}

export async function nameSpends(
  spends: readonly DerivedSpend[],
  postgres: Postgres,
  language: Language,
): Promise<NamedSpend[]> {
  const idsOf = (name: 'country' | 'partner' | 'stream') => spends.map(({ key }) => key[name])
  const [countries, partners, streams] = await Promise.all([
    readTitles(postgres, 'country', idsOf('country')),
    readTitles(postgres, 'partner', idsOf('partner')),
    readTitles(postgres, 'partner_stream', idsOf('stream')),
  ])
  const none = placeholderOf('offer', language)
  return spends.map(({ key, m }) => {
    const place = {
      country: countries.get(key.country)?.title ?? none,
      partner: partners.get(key.partner)?.title ?? none,
      stream: streams.get(key.stream)?.title ?? none,
      date: key.day,
    }
    const title = `NUS: ${[place.country, place.partner, place.stream, formatDay(key.day)].join(', ')}`
    const id = [key.country, key.partner, key.stream, key.day].join(':')
    return { s: { id, title, ...place }, m, listed: { ...place, price: m.s ?? 0, price_2: m.s_2 ?? null } }
  })
}

/** Rows of unallocated spend stand after the `before` others and are paged with them. */
function pageOfSpends(spends: readonly NamedSpend[], before: number, { page, limit }: PageRequest): ReportRow[] {
  const rows = spends.map(({ s, m }) => ({ s, m }))
  if (limit === ALL) return rows
  const start = (page - 1) * limit - before
  return rows.slice(Math.max(0, start), Math.max(0, start + limit))
}

/** The page that one answer can hold: of all rows, the first ALL_CAP. */
export const capPage = ({ page, limit }: PageRequest): PageRequest =>
  limit === ALL ? { page: 1, limit: ALL_CAP } : { page, limit }

/** Where all rows were asked for and one answer does not hold them, the pagination tells of the other pages. */
export const paginationOf = ({ page, limit }: PageRequest, items: number): Pagination =>
  limit === ALL && items > ALL_CAP ? paginate(1, ALL_CAP, items) : paginate(page, limit, items)
