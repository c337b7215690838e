// The computed rows of a preview: what is payable for each combination of a partner's statement, and the entries that it sums.

import { Button } from '@mantine/core'
import type { PreviewAnswer } from '@tributary/contract/calls/payment-invoice'
import { formatMoney, parseMoney } from '@tributary/contract/money'
import { formatMonth } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { Unrated, type UnratedParts } from '../../ui/unrated.tsx'
import { LineFigure } from './line-figure.tsx'
import preview from './preview.module.css'
import classes from './statement.module.css'

type Row = PreviewAnswer['rows'][number]
type Entry = Row['entries'][number]

const isZero = (amount: string): boolean => Number(amount) === 0

/** Nothing of it is left to pay. */
const isInvoiced = (row: Row): boolean => row.entries.length === 0 && !isWaiting(row)

const isWaiting = (row: Row): boolean => WAITS.some((of) => !isZero(row[of]) || row[`${of}_unrated`].length > 0)

const WAITS = ['on_hold', 'not_resolved'] as const

/** Quantity and base share a place: no line has both. */
const FIGURES = ['quantity', 'base', 'rate', 'amount'] as const

/** The names of the columns of amounts. */
function useColumns() {
  const { t } = useTranslation()
  return {
    payable: t(($) => $.billing.payable),
    on_hold: t(($) => $.billing.onHold),
    not_resolved: t(($) => $.billing.notResolved),
    already_invoiced: t(($) => $.billing.alreadyInvoiced),
  }
}

