// The answer of a compiled report as a tree of numbers: no titles, no order below the first level yet.
import type { Metrics } from '@tributary/contract/reports/general'
import { type Derive, InexactNumber, type Whole } from './derive.ts'
import { EXTRAS } from './row-layout.ts'

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
  /** Their ids, level by level, as far as the statement names them. */
  readonly lostGroups: readonly (readonly GroupId[])[]
}

/** A row that stands alone, with the ids of all its groups. */
export interface FlatRow {
  readonly ids: readonly GroupId[]
  readonly m: Metrics
}

export interface Flat extends Omit<Tree, 'rows'> {
  readonly flat: FlatRow[]
}

/** `rows` as compileFlat describes them. */
export function readFlat(rows: readonly unknown[][], depth: number, numbers: number, derive: Derive): Flat {
  const flat: FlatRow[] = []
  const totals: unknown[][] = []
  for (const row of rows) {
    // The shape of the statement's own select.
    const [own] = row[1] as unknown[][]
    if (own === undefined || Number(own[0]) === 0) totals.push(row)
    else flat.push({ ids: own.slice(1, depth + 1) as GroupId[], m: derive(readNumbers(own, depth)) })
  }
  const { rows: _, ...tree } = readTree(totals, depth, numbers, derive)
  return { ...tree, items: Math.max(tree.items, flat.length), flat }
}

/** `rows` as compilePage describes them; `numbers` = how many follow the ids. */
export function readTree(rows: readonly unknown[][], depth: number, numbers: number, derive: Derive): Tree {
  let total: readonly Whole[] = new Array<Whole>(numbers).fill(0)
  let items = 0
  const first: TreeRow[] = []
  let lostGroups: readonly (readonly GroupId[])[] = []
  for (const [count, tree, lost] of rows) {
    items = Number(count)
    // The shapes of the statement's own select.
    const own = tree as unknown[][]
    if (own.length === 1 && Number(own[0]?.[0]) === 0) {
      total = readNumbers(own[0] ?? [], depth)
      lostGroups = (lost ?? []) as GroupId[][]
    } else first.push(...growTree(own, depth, derive))
  }
  const [players = 0, rateMissing = 0, lostSpends = 0] = total.slice(-EXTRAS.length)
  return {
    rows: first,
    total,
    items: Math.max(items, first.length),
    players: Number(players),
    isRateMissing: Number(rateMissing) > 0,
    lostSpends: Number(lostSpends),
    lostGroups,
  }
}

// The shape of the statement's own select.
const numbersIn = (row: readonly unknown[], depth: number) => row[depth + 1] as readonly unknown[]

const readNumbers = (row: readonly unknown[], depth: number): Whole[] => numbersIn(row, depth).map(toWhole)

/**
 * A 64-bit integer of an answer: a double, or text when it was asked for again. Throws `InexactNumber` where a double cannot hold it, so it is
 * called where a `Run` reads, which asks again.
 */
export function toWhole(value: unknown): Whole {
  if (typeof value === 'string') return BigInt(value)
  if (typeof value === 'bigint') return value
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new InexactNumber()
  return number
}

interface Node extends TreeRow {
  /** Made with the first child. */
  below: Map<GroupId, Node> | undefined
}

/** A hundred thousand rows pass through here: they are read where they lie. */
function growTree(rows: readonly unknown[][], depth: number, derive: Derive): TreeRow[] {
  const roots: TreeRow[] = []
  const top = new Map<GroupId, Node>()
  // Parents before their children.
  for (let level = 1; level <= depth; level++) {
    for (const row of rows) {
      if (row[0] === level) addRow(row, level, depth, top, roots, derive)
    }
  }
  return roots
}

function addRow(
  row: readonly unknown[],
  level: number,
  depth: number,
  top: Map<GroupId, Node>,
  roots: TreeRow[],
  derive: Derive,
): void {
  // Ids stand after the level, numbers after the ids: the form of the statement's own select.
  const ids = row as readonly GroupId[]
  let [siblings, list] = [top, roots]
  for (let above = 1; above < level; above++) {
    const parent = siblings.get(ids[above] ?? '')
    if (parent === undefined) return
    parent.below ??= new Map()
    siblings = parent.below
    list = parent.children
  }
  const id = ids[level] ?? ''
  const numbers = numbersIn(row, depth)
  const m = derive(typeof numbers[0] === 'string' ? numbers.map(toWhole) : (numbers as readonly Whole[]))
  const made: Node = { id, m, children: [], below: undefined }
  list.push(made)
  if (level < depth) siblings.set(id, made)
}
