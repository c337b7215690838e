// Maps rows of an answer to the pivot table: children, ids, titles. An unallocated (NUS) row stands beside groups with an id of its own.
import type { GeneralReportAnswer, ReportGroup, ReportRow, ReportTotal } from '@tributary/contract/reports/general'
import { buildTree, type PivotTree, pathOf } from '../../reports/table/pivot-tree.ts'

export const groupOf = (row: ReportRow): ReportGroup | undefined => row.g ?? row.sg ?? row.tg ?? row.fg

export const titleOf = (row: ReportRow): string => groupOf(row)?.title ?? row.s?.title ?? ''

export function treeOf(answer: GeneralReportAnswer): PivotTree<ReportRow> {
  return buildTree(answer.rows, {
    childrenOf: (row) => row.children,
    idOf: (row) => groupOf(row)?.id ?? `nus ${row.s?.id}`,
  })
}

const groupsOf = (row: ReportRow): ReportGroup[] =>
  [row.g, row.sg, row.tg, row.fg].filter((group) => group !== undefined)

/** Unique among the rows of one level. */
export const idOfRow = (row: ReportRow): string =>
  row.s ? `nus ${row.s.id}` : JSON.stringify(groupsOf(row).map(({ id }) => id))

/** The tree of a flat answer, in which no row has children. */
export function flatTreeOf(answer: GeneralReportAnswer): PivotTree<ReportRow> {
  return buildTree(answer.rows, {
    childrenOf: () => undefined,
    idOf: idOfRow,
  })
}

/** The position of a flat row on the wire: its groups. */
export const flatPlaceOf = (row: ReportRow): { path: (string | number)[]; nus?: string } =>
  row.s ? { path: [], nus: row.s.id } : { path: groupsOf(row).map(({ id }) => id) }
export const flatTitlesOf = (row: ReportRow): string[] =>
  row.s ? [row.s.title] : groupsOf(row).map(({ title }) => title)

/** The totals as a row without a group. */
export const totalRow = ({ partial, ...m }: ReportTotal): ReportRow => ({ m, ...(partial && { partial }) })

/** The position of a row on the wire. */
export function placeOf(tree: PivotTree<ReportRow>, index: number): { path: (string | number)[]; nus?: string } {
  const nus = tree.rows[index]?.s?.id
  return nus === undefined ? { path: pathOf(tree, index) } : { path: [], nus }
}

/** Titles from the first level down to a row. */
export function titlesOf(tree: PivotTree<ReportRow>, index: number): string[] {
  const titles: string[] = []
  for (let at = index; at >= 0; at = tree.parent[at] ?? -1) {
    const row = tree.rows[at]
    if (row) titles.unshift(titleOf(row))
  }
  return titles
}
