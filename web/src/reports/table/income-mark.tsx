// Says beside a number, or in its place, that income of some days is not reported yet.
import { useTranslation } from 'react-i18next'
import classes from './income-mark.module.css'

/** Stands before a number that covers the reported days only. */
export function PartialMark() {
  const { t } = useTranslation('reports')
  const word = t(($) => $.income.partial)
  return (
    <span role="img" aria-label={word} title={word} className={classes.partial}>
      ◐
    </span>
  )
}

/** Stands in place of a number of which no day is reported. */
export function NotReported() {
  const { t } = useTranslation('reports')
  return (
    <span className={classes.none} title={t(($) => $.income.unknown)}>
      {t(($) => $.income.notReported)}
    </span>
  )
}
