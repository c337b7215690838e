// Loads the budget plan and saves its changes. The old answer stays until the new one arrives.
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

/** Reloads the report and the lists after a change of a plan. */
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

/** An existing plan, or the cell in which one is created. */
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
