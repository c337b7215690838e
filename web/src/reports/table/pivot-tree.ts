// A tree of grouped rows as flat arrays in display order, so that expanding 50,000 rows is one pass over numbers.

export interface PivotTree<R> {
  /** All rows, each before its children. */
  readonly rows: readonly R[]
  readonly depth: Uint8Array
  /** Index of the parent row, -1 on the first level. */
  readonly parent: Int32Array
  /** Index after the last descendant. */
  readonly end: Int32Array
  readonly idOf: (row: R) => string | number
}

export interface TreeShape<R> {
  readonly childrenOf: (row: R) => readonly R[] | undefined
  /** Unique among siblings. */
  readonly idOf: (row: R) => string | number
}

/** The rows that the user opened. It identifies rows by ids, so that it survives a new answer. */
export interface Expansion {
  readonly isOpen: boolean
  /** Rows whose state differs from `isOpen`. */
  readonly except: ReadonlySet<string>
}

export const ALL_CLOSED: Expansion = { isOpen: false, except: new Set() }
export const ALL_OPEN: Expansion = { isOpen: true, except: new Set() }

const SEPARATOR = '\u001f'

export function buildTree<R>(roots: readonly R[], { childrenOf, idOf }: TreeShape<R>): PivotTree<R> {
  const rows: R[] = []
  const depths: number[] = []
  const parents: number[] = []
  const ends: number[] = []
  const add = (row: R, depth: number, parent: number) => {
    const index = rows.push(row) - 1
    depths.push(depth)
    parents.push(parent)
    ends.push(0)
    for (const child of childrenOf(row) ?? []) add(child, depth + 1, index)
    ends[index] = rows.length
  }
  for (const root of roots) add(root, 0, -1)
  return {
    rows,
    depth: Uint8Array.from(depths),
    parent: Int32Array.from(parents),
    end: Int32Array.from(ends),
    idOf,
  }
}

export const hasChildren = (tree: Pick<PivotTree<unknown>, 'end'>, index: number): boolean =>
  (tree.end[index] ?? 0) > index + 1

/** The ids from the first level down to a row. */
export function pathOf<R>(tree: PivotTree<R>, index: number): (string | number)[] {
  const path: (string | number)[] = []
  for (let at = index; at >= 0; at = tree.parent[at] ?? -1) {
    const row = tree.rows[at]
    if (row !== undefined) path.unshift(tree.idOf(row))
  }
  return path
}

export const keyOf = <R>(tree: PivotTree<R>, index: number): string => pathOf(tree, index).join(SEPARATOR)

export function isExpanded<R>(tree: PivotTree<R>, expansion: Expansion, index: number): boolean {
  if (expansion.except.size === 0) return expansion.isOpen
  return expansion.except.has(keyOf(tree, index)) !== expansion.isOpen
}

export function toggle<R>(tree: PivotTree<R>, expansion: Expansion, index: number): Expansion {
  const except = new Set(expansion.except)
  const key = keyOf(tree, index)
  if (!except.delete(key)) except.add(key)
  return { isOpen: expansion.isOpen, except }
}

/** Indices of visible rows, from top to bottom. */
export function listVisible<R>(tree: PivotTree<R>, expansion: Expansion): Int32Array {
  const visible = new Int32Array(tree.rows.length)
  let count = 0
  let index = 0
  while (index < tree.rows.length) {
    visible[count] = index
    count += 1
    index = hasChildren(tree, index) && !isExpanded(tree, expansion, index) ? (tree.end[index] ?? 0) : index + 1
  }
  return visible.subarray(0, count)
}
