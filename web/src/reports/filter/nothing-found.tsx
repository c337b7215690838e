// An empty report: says so and offers a longer period and a reset of filters.
import { Button } from '@mantine/core'
import { type Period, presetPeriod } from '@tributary/contract/period'
import { useReportWords } from '../../i18n/labels.ts'
import { formatDay } from '../../lib/date-format.ts'
import { failureText } from '../../lib/form-errors.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { EmptyState } from '../../ui/states.tsx'
import type { FilterState } from './filter-state.ts'

/** Longer periods to offer. */
const LONGER = ['current_month', 'current_year'] as const

/** The first preset of LONGER with days outside the period; undefined if there is none. */
export function longerPeriod({ from, to }: Period, today: string) {
  return LONGER.map((preset) => ({ preset, days: presetPeriod(preset, today) })).find(
    ({ days }) => days.from < from || days.to > to,
  )
}

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
    <EmptyState
      title={isFiltered ? words.empty.nothing : words.empty.title}
      text={isFiltered ? words.empty.filtered : words.empty.text}
    >
      {longer ? <Button onClick={() => onDays(longer.days)}>{words.empty[longer.preset]}</Button> : null}
      {isFiltered ? (
        <Button variant="default" onClick={onClear}>
          {words.empty.clear}
        </Button>
      ) : null}
    </EmptyState>
  )
}

interface WrongDaysProps {
  state: Period
  error: Error
  onDays: (days: Period) => void
}

/** A period that no report has, such as a thousand years: names it and the limit, and offers a shorter one. */
export function WrongDays({ state, error, onDays }: WrongDaysProps) {
  const words = useReportWords()
  const days = presetPeriod('current_year', businessToday())
  return (
    <EmptyState
      title={words.empty.wrongDays}
      text={`${formatDay(state.from)} – ${formatDay(state.to)}: ${failureText(error)}`}
    >
      <Button onClick={() => onDays(days)}>{words.empty.current_year}</Button>
    </EmptyState>
  )
}
