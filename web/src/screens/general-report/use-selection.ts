// Selection of rows of one level inside the same parents. Selecting a row elsewhere starts anew.
import type { ReportRow } from '@tributary/contract/reports/general'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import { useState } from 'react'
import { keyOf, type PivotTree } from '../../reports/table/pivot-tree.ts'
import { groupOf } from './report-rows.ts'
import type { ChosenRows } from './row-filters.ts'

/** The parents of a row, outermost first. */
export function parentsOf(
  tree: PivotTree<ReportRow>,
  levels: readonly DimensionName[],
  index: number,
): ChosenRows['path'] {
  const path: { dimension: DimensionName; groups: NonNullable<ReturnType<typeof groupOf>>[] }[] = []
  for (let at = tree.parent[index] ?? -1; at >= 0; at = tree.parent[at] ?? -1) {
    const row = tree.rows[at]
    const group = row && groupOf(row)
    const dimension = levels[tree.depth[at] ?? 0]
    if (group && dimension) path.unshift({ dimension, groups: [group] })
  }
  return path
}

interface Selection {
  /** Null if rows are not being selected. */
  readonly selected: ReadonlySet<string> | null
  readonly chosen: ChosenRows | null
  readonly select: (index: number) => void
  readonly selectPage: () => void
  readonly toggleMode: () => void
  readonly end: () => void
}

export function useSelection(tree: PivotTree<ReportRow>, levels: readonly DimensionName[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const [parent, setParent] = useState(-1)
  const indices =
    selected === null
      ? []
      : [...tree.rows.keys()].filter((index) => tree.parent[index] === parent && selected.has(keyOf(tree, index)))
  const select = (index: number) => {
    const above = tree.parent[index] ?? -1
    const next = new Set(above === parent ? selected : [])
    const key = keyOf(tree, index)
    if (!next.delete(key)) next.add(key)
    setParent(above)
    setSelected(next)
  }
  const selectPage = () => {
    const all = [...tree.rows.keys()].filter((index) => {
      const row = tree.rows[index]
      return tree.parent[index] === parent && row !== undefined && groupOf(row) !== undefined
    })
    setSelected(new Set(all.map((index) => keyOf(tree, index))))
  }
  return {
    selected,
    chosen: chosenRows(tree, levels, indices),
    select,
    selectPage,
    toggleMode: () => setSelected(selected === null ? new Set() : null),
    end: () => setSelected(null),
  }
}

function chosenRows(
  tree: PivotTree<ReportRow>,
  levels: readonly DimensionName[],
  indices: readonly number[],
): ChosenRows | null {
  const [first] = indices
  const dimension = first === undefined ? undefined : levels[tree.depth[first] ?? 0]
  if (first === undefined || dimension === undefined) return null
  const groups = indices.flatMap((index) => {
    const row = tree.rows[index]
    const group = row && groupOf(row)
    return group ? [group] : []
  })
  return { path: parentsOf(tree, levels, first), dimension, groups }
}
