// A predicted amount with its basis; it is greyed and marked if the basis is small.
import type { BudgetFigures } from '@tributary/contract/reports/budget'
import { useTranslation } from 'react-i18next'
import { Count, Dash } from '../../ui/value.tsx'
import classes from './budget.module.css'

type PredictionProps = Pick<BudgetFigures, 'prediction' | 'prediction_basis' | 'prediction_uncertain'>

export function PredictionText({ prediction, prediction_basis: basis, prediction_uncertain: isFew }: PredictionProps) {
  const { t } = useTranslation()
  if (prediction === null) return <Dash />
  const words = [
    ...(basis === null ? [] : [t(($) => $.budget.predictionOf[basis])]),
    ...(isFew ? [t(($) => $.budget.uncertain)] : []),
  ].join('. ')
  const isMarked = isFew || (basis !== 'cell' && basis !== 'mixed' && basis !== 'actual')
  return (
    <span title={words || undefined}>
      <Count value={prediction} faint={isMarked} />
      {isMarked ? <sup className={classes.mark}>?</sup> : null}
    </span>
  )
}
