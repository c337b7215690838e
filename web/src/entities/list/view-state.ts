// What a view of a list holds, and whether what was kept is one.
import type { ListQuery } from '@tributary/contract/list-query'
import { isStoredColumns, isStoredList, type StoredColumns } from './list-storage.ts'

export interface ViewState extends Pick<ListQuery, 'conditions' | 'order' | 'limit'> {
  readonly columns?: StoredColumns
}

export function readViewState(state: unknown): ViewState | null {
  if (typeof state !== 'object' || state === null) return null
  const list = { ...state, panel: false }
  if (!isStoredList(list)) return null
  const { conditions, order, limit } = list
  const columns = 'columns' in state && isStoredColumns(state.columns) ? { columns: state.columns } : {}
  return { conditions, order, limit, ...columns }
}
