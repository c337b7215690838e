// The marks of cells, and what they mean: the source of a sum, a claim, and days that take nothing.
import { SPEND_SOURCES } from '@tributary/contract/entities/partner-spend'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import classes from './grid-legend.module.css'

type Source = (typeof SPEND_SOURCES)[number]

/** Its meaning is the title of the cell and the legend. */
export const SourceMark = ({ source }: { source: Source }) => (
  <i className={classes.mark} data-source={source} aria-hidden />
)

export function GridLegend() {
  const { t } = useTranslation()
  const labels = useLabels()
  return (
    <ul className={classes.legend} aria-label={t(($) => $.spends.grid.legend)}>
      {SPEND_SOURCES.map((source) => (
        <li key={source}>
          <SourceMark source={source} /> {labels.choice('partner_spend', 'source', source)}
        </li>
      ))}
      <li>
        <i className={classes.claim} aria-hidden /> {t(($) => $.spends.grid.legendClaim)}
      </li>
      <li>
        <i className={classes.hatched} aria-hidden /> {t(($) => $.spends.grid.legendLocked)}
      </li>
    </ul>
  )
}
