// Reads the budget plan, and saves what is changed in it. The old answer stays while a new one is on its way.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BudgetAnswer, BudgetInput } from '@tributary/contract/reports/budget'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'

const PATH = 'budget_report/report'
const REFRESH_MS = 60_000

export function useBudget(request: BudgetInput) {
  return useQuery({
    queryKey: keys.report(PATH, request),
    queryFn: ({ signal }) => http.post<BudgetAnswer>(PATH, request, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

/** Whoever has changed a plan sees it in the report and in lists. */
export function useBudgetRefresh(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['report', PATH] }),
      client.invalidateQueries({ queryKey: keys.entity('budget') }),
      client.invalidateQueries({ queryKey: keys.entity('partner_budget') }),
      client.invalidateQueries({ queryKey: keys.entity('budget_version') }),
    ])
  }
}

/** A plan that is there, or the cell that gets one. */
export type PlanTarget =
  | { readonly entity: 'budget' | 'partner_budget'; readonly id: number; readonly version: number | null }
  | {
      readonly entity: 'budget' | 'partner_budget'
      readonly id: null
      readonly cell: Readonly<Record<string, number | string>>
    }

export function savePlan(target: PlanTarget, planned: string, reason?: string): Promise<unknown> {
  if (target.id === null) return http.post(target.entity, { ...target.cell, planned })
  return http.patch(`${target.entity}/${target.id}`, {
    planned,
    ...(target.version !== null && { version: target.version }),
    ...(reason !== undefined && { reason }),
  })
}
