// Stage 6 of a report run: formats derived rows for the answer. It adds titles and level names, sorts rows inside first-level rows, and appends
// unallocated spend.
import type { Language } from '@tributary/contract/language'
import { ALL, ALL_CAP } from '@tributary/contract/limits'
import { type Pagination, paginate } from '@tributary/contract/list-query'
import { formatDay } from '@tributary/contract/period'
import { LEVELS } from '@tributary/contract/reports/choices'
import type {
  Metrics,
  ReportRow,
  ReportTotal,
  SpendGroup,
  UnallocatedSpendItem,
} from '@tributary/contract/reports/general'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import type { Postgres } from '../../postgres/client.ts'
import type { ReportContext } from './context.ts'
import type { DerivedReport, DerivedRow, DerivedSpend } from './derive.ts'
import { sortForLevel } from './order.ts'
import type { GroupId, PageRequest, ReportQuery, Sort } from './query.ts'
import { compareTexts, placeholderOf, readGroupTitles, readTitles, type Title, toReportGroup } from './titles.ts'

/** The result of a report run. */
export interface ReportResult {
  readonly query: ReportQuery
  /** The rows of the page; rows of unallocated spend come last. */
  readonly rows: ReportRow[]
  readonly total: ReportTotal
  /** All unallocated spend that passes the metric filters, on any page. */
  readonly unallocated: readonly TitledSpend[]
  /** The number of rows on all pages. */
  readonly items: number
  readonly players: number
  readonly isRateMissing: boolean
  /** Inner levels are omitted, because one answer cannot hold their groups. */
  readonly areLevelsCut: boolean
}

/** Stage 6 of a report run: adds titles and placeholders, and writes the answer in the viewer's language. */
export async function formatReport(
  derived: DerivedReport,
  query: ReportQuery,
  { postgres, viewer }: ReportContext,
): Promise<ReportResult> {
  const { levels, items, players, isRateMissing } = derived
  const [titles, unallocated] = await Promise.all([
    readLevelTitles(postgres, levels, derived.rows),
    /** Adds the titles of country, partner and stream to unallocated spends. */
    addSpendTitles(derived.unallocated, postgres, viewer.language),
  ])
  const named = nameRows(derived.rows, { levels, titles, sort: query.sort, language: viewer.language })
  return {
    query,
    rows: [...named, ...pageSpends(unallocated, items, query)],
    total: derived.total,
    unallocated,
    items: items + unallocated.length,
    players,
    isRateMissing,
    areLevelsCut: levels.length < query.levels.length,
  }
}

type LevelTitles = readonly ReadonlyMap<number, Title>[]

/** Reads the titles of all groups of the rows, for each level. */
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

/** First-level and flat rows arrive sorted; inner rows are sorted here. */
function nameRows(rows: readonly DerivedRow[], naming: Naming, depth = 0): ReportRow[] {
  const { levels, titles, sort, language } = naming
  const level = levels[depth]
  const ordered = depth === 0 || level === undefined ? rows : sortRows(rows, level, titles[depth], sort)
  return ordered.map(({ ids, m, partial, children }) => {
    const groups = ids.flatMap((id, place) => {
      const own = levels[depth + place]
      const name = LEVELS[depth + place]
      return own === undefined || name === undefined
        ? []
        : [[name, toReportGroup(own, id, titles[depth + place] ?? new Map(), language)] as const]
    })
    const hasChildren = depth + ids.length < levels.length
    return {
      ...Object.fromEntries(groups),
      m,
      ...partial,
      ...(hasChildren && { children: nameRows(children, naming, depth + 1) }),
    }
  })
}

function sortRows(
  rows: readonly DerivedRow[],
  level: DimensionName,
  titles: ReadonlyMap<number, Title> = new Map(),
  sort: Sort | null,
): DerivedRow[] {
  const { by, desc } = sortForLevel(sort, level)
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

/** Unallocated spend with titles: as a row (`s`, `m`) and as an item of the list beside the rows. */
export interface TitledSpend {
  readonly s: SpendGroup
  readonly m: Metrics
  readonly listItem: UnallocatedSpendItem
}

/** Adds the titles of country, partner and stream to unallocated spend, in the order given. */
export async function addSpendTitles(
  spends: readonly DerivedSpend[],
  postgres: Postgres,
  language: Language,
): Promise<TitledSpend[]> {
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
    return { s: { id, title, ...place }, m, listItem: { ...place, price: m.s ?? 0, price_2: m.s_2 ?? null } }
  })
}

/** The rows of unallocated spend on the page. They follow the `before` other rows of all pages. */
function pageSpends(spends: readonly TitledSpend[], before: number, { page, limit }: PageRequest): ReportRow[] {
  const rows = spends.map(({ s, m }) => ({ s, m }))
  if (limit === ALL) return rows
  const start = (page - 1) * limit - before
  return rows.slice(Math.max(0, start), Math.max(0, start + limit))
}

/** Limits a request for all rows to the first ALL_CAP, because one answer cannot hold more. */
export const capPage = ({ page, limit }: PageRequest): PageRequest =>
  limit === ALL ? { page: 1, limit: ALL_CAP } : { page, limit }

/** If all rows were requested and one answer cannot hold them, the pagination lists the further pages. */
export const paginateReport = ({ page, limit }: PageRequest, items: number): Pagination =>
  limit === ALL && items > ALL_CAP ? paginate(1, ALL_CAP, items) : paginate(page, limit, items)
