// Queries of saved reports, formulas and deliveries.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReportDelivery, ReportFormula, SavedReport } from '@tributary/contract/reports/saved'
import { useEffect, useEffectEvent, useRef } from 'react'
import { http } from '../../data/http.ts'
import { queryClient } from '../../data/query-client.ts'

/** Opens the user's default saved report if the address contains no report parameters. */
export function useDefaultReport(report: string, isWanted: boolean, onOpen: (saved: SavedReport) => void): void {
  const { data } = useQuery({ ...savedQuery(report), enabled: isWanted })
  const isDone = useRef(!isWanted)
  const open = useEffectEvent(onOpen)
  // Only the first answer counts: later ones contain reports that the user saved in the meantime.
  useEffect(() => {
    if (data === undefined || isDone.current) return
    isDone.current = true
    const chosen = data.find((saved) => saved.is_default && saved.is_own)
    if (chosen !== undefined) open(chosen)
  }, [data])
}

export const savedQuery = (report: string) =>
  queryOptions({
    queryKey: ['saved_report', report],
    queryFn: async ({ signal }) =>
      (await http.get<{ items: SavedReport[] }>('saved_report', { query: { report }, signal })).items,
  })

export const formulasQuery = queryOptions({
  queryKey: ['report_formula'],
  queryFn: async ({ signal }) => (await http.get<{ items: ReportFormula[] }>('report_formula', { signal })).items,
  staleTime: 60_000,
})

export const deliveriesQuery = (saved: number) =>
  queryOptions({
    queryKey: ['report_delivery', saved],
    queryFn: async ({ signal }) =>
      (
        await http.get<{ items: ReportDelivery[] }>('report_delivery', {
          query: { saved_report: saved, limit: 10 },
          signal,
        })
      ).items,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'waiting' || status === 'sending') ? 3000 : false,
  })

export const refreshSaved = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['saved_report'] })
export const refreshFormulas = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['report_formula'] })
