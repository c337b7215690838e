// Warnings of the plan with the number of countries; clicking one filters the rows by it.
import { Tooltip } from '@mantine/core'
import { BUDGET_WARNINGS, type BudgetAnswer, type BudgetWarning } from '@tributary/contract/reports/budget'
import { useTranslation } from 'react-i18next'
import { StateBadge, type Tone } from '../../ui/state-badge.tsx'
import classes from './budget.module.css'
import { useBudgetState } from './budget-state.ts'

const TONES: Readonly<Record<BudgetWarning, Tone>> = {
  overlimit: 'negative',
  overlimit_expected: 'warning',
  budget_deficit: 'warning',
  spend_rise: 'accent',
  spend_without_plan: 'negative',
  parts_above_plan: 'warning',
  rate_missing: 'negative',
}

/** One line: the first warning, and the number of the others, which a tooltip names. */
export function WarningLine({ warnings }: { warnings: readonly BudgetWarning[] }) {
  const { t } = useTranslation()
  const [{ warning: filtered }] = useBudgetState()
  const found = BUDGET_WARNINGS.filter((warning) => warnings.includes(warning))
  // The warning by which rows are filtered comes first.
  const [first, ...others] = found.toSorted((a, b) => Number(b === filtered) - Number(a === filtered))
  if (first === undefined) return null
  const words = others.map((warning) => t(($) => $.budget.columns.signs[warning])).join(', ')
  return (
    <span className={classes.badges}>
      <StateBadge tone={TONES[first]}>{t(($) => $.budget.columns.signs[first])}</StateBadge>
      {others.length === 0 ? null : (
        <Tooltip label={words} events={{ hover: true, focus: true, touch: true }}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its words must be reachable by keyboard */}
          <span className={classes.more} role="img" aria-label={words} tabIndex={0}>
            +{others.length}
          </span>
        </Tooltip>
      )}
    </span>
  )
}

export function WarningBadges({ warnings }: { warnings: readonly BudgetWarning[] }) {
  const { t } = useTranslation()
  return (
    <span className={classes.badges}>
      {warnings.map((warning) => (
        <StateBadge key={warning} tone={TONES[warning]}>
          {t(($) => $.budget.columns.signs[warning])}
        </StateBadge>
      ))}
    </span>
  )
}

interface WarningChipsProps {
  /** Of countries. */
  counts: BudgetAnswer['warning_counts']
  chosen: BudgetWarning | null
  onChoose: (warning: BudgetWarning | null) => void
}

export function WarningChips({ counts, chosen, onChoose }: WarningChipsProps) {
  const { t } = useTranslation()
  const counted = BUDGET_WARNINGS.map((warning) => ({ warning, count: counts[warning] })).filter(
    ({ warning, count }) => count > 0 || warning === chosen,
  )
  if (counted.length === 0) return null
  return (
    <fieldset className={classes.chips} aria-label={t(($) => $.budget.columns.warnings)}>
      {counted.map(({ warning, count }) => (
        <button
          key={warning}
          type="button"
          className={classes.chip}
          aria-pressed={warning === chosen}
          onClick={() => onChoose(warning === chosen ? null : warning)}
        >
          <StateBadge tone={TONES[warning]}>{t(($) => $.budget.columns.signs[warning])}</StateBadge>
          {count}
        </button>
      ))}
    </fieldset>
  )
}
