// Takes rows that the user may not see, or that do not exist, out of the filters of a report: an address may name them.
import type { ReportFilterName } from '@tributary/contract/reports/choices'
import { useEffect, useEffectEvent, useState } from 'react'
import { findVisibleFilters, type VisibleFilters } from './filter-options.ts'
import type { FilterControl } from './filter-state.ts'

/** The names of the filters that have lost rows, until the screen is left. */
export function useLostFilters({ state, change }: FilterControl): readonly ReportFilterName[] {
  const [lost, setLost] = useState<readonly ReportFilterName[]>([])
  const look = useEffectEvent(() => findVisibleFilters(state.filters))
  const leaveOut = useEffectEvent((found: VisibleFilters) => {
    setLost((before) => [...before, ...found.hidden])
    change({ filters: found.visible }, { replace: true })
  })
  const named = JSON.stringify(state.filters)
  // Only the server knows which rows the user may see.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks again when the filters have changed
  useEffect(() => {
    let isLeft = false
    look().then(
      (found) => {
        if (found !== null && !isLeft) leaveOut(found)
      },
      // Rows that cannot be looked up stay, and are shown by their ids.
      () => undefined,
    )
    return () => {
      isLeft = true
    }
  }, [named])
  return lost
}
