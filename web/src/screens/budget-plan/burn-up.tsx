// Cumulative spend of the month against a straight plan, continued to the prediction.
import { addDays } from '@tributary/contract/period'
import type { BudgetAnswer } from '@tributary/contract/reports/budget'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../lib/date-format.ts'
import { formatCount } from '../../lib/number-format.ts'
import classes from '../../reports/table/chart.module.css'
import type { Series } from '../../reports/table/series.ts'
import { SeriesChart } from '../../reports/table/series-chart.tsx'

export function BurnUp({ answer }: { answer: BudgetAnswer }) {
  const { t } = useTranslation()
  const { month, days, burn_up, total } = answer
  const dates = Array.from({ length: days }, (_, index) => addDays(`${month}-01`, index))
  const spent = new Map(burn_up.map(({ date, actual }) => [date, Number(actual)]))
  const planned = total.budget === null ? null : Number(total.budget)
  const end = total.prediction === null ? null : Number(total.prediction)
  const last = burn_up.length - 1
  const now = last < 0 ? 0 : Number(burn_up[last]?.actual ?? 0)
  const predictedAt = (place: number): number | null => {
    if (end === null || place < last || last === days - 1) return null
    return Math.floor(now + ((end - now) * (place - last)) / (days - 1 - last))
  }
  const series = (title: string, valueAt: (date: string, place: number) => number | null): Series => ({
    title,
    dots: dates.map((at, place) => ({ at, title: formatDay(at) ?? at, value: valueAt(at, place) })),
  })
  const label = t(($) => $.budget.burnUp)
  return (
    <section className={classes.card} aria-label={label}>
      <header className={classes.head}>
        <h2 className={classes.title}>{label}</h2>
        <span className={classes.unit}>{answer.currency}</span>
      </header>
      <SeriesChart
        label={label}
        kind="lines"
        series={[
          series(
            t(($) => $.budget.columns.actual),
            (at) => spent.get(at) ?? null,
          ),
          ...(planned === null
            ? []
            : [
                series(
                  t(($) => $.budget.straight),
                  (_, place) => Math.floor((planned * (place + 1)) / days),
                ),
              ]),
          ...(end === null || last === days - 1
            ? []
            : [
                series(
                  t(($) => $.budget.columns.prediction),
                  (_, place) => predictedAt(place),
                ),
              ]),
        ]}
        shortTitle={({ at }) => (formatDay(at) ?? '').slice(0, 5)}
        format={(value) => formatCount(value) ?? '–'}
      />
    </section>
  )
}
