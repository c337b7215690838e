// From a tree of numbers to the rows of the answer: titles, level keys, and one order at every level.
import type { Language } from '@tributary/contract/language'
import { LEVELS } from '@tributary/contract/reports/choices'
import type { ReportRow } from '@tributary/contract/reports/general'
import { type DimensionName, dimensionOf } from '@tributary/contract/reports/traffic'
import type { Postgres } from '../../postgres/client.ts'
import { sortAt } from './order.ts'
import type { Question, Sort } from './query.ts'
import type { GroupId, TreeRow } from './read-rows.ts'
import { compareTexts, nameGroup, readTitles, type Title } from './titles.ts'

export type LevelTitles = readonly ReadonlyMap<number, Title>[]

/** Titles of all groups of the tree, for each level. */
export function readLevelTitles(
  postgres: Postgres,
  levels: readonly DimensionName[],
  rows: readonly TreeRow[],
): Promise<LevelTitles> {
  const ids = levels.map(() => new Set<number>())
  collectIds(rows, ids, 0)
  return Promise.all(levels.map((level, depth) => readTitlesAt(postgres, level, ids[depth] ?? new Set())))
}

export async function readTitlesAt(
  postgres: Postgres,
  level: DimensionName,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, Title>> {
  const { entity } = dimensionOf(level)
  if (entity === undefined) return new Map()
  return readTitles(postgres, entity, [...ids])
}

function collectIds(rows: readonly TreeRow[], ids: readonly Set<number>[], depth: number): void {
  for (const { id, children } of rows) {
    if (typeof id === 'number') ids[depth]?.add(id)
    collectIds(children, ids, depth + 1)
  }
}

/** First-level rows keep the order in which they came; those below are put into it here. */
export function nestRows(
  rows: readonly TreeRow[],
  question: Question,
  titles: LevelTitles,
  language: Language,
  depth = 0,
): ReportRow[] {
  const level = question.levels[depth]
  const key = LEVELS[depth]
  if (level === undefined || key === undefined) return []
  const known = titles[depth] ?? new Map<number, Title>()
  const ordered = depth === 0 ? rows : orderRows(rows, level, known, question.sort)
  return ordered.map(({ id, m, children }) => ({
    [key]: nameGroup(level, id, known, language),
    m,
    ...(depth + 1 < question.levels.length && { children: nestRows(children, question, titles, language, depth + 1) }),
  }))
}

export function orderRows(
  rows: readonly TreeRow[],
  level: DimensionName,
  titles: ReadonlyMap<number, Title>,
  asked: Sort | null,
): TreeRow[] {
  const { by, desc } = sortAt(asked, level)
  const direction = desc ? -1 : 1
  if (by === 'group') {
    const nameOf = (id: GroupId) => (typeof id === 'number' ? (titles.get(id)?.title ?? '') : id)
    return rows.toSorted((a, b) => direction * (compareTexts(nameOf(a.id), nameOf(b.id)) || compareIds(a.id, b.id)))
  }
  return rows.toSorted((a, b) => {
    const [left, right] = [a.m[by] ?? null, b.m[by] ?? null]
    if (left === right) return compareIds(a.id, b.id)
    if (left === null) return 1
    if (right === null) return -1
    return direction * (left - right)
  })
}

const compareIds = (a: GroupId, b: GroupId): number => (a < b ? -1 : a > b ? 1 : 0)
