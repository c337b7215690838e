// The selection of a list. It is not part of the address, so that a copied address selects nothing.
import { type ListQuery, writeListQuery } from '@tributary/contract/list-query'
import type { Selection } from '@tributary/contract/selection'
import { useCallback, useState } from 'react'
import { formatCount } from '../../lib/number-format.ts'

export type RowId = number | string

/** The selected rows of a list: ticked ones, or all except ticked ones. A selection ends when the list's filter changes. */
export interface RowSelection {
  /** The selected rows; the excluded rows if `exclusive`. */
  readonly ids: ReadonlySet<RowId>
  readonly exclusive: boolean
}

export const NOTHING: RowSelection = { ids: new Set(), exclusive: false }
export const EVERYTHING: RowSelection = { ids: new Set(), exclusive: true }

export const isSelected = ({ ids, exclusive }: RowSelection, id: RowId): boolean => ids.has(id) !== exclusive

/** `total`: rows that match the filter, on all pages. */
export const countSelected = ({ ids, exclusive }: RowSelection, total: number): number =>
  exclusive ? Math.max(0, total - ids.size) : ids.size

/** A number of rows for a sentence. If the total is an estimate, so is the number. */
export const countWords = (count: number, isEstimate = false): { count: number; rows: string } => ({
  count,
  rows: `${isEstimate ? '≈ ' : ''}${formatCount(count) ?? ''}`,
})

/** Selects or deselects rows, in either form of the selection. */
export function setSelected(selection: RowSelection, rows: readonly RowId[], isOn: boolean): RowSelection {
  const ids = new Set(selection.ids)
  for (const id of rows) {
    if (isOn === selection.exclusive) ids.delete(id)
    else ids.add(id)
  }
  return { ...selection, ids }
}

/** Swaps selected and unselected rows. */
export const invertSelection = ({ ids, exclusive }: RowSelection): RowSelection => ({ ids, exclusive: !exclusive })

/** Tells whether all, some or none of the page's rows are selected. */
export function pageState(selection: RowSelection, rows: readonly RowId[]): 'all' | 'some' | 'none' {
  const selected = rows.filter((id) => isSelected(selection, id)).length
  return selected === 0 ? 'none' : selected === rows.length ? 'all' : 'some'
}

/** The key of the filter that a selection belongs to. Page, size and order are not part of it. */
export const filterKey = ({ conditions, query }: ListQuery): string => writeFilter({ conditions, query })

function writeFilter({ conditions, query }: Pick<ListQuery, 'conditions' | 'query'>): string {
  const params = writeListQuery({ page: 1, limit: 20, order: [], conditions, query })
  return new URLSearchParams(params.filter(([key]) => key !== 'page' && key !== 'limit')).toString()
}

export const toWire = ({ ids, exclusive }: RowSelection, query: ListQuery): Selection => ({
  ids: [...ids],
  exclusive,
  filter: exclusive ? writeFilter(query) : '',
})

export interface SelectionControl {
  readonly selection: RowSelection
  /** Stable as long as the filter is, because memoised rows receive it. */
  readonly set: (rows: readonly RowId[], isOn: boolean) => void
  readonly selectAll: () => void
  readonly invert: () => void
  readonly clear: () => void
}

export function useSelection(query: ListQuery): SelectionControl {
  const key = filterKey(query)
  const [held, setHeld] = useState({ key, selection: NOTHING })
  // A selection of another filter does not apply.
  const selection = held.key === key ? held.selection : NOTHING
  const change = useCallback(
    (edit: (before: RowSelection) => RowSelection) =>
      setHeld((before) => ({ key, selection: edit(before.key === key ? before.selection : NOTHING) })),
    [key],
  )
  const set = useCallback(
    (rows: readonly RowId[], isOn: boolean) => change((before) => setSelected(before, rows, isOn)),
    [change],
  )
  return {
    selection,
    set,
    selectAll: () => change(() => EVERYTHING),
    invert: () => change(invertSelection),
    clear: () => change(() => NOTHING),
  }
}
