// Reads the result of a `RowStatement` to groups with named components, still without titles and without order below the first level.
import { type ComponentKey, type Components, type ExactNumber, toExactNumber } from './components.ts'
import type { GroupId } from './query.ts'
import { isExtra, type RowLayout } from './row-layout.ts'

/** A group with its components and the groups inside it. */
export interface SummedRow {
  /** The group of the row; for a flat row, the groups of all levels. */
  readonly ids: readonly GroupId[]
  readonly components: Components
  readonly children: readonly SummedRow[]
}

/** The rows of one statement. */
export interface SummedRows {
  readonly rows: readonly SummedRow[]
  readonly total: Components
  /** The number of first-level or flat rows on all pages, without unallocated spend. */
  readonly items: number
  readonly players: number
  readonly isRateMissing: boolean
  /** The number of innermost groups with unallocated spend. */
  readonly unallocatedGroups: number
  /** The paths of those groups, as many as the statement lists. */
  readonly listedGroups: readonly (readonly GroupId[])[]
}

export const NO_ROWS: SummedRows = {
  rows: [],
  total: {},
  items: 0,
  players: 0,
  isRateMissing: false,
  unallocatedGroups: 0,
  listedGroups: [],
}

/** `answer` has the rows of a `RowStatement`. Throws `InexactNumber` like `toExactNumber`. */
export function readRows(answer: readonly unknown[][], { levels, isFlat, names }: RowLayout): SummedRows {
  const depth = levels.length
  const readComponents = componentReader(names)
  let summed = NO_ROWS
  const rows: SummedRow[] = []
  for (const [items, tree, namedGroups] of answer) {
    // The select of the statement has this shape.
    const own = tree as unknown[][]
    const [first = []] = own
    if (own.length === 1 && first[0] === 0)
      summed = {
        ...summed,
        ...readTotal(rowNumbers(first, depth), names),
        listedGroups: (namedGroups ?? []) as GroupId[][],
        total: readComponents(rowNumbers(first, depth)),
      }
    else if (isFlat)
      rows.push({ ids: rowIds(first, depth), components: readComponents(rowNumbers(first, depth)), children: [] })
    else rows.push(...nestRows(own, depth, readComponents))
    summed = { ...summed, items: Number(items) }
  }
  return { ...summed, rows, items: Math.max(summed.items, rows.length) }
}

// A row of the report is [level, group id of each level…, numbers].
const rowIds = (row: readonly unknown[], depth: number) => row.slice(1, depth + 1) as GroupId[]
const rowNumbers = (row: readonly unknown[], depth: number) => row[depth + 1] as readonly unknown[]

function readTotal(
  numbers: readonly unknown[],
  names: RowLayout['names'],
): Pick<SummedRows, 'players' | 'isRateMissing' | 'unallocatedGroups'> {
  const numberAt = (name: RowLayout['names'][number]): number =>
    Number(toExactNumber(numbers[names.indexOf(name)] ?? 0))
  return {
    players: numberAt('players'),
    isRateMissing: numberAt('rate_missing') > 0,
    unallocatedGroups: numberAt('lost_spends'),
  }
}

/** Returns a reader of a row's numbers. It looks the places up only once, because a report may have a hundred thousand rows. */
export function componentReader(names: RowLayout['names']): (numbers: readonly unknown[]) => Components {
  const places = names.flatMap((key, place) => (key === '' || isExtra(key) ? [] : [{ key, place }]))
  return (numbers) => {
    const components: Partial<Record<ComponentKey, ExactNumber>> = {}
    for (const { key, place } of places) components[key] = toExactNumber(numbers[place])
    return components
  }
}

interface Node extends SummedRow {
  readonly children: SummedRow[]
  /** Created with the first child. */
  childById: Map<GroupId, Node> | undefined
}

function nestRows(
  rows: readonly unknown[][],
  depth: number,
  readComponents: (numbers: readonly unknown[]) => Components,
): SummedRow[] {
  const top: Node = { ids: [], components: {}, children: [], childById: undefined }
  // Parents must exist before their children.
  for (let level = 1; level <= depth; level++)
    for (const row of rows) {
      if (row[0] !== level) continue
      const parent = parentOf(row, level, top)
      if (parent === undefined) continue
      const id = row[level] as GroupId
      const node: Node = {
        ids: [id],
        components: readComponents(rowNumbers(row, depth)),
        children: [],
        childById: undefined,
      }
      parent.children.push(node)
      if (level === depth) continue
      parent.childById ??= new Map()
      parent.childById.set(id, node)
    }
  return top.children
}

function parentOf(row: readonly unknown[], level: number, top: Node): Node | undefined {
  let parent: Node | undefined = top
  for (let above = 1; above < level; above++) parent = parent?.childById?.get(row[above] as GroupId)
  return parent
}