/** Rows of which everything is invoiced are shown on request. */
export function PreviewTable({ rows: all, isBooked }: { rows: readonly Row[]; isBooked: boolean }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const columns = useColumns()
  const [showsInvoiced, setShowsInvoiced] = useState(false)
  const rows = all.filter((row) => showsInvoiced || !isInvoiced(row))
  const hidden = all.length - rows.length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={t(($) => $.screens['invoice-preview'].title)}>
      <table className={`${classes.table} ${preview.table}`}>
        <thead>
          <tr>
            <th>
              {labels.field('statement', 'partner')}
              <div className={classes.quiet}>{t(($) => $.billing.grain)}</div>
            </th>
            {Object.entries(columns).map(([key, name]) => (
              <th key={key} className={classes.number}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {rows.length === 0 ? (
          <tbody>
            <tr>
              <td colSpan={5} className={classes.quiet}>
                {t(($) => $.billing.allInvoiced)}
              </td>
            </tr>
          </tbody>
        ) : null}
        {rows.map((row) => (
          <PreviewRow key={JSON.stringify(row.grain)} row={row} isBooked={isBooked} />
        ))}
        <Waiting rows={all} />
      </table>
      {hidden === 0 ? null : (
        <Button variant="subtle" mt={8} onClick={() => setShowsInvoiced(true)}>
          {t(($) => $.billing.showInvoiced, { count: hidden })}
        </Button>
      )}
    </section>
  )
}

/** What waits in all rows, by currency, as the finance overview sums it. */
function Waiting({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation()
  const columns = useColumns()
  const waiting = rows.filter(isWaiting)
  return (
    <tfoot>
      {[...Map.groupBy(waiting, ({ currency }) => currency.id)].map(([id, own]) => (
        <tr key={id}>
          <th scope="row" colSpan={2}>
            {t(($) => $.billing.waiting)}
          </th>
          {WAITS.map((of) => (
            <Figure
              key={of}
              label={columns[of]}
              amount={sumAmounts(own.map((row) => row[of]))}
              unrated={sumUnrated(own.flatMap((row) => row[`${of}_unrated`]))}
              currency={own[0]?.currency.value ?? ''}
            />
          ))}
          <td data-empty />
        </tr>
      ))}
    </tfoot>
  )
}

const sumAmounts = (amounts: readonly string[]): string =>
  formatMoney(amounts.reduce((sum, amount) => sum + (parseMoney(amount) ?? 0n), 0n))

/** By currency. */
const sumUnrated = (parts: UnratedParts): UnratedParts =>
  [...Map.groupBy(parts, ({ currency }) => currency.id).values()].flatMap((same) =>
    same.slice(0, 1).map(({ currency }) => ({ currency, amount: sumAmounts(same.map(({ amount }) => amount)) })),
  )

const NOTHING: UnratedParts = []

interface FigureProps {
  /** The name of the column, which stands beside the amount on a phone. */
  readonly label: string
  readonly amount: string
  readonly unrated: UnratedParts
  readonly currency: string
}

/** A dash for zero, unless there is something that no rate converts. */
function Figure({ label, amount, unrated, currency }: FigureProps) {
  const isEmpty = isZero(amount) && unrated.length === 0
  return (
    <td className={classes.number} data-label={label} data-empty={isEmpty || undefined}>
      <div>
        {isZero(amount) && !isEmpty ? null : <MoneyAmount value={amount} currency={currency} isZeroDash />}
        <Unrated parts={unrated} />
      </div>
    </td>
  )
}

function PreviewRow({ row: { grain, currency, entries, ...amounts }, isBooked }: { row: Row; isBooked: boolean }) {
  const { t } = useTranslation()
  const columns = useColumns()
  const { already_invoiced, on_draft, payable, payable_unrated, provisional } = amounts
  const title = [grain.advertiser, grain.country, grain.traffic_source, grain.stream]
    .flatMap((one) => one?.title ?? [])
    .join(' · ')
  return (
    <tbody className={preview.group}>
      <tr>
        <th scope="rowgroup">
          <div className={classes.partner}>{grain.partner.title}</div>
          <div className={classes.quiet}>{title}</div>
        </th>
        <td className={`${classes.number} ${classes.payable}`} data-label={columns.payable}>
          <div>
            {isZero(payable) && payable_unrated.length > 0 ? null : (
              <MoneyAmount value={payable} currency={currency.value} isZeroDash />
            )}
            <Unrated parts={payable_unrated} />
            {provisional && !isBooked ? (
              <div className={classes.quiet}>{t(($) => $.billing.provisionalRow)}</div>
            ) : null}
            {isZero(on_draft) ? null : (
              <div className={classes.quiet}>
                {t(($) => $.billing.onDraft)} <MoneyAmount value={on_draft} currency={currency.value} />
              </div>
            )}
          </div>
        </td>
        {WAITS.map((of) => (
          <Figure
            key={of}
            label={columns[of]}
            amount={amounts[of]}
            unrated={amounts[`${of}_unrated`]}
            currency={currency.value}
          />
        ))}
        <Figure
          label={columns.already_invoiced}
          amount={already_invoiced}
          unrated={NOTHING}
          currency={currency.value}
        />
      </tr>
      {entries.map((entry) => (
        <tr key={JSON.stringify(entry)} className={preview.entry}>
          <EntryName entry={entry} />
          <td className={classes.number}>
            {entry.total === null ? (
              <Unrated parts={[entry]} />
            ) : (
              <MoneyAmount value={entry.total} currency={currency.value} isZeroDash />
            )}
          </td>
          <td colSpan={3}>
            <EntryFigures entry={entry} currency={currency.value} />
          </td>
        </tr>
      ))}
    </tbody>
  )
}

/** 'Sep 2026 · CPA' */
function EntryName({ entry: { kind, earned_month } }: { entry: Entry }) {
  const labels = useLabels()
  return (
    <td>
      {[
        ...(earned_month === null ? [] : [formatMonth(`${earned_month}-01`, currentLanguage())]),
        labels.choice('payment_invoice_line', 'kind', kind),
      ].join(' · ')}
    </td>
  )
}

/** The figures of a statement's line under their names; those without a figure are left out. */
function EntryFigures({ entry, currency }: { entry: Entry; currency: string }) {
  const labels = useLabels()
  return (
    <dl className={preview.figures}>
      {FIGURES.filter((figure) => entry[figure] !== null).map((figure) => (
        <div key={figure} data-figure={figure}>
          <dt>{labels.field('payment_invoice_line', figure)}</dt>
          <dd>
            <LineFigure line={entry} figure={figure} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
