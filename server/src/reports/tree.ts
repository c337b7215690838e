// The answer of a compiled report as a tree of numbers: no titles, no order below the first level yet.
import type { Metrics } from '@tributary/contract/reports/general'
import type { Derive, Whole } from './derive.ts'

export type GroupId = number | string

export interface TreeRow {
  readonly id: GroupId
  readonly m: Metrics
  readonly children: TreeRow[]
}

export interface Tree {
  readonly rows: TreeRow[]
  /** Numbers of the total, in the order of the statement. */
  readonly total: readonly Whole[]
  /** First-level rows on all pages, without those of entered spend alone. */
  readonly items: number
  readonly players: number
  readonly isRateMissing: boolean
  /** Innermost groups whose entered spend has no place in the report. */
  readonly lostSpends: number
}

/** `rows` as compilePage describes them; `numbers` = how many follow the ids. */
export function readTree(rows: readonly unknown[][], depth: number, numbers: number, derive: Derive): Tree {
  let total: readonly Whole[] = new Array<Whole>(numbers).fill(0)
  let items = 0
  const first: TreeRow[] = []
  for (const [count, tree] of rows) {
    items = Number(count)
    // The shape of the statement's own select.
    const own = tree as unknown[][]
    if (own.length === 1 && Number(own[0]?.[0]) === 0) total = readNumbers(own[0] ?? [], depth)
    else first.push(...nestRows(own, depth, derive))
  }
  const [players = 0, rateMissing = 0, lostSpends = 0] = total.slice(-3)
  return {
    rows: first,
    total,
    items,
    players: Number(players),
    isRateMissing: Number(rateMissing) > 0,
    lostSpends: Number(lostSpends),
  }
}

/** 64-bit integers come as doubles, or as text when asked for again. */
function readNumbers(row: readonly unknown[], depth: number): Whole[] {
  const numbers: Whole[] = []
  for (let index = depth + 1; index < row.length; index++) {
    const value = row[index]
    numbers.push(typeof value === 'string' ? BigInt(value) : (value as number))
  }
  return numbers
}

function nestRows(rows: readonly unknown[][], depth: number, derive: Derive): TreeRow[] {
  const known = new Map<string, TreeRow>()
  const roots: TreeRow[] = []
  // Parents stand before their children once rows are ordered by level.
  for (const row of rows.toSorted((a, b) => Number(a[0]) - Number(b[0]))) {
    const level = Number(row[0])
    const path = row.slice(1, level + 1) as GroupId[]
    const id = path[level - 1]
    if (id === undefined) continue
    const made: TreeRow = { id, m: derive(readNumbers(row, depth)), children: [] }
    const parent = known.get(keyOf(path.slice(0, -1)))
    if (parent === undefined) roots.push(made)
    else parent.children.push(made)
    if (level < depth) known.set(keyOf(path), made)
  }
  return roots
}

const keyOf = (path: readonly GroupId[]): string => JSON.stringify(path)
