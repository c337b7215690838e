// The change of a number since the comparison period: an arrow, coloured by whether it is good, and a percentage. What surrounds it says what
// the number was.
import { useTranslation } from 'react-i18next'
import classes from './change-mark.module.css'
import type { Change, Direction } from './pivot-column.ts'

export function ChangeMark({
  change: { direction, text, isNew },
  isUpGood,
}: {
  change: Pick<Change, 'direction' | 'text' | 'isNew'>
  isUpGood: boolean
}) {
  const { t } = useTranslation('reports')
  const tone = direction === null ? classes.same : (direction === 'up') === isUpGood ? classes.good : classes.bad
  return (
    <span className={`${classes.change} ${tone}`}>
      {direction === null ? null : <Arrow direction={direction} isGood={(direction === 'up') === isUpGood} />}
      {isNew === true ? t(($) => $.second.isNew) : text}
    </span>
  )
}

export function Arrow({ direction, isGood }: { direction: Direction; isGood: boolean }) {
  const { t } = useTranslation('reports')
  const word = t(($) => $.arrows[direction])
  return (
    <span role="img" aria-label={word} className={`${classes.arrow} ${isGood ? classes.good : classes.bad}`}>
      {direction === 'up' ? '▲' : '▼'}
    </span>
  )
}
