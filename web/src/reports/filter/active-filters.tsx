// Active filters as chips: a click opens the panel, the cross removes the filter.
import { REPORT_FILTER_NAMES, type ReportFilterName, reportFilterOf } from '@tributary/contract/reports/choices'
import { splitKey } from '@tributary/contract/reports/traffic'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatDay } from '../../lib/date-format.ts'
import { FilterChip, FilterChips } from '../../ui/filter-chip.tsx'
import classes from '../report.module.css'
import { useOptions } from './filter-options.ts'
import { COMPARISON_SIGNS, type Condition, type FilterControl, type Narrowing, withoutFilter } from './filter-state.ts'

/** A choice of the report beside its filters. */
export interface ExtraChip {
  readonly name: string
  readonly value: string
  readonly onRemove: () => void
}

interface ActiveFiltersProps {
  control: FilterControl
  onOpen: () => void
  extra?: readonly ExtraChip[]
}

export function ActiveFilters({ control, onOpen, extra = [] }: ActiveFiltersProps) {
  const words = useReportWords()
  const { state, change } = control
  const conditions = state.conditions ?? []
  const names = REPORT_FILTER_NAMES.filter((name) => state.filters[name] !== undefined)
  const filters = names.length + conditions.length
  if (filters + extra.length === 0) return null
  return (
    <div className={classes.chips}>
      <FilterChips>
        {extra.map((chip) => (
          <FilterChip key={chip.name} {...chip} />
        ))}
        {names.map((name) => {
          const narrowing = state.filters[name]
          return narrowing ? (
            <NarrowingChip
              key={name}
              name={name}
              narrowing={narrowing}
              onOpen={onOpen}
              onRemove={() => change({ filters: withoutFilter(state.filters, name) })}
            />
          ) : null
        })}
        {conditions.map((condition) => (
          <ConditionChip
            key={`${condition.metric} ${condition.comparison}`}
            condition={condition}
            onOpen={onOpen}
            onRemove={() => change({ conditions: conditions.filter((other) => other !== condition) })}
          />
        ))}
        {filters === 0 ? null : (
          <button
            type="button"
            className={classes.link}
            onClick={() => change({ filters: {}, ...(state.conditions && { conditions: [] }) })}
          >
            {words.filterPanel.clearAll}
          </button>
        )}
      </FilterChips>
    </div>
  )
}

interface ChipProps {
  onOpen: () => void
  onRemove: () => void
}

function NarrowingChip({ name, narrowing, ...handlers }: ChipProps & { name: ReportFilterName; narrowing: Narrowing }) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const options = useOptions(name, narrowing.values, words.filterPanel.notSelected)
  const titles =
    reportFilterOf(name).kind === 'period'
      ? [narrowing.values.map((day) => formatDay(String(day))).join(' – ')]
      : options.map(({ title }) => title)
  const [first = ''] = titles
  const value = titles.length > 1 ? t(($) => $.filterPanel.more, { first, count: titles.length - 1 }) : first
  const text =
    narrowing.mode === 'nin'
      ? t(($) => $.filterPanel.not, { value })
      : narrowing.mode === 'like'
        ? t(($) => $.filterPanel.containing, { value })
        : value
  return <FilterChip name={words.filters[name]} value={text} {...handlers} />
}

function ConditionChip({ condition, ...handlers }: ChipProps & { condition: Condition }) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { metric, isSecond } = splitKey(condition.metric)
  const label = words.metrics[metric]
  return (
    <FilterChip
      name={isSecond ? t(($) => $.filterPanel.second, { metric: label }) : label}
      value={`${COMPARISON_SIGNS[condition.comparison]} ${condition.value}`}
      {...handlers}
    />
  )
}
