// Loads and saves the spend table, and what is missing beside it.
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { MissingSpends, SpendTable, SpendUpdateAnswer } from '@tributary/contract/calls/spend-table'
import { useRef } from 'react'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import type { SpendTableState } from './spend-table-state.ts'

const TABLE = 'partner_spend/table'
const MISSING = 'partner_spend/missing'

const tableQuery = (partner: number | null, month: string) =>
  queryOptions({
    queryKey: keys.report(TABLE, { partner, month }),
    queryFn: ({ signal }) => http.get<SpendTable>(TABLE, { query: { partner, month }, signal }),
    // Comparing thousands of cells with their predecessors costs more than it saves.
    structuralSharing: false,
    // The grid is edited over it: it is loaded again after a save, not under the user's hands.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Null partner: nothing is loaded. */
export const useTable = (partner: number | null, month: string) =>
  useQuery({ ...tableQuery(partner, month), placeholderData: keepPreviousData, enabled: partner !== null })

/** Asks for a table before its screen is drawn. */
export function useTableAhead(): (of: Pick<SpendTableState, 'partner' | 'month'>) => void {
  const client = useQueryClient()
  return ({ partner, month }) => {
    if (partner !== null) void client.prefetchQuery(tableQuery(partner, month))
  }
}

/** Null: of all partners. Loaded once the table is there, which people wait for. */
export function useMissing({ partner, group, month }: SpendTableState, isTableLoading: boolean) {
  const query = {
    month,
    ...(partner !== null ? { partner } : group !== null && { partner_group: group }),
  }
  return useQuery({
    queryKey: keys.report(MISSING, query),
    queryFn: ({ signal }) => http.get<MissingSpends>(MISSING, { query, signal }),
    placeholderData: keepPreviousData,
    enabled: !isTableLoading,
  })
}

/** Waits for the table; the rest follows. */
export function useSpendRefresh(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({ queryKey: ['report', TABLE] })
    void client.invalidateQueries({ queryKey: ['report', MISSING] })
    void client.invalidateQueries({ queryKey: keys.entity('partner_spend') })
  }
}

interface TableSaving {
  /** The newest table: the versions of its cells are those of the record. Throws if it cannot be loaded. */
  readonly newest: () => Promise<SpendTable>
  readonly save: (cells: readonly object[]) => Promise<SpendUpdateAnswer>
  /** Shows what was saved at once; the table is loaded again behind it, for which nobody waits but the next save. */
  readonly show: (saved: SpendTable) => void
}

export function useTableSaving({
  partner: { id: partner },
  month,
}: Pick<SpendTable, 'partner' | 'month'>): TableSaving {
  const client = useQueryClient()
  const refresh = useSpendRefresh()
  const loading = useRef<Promise<void>>(Promise.resolve())
  const queryKey = keys.report(TABLE, { partner, month })
  return {
    async newest() {
      await loading.current
      const isBehind = client.getQueryState(queryKey)?.error != null
      if (isBehind) await refresh()
      const { data, error } = client.getQueryState<SpendTable, Error>(queryKey) ?? {}
      if (error != null || data === undefined) throw error ?? new Error('no table')
      return data
    },
    save: (cells) => http.put<SpendUpdateAnswer>('partner_spend/update_table', { partner, month, cells }),
    show(saved) {
      client.setQueryData(queryKey, saved)
      loading.current = refresh()
    },
  }
}
