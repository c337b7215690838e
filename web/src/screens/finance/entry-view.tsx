// The panel of a ledger entry: its key, why it changed, and the items that it is made of.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LedgerCause } from '@tributary/contract/entities/ledger-entry'
import { ALL } from '@tributary/contract/limits'
import { formatMoney, parseMoney } from '@tributary/contract/money'
import { formatMonth } from '@tributary/contract/period'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { fieldAt } from '../../entities/field/field-at.ts'
import type { Row } from '../../entities/list/list-query.ts'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { joinTexts } from '../../lib/isolate.ts'
import type { CurrencyRef } from '../../ui/money-amount.tsx'
import { FailedState } from '../../ui/states.tsx'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { Count, Dash, DayText, FineMoney, Money } from '../../ui/value.tsx'
import { EarnedSum } from './earned-sum.tsx'
import { EntryCauses, Explanation } from './entry-causes.tsx'
import classes from './finance.module.css'

interface Reference {
  readonly id: number
  readonly title: string
}

interface Entry {
  readonly id: number
  readonly partner: Reference
  readonly earned_month: string
  readonly booked_month: string
  readonly offer_partner: Reference
  readonly kind: string
  readonly source: string
  readonly amount: string
  readonly currency: CurrencyRef
  /** Hidden from partners. */
  readonly causes?: readonly LedgerCause[]
  /** Null for a first close. */
  readonly explanation: string | null
}

interface Item {
  readonly id: number
  readonly player: Reference | null
  readonly day: string
  readonly quantity: number | null
  /** Hidden from partners, like the rate. */
  readonly base?: string
  readonly rate?: string | null
  readonly amount: string
}

function EntryView({ row }: { row: Row }) {
  const { t } = useTranslation()
  const labels = useLabels()
  // The entity declares these fields.
  const entry = row as unknown as Entry
  const choice = (name: string, value: string) => labels.choice('ledger_entry', name, value)
  return (
    <div className={classes.view}>
      <div>
        <div className={classes.figure}>
          <Money value={entry.amount} /> <span className={classes.unit}>{entry.currency.value}</span>
        </div>
        <p className={classes.quiet}>
          {joinTexts([choice('source', entry.source), choice('kind', entry.kind), entry.offer_partner.title])}
        </p>
        <p className={classes.quiet}>
          {`${labels.field('ledger_entry', 'earned_month')}: ${formatMonth(entry.earned_month, currentLanguage())} · ${labels.field('ledger_entry', 'booked_month')}: ${formatMonth(entry.booked_month, currentLanguage())}`}
        </p>
        <Link to="/partner-ledger" search={() => ({ partner: entry.partner.id })} className={classes.link ?? ''}>
          {`${t(($) => $.finance.entry.ledger)}: ${entry.partner.title}`}
        </Link>
      </div>
      {entry.causes === undefined || entry.causes.length === 0 ? (
        entry.explanation === null ? null : (
          <Explanation text={entry.explanation} />
        )
      ) : (
        <EntryCauses
          entry={entry.id}
          causes={entry.causes}
          currency={entry.currency.value}
          isCpa={entry.kind === 'cpa'}
        />
      )}
      <Items entry={entry} />
    </div>
  )
}

/** Partners see no base. */
function useColumns({ kind, currency }: Pick<Entry, 'kind' | 'currency'>): readonly string[] {
  const labels = useLabels()
  const field = (name: string) => labels.field('ledger_item', name)
  const withCurrency = (name: string) => `${field(name)}, ${currency.value}`
  if (kind === 'cpa') return [field('player'), field('day'), field('quantity'), withCurrency('amount')]
  const seesBase = fieldAt('ledger_item', 'base') !== null
  return [field('day'), ...(seesBase ? [withCurrency('base'), field('rate')] : []), withCurrency('amount')]
}

function Items({ entry }: { entry: Entry }) {
  const columns = useColumns(entry)
  const { data, error, refetch } = useQuery({
    queryKey: keys.list('ledger_item', entry.id),
    queryFn: ({ signal }) =>
      http.get<{ items: Item[] }>('ledger_item', {
        query: [
          ['limit', String(ALL)],
          ['filter[ledger_entry]', String(entry.id)],
        ],
        signal,
      }),
  })
  return error ? (
    <FailedState error={error} onRetry={() => void refetch()} />
  ) : data === undefined ? (
    <TableSkeleton columns={columns} rows={4} />
  ) : (
    <ItemsTable entry={entry} items={data.items} />
  )
}

interface ItemsTableProps {
  readonly entry: Pick<Entry, 'kind' | 'amount' | 'currency'>
  readonly items: readonly Item[]
}

/** All decimals of the items are shown if their sum is rounded, so that they and the rounding add up to the entry. */
export function ItemsTable({ entry, items }: ItemsTableProps) {
  const { t } = useTranslation()
  const columns = useColumns(entry)
  const rounding = roundingOf({ entry, items })
  const Amount = rounding === 0n ? Money : FineMoney
  const isCpa = entry.kind === 'cpa'
  return (
    <section>
      <h3 className={classes.title}>{t(($) => $.finance.entry.items)}</h3>
      <TableFrame label={t(($) => $.finance.entry.items)}>
        <table className={`${tableClasses.table} ${classes.snug}`}>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={column} className={index < (isCpa ? 2 : 1) ? '' : tableClasses.number}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.id}>
                {isCpa ? <PlayerItem item={item} /> : <DayItem item={item} />}
                <td className={tableClasses.number}>
                  <Amount value={item.amount} />
                </td>
              </tr>
            ))}
          </tbody>
          {rounding === 0n ? null : (
            <tfoot>
              <tr>
                <th scope="row" colSpan={columns.length - 1}>
                  {t(($) => $.finance.entry.rounding)}
                </th>
                <td className={tableClasses.number}>
                  <FineMoney value={formatMoney(rounding)} />
                </td>
              </tr>
            </tfoot>
          )}
        </table>
      </TableFrame>
    </section>
  )
}

/** What the entry adds to the sum of its items: revenue share and agency spend are rounded once per key. */
const roundingOf = ({ entry: { amount }, items }: ItemsTableProps): bigint =>
  items.reduce((rest, item) => rest - (parseMoney(item.amount) ?? 0n), parseMoney(amount) ?? 0n)

function PlayerItem({ item: { player, day, quantity } }: { item: Item }) {
  return (
    <>
      <td>
        {player === null ? (
          <Dash />
        ) : (
          <Link to="/players/$id" params={{ id: String(player.id) }} className={classes.link ?? ''}>
            {player.title}
          </Link>
        )}
      </td>
      <td>
        <DayText value={day} />
      </td>
      <td className={tableClasses.number}>
        <Count value={quantity} />
      </td>
    </>
  )
}

/** Without a base for partners. */
function DayItem({ item: { day, base, rate } }: { item: Item }) {
  return (
    <>
      <td>
        <DayText value={day} />
      </td>
      {base === undefined ? null : (
        <>
          <td className={tableClasses.number}>
            <Money value={base} />
          </td>
          <td className={tableClasses.number}>{rate == null ? <Dash /> : `${Number(rate)} %`}</td>
        </>
      )}
    </>
  )
}

export const LEDGER_ENTRY_LIST: ListSlots = { view: EntryView, tools: EarnedSum }
