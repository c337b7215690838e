// A bullet bar: planned as the track, predicted and actual on it, and a mark for the spend of a straight plan today.
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/number-format.ts'
import classes from './budget.module.css'

interface BulletBarProps {
  planned: string | null
  actual: string
  predicted: string | null
  /** 0 to 1: the elapsed fraction of the month. */
  elapsed: number
}

export function BulletBar({ planned, actual, predicted, elapsed }: BulletBarProps) {
  const { t } = useTranslation()
  const [plan, spent, expected] = [planned, actual, predicted].map((text) => Math.max(0, Number(text ?? 0)))
  const whole = Math.max(plan ?? 0, spent ?? 0, expected ?? 0)
  const share = (value = 0): string => (whole === 0 ? '0' : `${Math.min(100, (value / whole) * 100)}%`)
  const pace = (plan ?? 0) * elapsed
  const isOver = planned !== null && (spent ?? 0) > (plan ?? 0)
  const said = {
    planned: formatCount(planned) ?? '–',
    actual: formatCount(actual) ?? '–',
    predicted: formatCount(predicted) ?? '–',
    pace: planned === null ? '–' : (formatCount(Math.floor(pace)) ?? '–'),
  }
  const text = t(($) => $.budget.bar, said)
  return (
    <span className={classes.bar} role="img" aria-label={text} title={text}>
      <i className={classes.plan} style={{ width: share(plan) }} />
      <i className={classes.expected} style={{ width: share(expected) }} />
      <i className={isOver ? `${classes.spent} ${classes.over}` : classes.spent} style={{ width: share(spent) }} />
      {planned === null || elapsed <= 0 || elapsed >= 1 ? null : (
        <i className={classes.pace} style={{ left: share(pace) }} />
      )}
    </span>
  )
}

export function BarLegend() {
  const { t } = useTranslation()
  const marks = [
    [classes.plan, t(($) => $.budget.legend.planned)],
    [classes.spent, t(($) => $.budget.legend.actual)],
    [classes.expected, t(($) => $.budget.legend.predicted)],
    [classes.pace, t(($) => $.budget.legend.pace)],
  ]
  return (
    <ul className={classes.barLegend} aria-hidden>
      {marks.map(([mark, label]) => (
        <li key={label}>
          <i className={mark} />
          {label}
        </li>
      ))}
    </ul>
  )
}
