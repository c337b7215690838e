// The marks of cells, and what they mean: the source of a sum, a claim, and days that take nothing.
import type { SpendTable } from '@tributary/contract/calls/spend-table'
import { SPEND_SOURCES } from '@tributary/contract/entities/partner-spend'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import classes from './grid-legend.module.css'

type Source = (typeof SPEND_SOURCES)[number]

/** Its meaning is the title of the cell and the legend. */
export const SourceMark = ({ source }: { source: Source }) => (
  <i className={classes.mark} data-source={source} aria-hidden />
)

/** The code of a currency in the corner of its cell. */
export const CurrencyMark = ({ currency }: { currency: string }) => (
  <small className={classes.currency}>{currency}</small>
)

/** `table` tells the currencies: those of cells are explained if one differs from the table's. */
export function GridLegend({ table: { rows, currency } }: { table: Pick<SpendTable, 'rows' | 'currency'> }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const foreign = useMemo(
    () => rows.flatMap(({ cells }) => cells).find((cell) => cell.base !== null && cell.currency !== currency)?.currency,
    [rows, currency],
  )
  return (
    <ul className={classes.legend} aria-label={t(($) => $.spends.grid.legend)}>
      {SPEND_SOURCES.map((source) => (
        <li key={source}>
          <SourceMark source={source} /> {labels.choice('partner_spend', 'source', source)}
        </li>
      ))}
      {foreign === undefined ? null : (
        <li>
          <CurrencyMark currency={foreign} /> {t(($) => $.spends.grid.legendCurrency, { currency })}
        </li>
      )}
      <li>
        <i className={classes.claim} aria-hidden /> {t(($) => $.spends.grid.legendClaim)}
      </li>
      <li>
        <i className={classes.hatched} aria-hidden /> {t(($) => $.spends.grid.legendLocked)}
      </li>
    </ul>
  )
}
