// Saved views of a list. This browser also stores the default view, so that the list opens with it at once.
import { useQuery } from '@tanstack/react-query'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { ListAnswer, ListQuery } from '@tributary/contract/list-query'
import { http } from '../../data/http.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { isStoredColumns, isStoredList, type StoredColumns } from './list-storage.ts'

/** The state that a view stores. */
export interface ViewState extends Pick<ListQuery, 'conditions' | 'order' | 'limit'> {
  readonly columns?: StoredColumns
}

/** Validates the stored state of a view. */
export function readViewState(state: unknown): ViewState | null {
  if (typeof state !== 'object' || state === null) return null
  const list = { ...state, panel: false }
  if (!isStoredList(list)) return null
  const { conditions, order, limit } = list
  const columns = 'columns' in state && isStoredColumns(state.columns) ? { columns: state.columns } : {}
  return { conditions, order, limit, ...columns }
}

/** A saved view of a list. */
export interface SavedView {
  readonly id: number
  readonly version: number
  readonly title: string
  readonly shared: boolean
  readonly is_default: boolean
  readonly user: { readonly id: number; readonly title: string }
  /** Null if another version stored an unknown shape. */
  readonly state: ViewState | null
}

interface ViewRow extends Omit<SavedView, 'state'> {
  readonly state: unknown
}

const viewsKey = (name: EntityName) => [...keys.entity('saved_view'), name] as const

/** The user's own and shared views, by name. */
export function useViews(name: EntityName): readonly SavedView[] | undefined {
  const { data } = useQuery({
    queryKey: viewsKey(name),
    queryFn: ({ signal }) =>
      http.get<ListAnswer<ViewRow>>('saved_view', {
        query: [
          ['filter[list]', name],
          ['limit', '-1'],
          ['order[title]', 'ASC'],
        ],
        signal,
      }),
    select: ({ items }) => items.map((row) => ({ ...row, state: readViewState(row.state) })),
    staleTime: 60_000,
  })
  return data
}

/** What the form of a view sets. */
export interface ViewBody {
  readonly title: string
  readonly shared: boolean
  readonly is_default: boolean
}

/** Creates a view if `id` is null. Rejects with HttpError. */
export async function saveView(
  name: EntityName,
  id: number | null,
  body: Partial<ViewBody> & { readonly state?: ViewState },
): Promise<number> {
  const saved =
    id === null
      ? await http.post<{ id: number }>('saved_view', { ...body, list: name })
      : await http.patch<{ id: number }>(`saved_view/${id}`, body)
  await queryClient.invalidateQueries({ queryKey: viewsKey(name) })
  return saved.id
}

/** Rejects with HttpError. */
export async function deleteView(name: EntityName, id: number): Promise<void> {
  await http.delete(`saved_view/${id}`)
  await queryClient.invalidateQueries({ queryKey: viewsKey(name) })
}
