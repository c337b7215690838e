// Totals of the month: planned, spent, free, previous month, prediction, and how long the free amount lasts.
import type { BudgetAnswer } from '@tributary/contract/reports/budget'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Count, Dash } from '../../ui/value.tsx'
import classes from './budget.module.css'
import { BarLegend, BulletBar } from './bullet-bar.tsx'
import { FigureLink } from './figure-link.tsx'
import { PredictionText } from './prediction.tsx'
import { WarningBadges } from './warning-chips.tsx'

interface BudgetTotalsProps {
  answer: BudgetAnswer
  elapsed: number
  /** Address parameters of the reports behind actual and previous. */
  search: { readonly actual: Record<string, unknown> | null; readonly previous: Record<string, unknown> | null }
}

export function BudgetTotals({ answer, elapsed, search }: BudgetTotalsProps) {
  const { t } = useTranslation()
  const { total, currency } = answer
  const days = total.days_to_overlimit
  const cards: [string, ReactNode][] = [
    [t(($) => $.budget.columns.planned), <Count key="planned" value={total.budget} />],
    [
      t(($) => $.budget.columns.actual),
      <FigureLink
        key="actual"
        name={t(($) => $.budget.columns.actual)}
        value={total.actual_budget}
        search={search.actual}
      />,
    ],
    [t(($) => $.budget.columns.free), <Count key="free" value={total.free_budget} />],
    [
      t(($) => $.budget.columns.previous),
      <FigureLink
        key="previous"
        name={t(($) => $.budget.columns.previous)}
        value={total.previous}
        search={search.previous}
      />,
    ],
    [t(($) => $.budget.columns.prediction), <PredictionText key="prediction" {...total} />],
    [
      t(($) => $.budget.columns.days_to_overlimit),
      days === null ? <Dash key="days" /> : <span key="days">{t(($) => $.budget.days, { count: days })}</span>,
    ],
  ]
  return (
    <section className={classes.totals} aria-label={t(($) => $.budget.total)}>
      <dl className={classes.cards}>
        {cards.map(([label, value], place) => (
          <div key={label} className={classes.card}>
            <dt>{place < 5 && currency !== '' ? `${label}, ${currency}` : label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.totalBar}>
        <BulletBar planned={total.budget} actual={total.actual_budget} predicted={total.prediction} elapsed={elapsed} />
        <BarLegend />
        <WarningBadges warnings={total.warnings} />
      </div>
    </section>
  )
}
