// The computed rows of a preview: what is payable for each combination of a partner's statement, and the entries that it sums.

import { Button } from '@mantine/core'
import type { PreviewAnswer } from '@tributary/contract/calls/payment-invoice'
import { formatMonth } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { formatCount, formatDecimal } from '../../lib/number-format.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import classes from './statement.module.css'

type Row = PreviewAnswer['rows'][number]
type Entry = Row['entries'][number]

const isZero = (amount: string): boolean => Number(amount) === 0

/** Nothing of it is left to pay. */
const isInvoiced = ({ entries, on_hold, not_resolved }: Row): boolean =>
  entries.length === 0 && isZero(on_hold) && isZero(not_resolved)

/** Rows of which everything is invoiced are shown on request. */
export function PreviewTable({ rows: all }: { rows: readonly Row[] }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const [showsInvoiced, setShowsInvoiced] = useState(false)
  const rows = all.filter((row) => showsInvoiced || !isInvoiced(row))
  const hidden = all.length - rows.length
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>
              {labels.field('statement', 'partner')}
              <div className={classes.quiet}>{t(($) => $.billing.grain)}</div>
            </th>
            <th className={classes.number}>{t(($) => $.billing.payable)}</th>
            <th className={classes.number}>{t(($) => $.billing.onHold)}</th>
            <th className={classes.number}>{t(($) => $.billing.notResolved)}</th>
            <th className={classes.number}>{t(($) => $.billing.alreadyInvoiced)}</th>
          </tr>
        </thead>
        {rows.map((row) => (
          <PreviewRow key={JSON.stringify(row.grain)} row={row} />
        ))}
      </table>
      {hidden === 0 ? null : (
        <Button variant="subtle" mt={8} onClick={() => setShowsInvoiced(true)}>
          {t(($) => $.billing.showInvoiced, { count: hidden })}
        </Button>
      )}
    </div>
  )
}

function PreviewRow({ row: { grain, currency, entries, ...amounts } }: { row: Row }) {
  const { t } = useTranslation()
  const { on_hold, not_resolved, already_invoiced, payable, provisional } = amounts
  const title = [grain.advertiser, grain.country, grain.traffic_source, grain.stream]
    .flatMap((one) => one?.title ?? [])
    .join(' · ')
  return (
    <tbody className={classes.group}>
      <tr>
        <th scope="rowgroup">
          <div className={classes.partner}>{grain.partner.title}</div>
          <div className={classes.quiet}>{title}</div>
        </th>
        <td className={`${classes.number} ${classes.payable}`}>
          <MoneyAmount value={payable} currency={currency.value} isZeroDash />
          {provisional ? <div className={classes.quiet}>{t(($) => $.billing.provisionalRow)}</div> : null}
        </td>
        <td className={classes.number}>
          <MoneyAmount value={on_hold} currency={currency.value} isZeroDash />
        </td>
        <td className={classes.number}>
          <MoneyAmount value={not_resolved} currency={currency.value} isZeroDash />
        </td>
        <td className={classes.number}>
          <MoneyAmount value={already_invoiced} currency={currency.value} isZeroDash />
        </td>
      </tr>
      {entries.map((entry) => (
        <tr key={JSON.stringify(entry)} className={classes.entry}>
          <EntryName entry={entry} />
          <td className={classes.number}>
            <MoneyAmount value={entry.amount} currency={entry.currency.value} isZeroDash />
          </td>
          <td colSpan={3} />
        </tr>
      ))}
    </tbody>
  )
}

/** 'Sep 2026 · CPA · 12 × 40 EUR', or with a share '· 22 %'. */
function EntryName({ entry: { kind, earned_month, quantity, rate, currency } }: { entry: Entry }) {
  const labels = useLabels()
  const terms =
    rate === null
      ? []
      : [
          kind === 'cpa'
            ? `${formatCount(quantity ?? 1) ?? ''} × ${formatDecimal(rate, 2) ?? ''} ${currency.value}`
            : `${Number(rate)} %`,
        ]
  return (
    <td>
      {[
        ...(earned_month === null ? [] : [formatMonth(`${earned_month}-01`, currentLanguage())]),
        labels.choice('payment_invoice_line', 'kind', kind),
        ...terms,
      ].join(' · ')}
    </td>
  )
}
