// A report without rows: what would be there, and the steps to it that are at hand, a longer period and no filters.
import { Button } from '@mantine/core'
import type { Period } from '@tributary/contract/period'
import { useReportWords } from '../../i18n/labels.ts'
import { businessToday } from '../../state/business-zone.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { FilterState } from './filter-control.ts'
import { longerPeriod } from './longer-period.ts'

interface NothingFoundProps {
  state: FilterState
  onDays: (days: Period) => void
  onClear: () => void
}

export function NothingFound({ state, onDays, onClear }: NothingFoundProps) {
  const words = useReportWords()
  const longer = longerPeriod(state, businessToday())
  const isFiltered = Object.keys(state.filters).length > 0 || (state.conditions?.length ?? 0) > 0
  return (
    <EmptyState title={words.empty.title} text={words.empty.text}>
      {longer ? <Button onClick={() => onDays(longer.days)}>{words.empty[longer.preset]}</Button> : null}
      {isFiltered ? (
        <Button variant="default" onClick={onClear}>
          {words.empty.clear}
        </Button>
      ) : null}
    </EmptyState>
  )
}
