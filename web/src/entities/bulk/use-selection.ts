// The selection of a list on the screen. It is not in the address: whoever opens a copied one has selected nothing.
import type { ListQuery } from '@tributary/contract/list-query'
import { useCallback, useState } from 'react'
import {
  EVERYTHING,
  filterKey,
  invertSelection,
  NOTHING,
  type RowId,
  type RowSelection,
  setSelected,
} from './selection.ts'

export interface SelectionControl {
  readonly selection: RowSelection
  /** The same function as long as the filter is: rows hold it. */
  readonly set: (rows: readonly RowId[], isOn: boolean) => void
  readonly selectAll: () => void
  readonly invert: () => void
  readonly clear: () => void
}

export function useSelection(query: ListQuery): SelectionControl {
  const key = filterKey(query)
  const [held, setHeld] = useState({ key, selection: NOTHING })
  // Another filter, another set of rows: what was selected of the one before says nothing about it.
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
