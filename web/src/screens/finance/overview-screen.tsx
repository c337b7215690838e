// The overview of finance: what partners are owed, on hold, due this week and paid this month, with the age of what is not paid.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { type Condition, EMPTY_QUERY } from '@tributary/contract/list-query'
import { addDays } from '@tributary/contract/period'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { writeSearch } from '../../entities/list/list-state.ts'
import { formatDay } from '../../lib/date-format.ts'
import { formatExact } from '../../lib/number-format.ts'
import { Page } from '../../ui/page.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { Unrated, type UnratedParts } from '../../ui/unrated.tsx'
import { Dash, Money } from '../../ui/value.tsx'
import classes from './finance.module.css'
import { MissingRates } from './missing-rates.tsx'

type Overview = AnswerOf<'finance_overview'>
type Row = Overview['rows'][number]

const AGES = ['not_due', 'days_30', 'days_60', 'older'] as const

export function OverviewScreen() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.entity('statement'), 'overview'],
    queryFn: ({ signal }) => http.get<Overview>('finance_overview', { signal }),
  })
  const words = t(($) => $.finance.overview.partner)
  return (
    <Page
      title={t(($) => $.screens['finance-overview'].title)}
      subtitle={t(($) => $.screens['finance-overview'].subtitle)}
      fill
    >
      {error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <TableSkeleton columns={[words, '', '', '', '']} />
      ) : data.rows.length === 0 ? (
        <EmptyState title={t(($) => $.finance.overview.empty)} text={t(($) => $.finance.overview.emptyText)} />
      ) : (
        <>
          <Cards data={data} />
          <MissingRates currencies={data.missing_rates} />
          {data.rates.length === 0 ? null : (
            <p className={classes.quiet}>
              {t(($) => $.finance.overview.rates, {
                rates: data.rates
                  .map(
                    ({ currency, rate }) => `1 ${currency.value} = ${formatExact(rate)} ${data.total.currency.value}`,
                  )
                  .join(', '),
              })}
            </p>
          )}
          <PartnersTable data={data} />
        </>
      )}
    </Page>
  )
}

function Cards({ data: { total, week_ends } }: { data: Overview }) {
  const { t } = useTranslation()
  const day = formatDay(week_ends) ?? ''
  const cards = [
    [t(($) => $.finance.overview.owed), total.owed, total.owed_unrated],
    [t(($) => $.finance.overview.onHold), total.on_hold, total.on_hold_unrated],
    [t(($) => $.finance.overview.notResolved), total.not_resolved, total.not_resolved_unrated],
    [t(($) => $.finance.overview.dueThisWeek, { day }), total.due_this_week, total.due_this_week_unrated],
    [t(($) => $.finance.overview.inDispute), total.in_dispute, total.in_dispute_unrated],
    [t(($) => $.finance.overview.paidThisMonth), total.paid_this_month, total.paid_this_month_unrated],
  ] as const
  return (
    <div className={classes.cards}>
      {cards.map(([name, amount, unrated]) => (
        <div key={name} className={classes.card}>
          <div className={classes.name}>{name}</div>
          <div className={classes.figure}>
            <Money value={amount} /> <span className={classes.unit}>{total.currency.value}</span>
          </div>
          <Unrated parts={unrated} />
        </div>
      ))}
    </div>
  )
}

/** The figures of a row, and what each opens: of one partner, or of all. */
function figuresOf(
  figures: Omit<Overview['total'], 'currency'>,
  { today, week_ends }: Overview,
  partner: number | null,
) {
  const eq = (path: string, value: string | number): Condition => ({ path, operator: 'eq', values: [String(value)] })
  const own = partner === null ? [] : [eq('partner', partner)]
  const list = (to: string, ...conditions: Condition[]) => ({
    to,
    search: writeSearch({ ...EMPTY_QUERY, conditions: [...own, ...conditions] }),
  })
  const unpaid: Condition = { path: 'state', operator: 'in', values: ['approved', 'partly_paid'] }
  const due = (from: string, to: string) =>
    list('/statements', unpaid, eq('disputed', 0), { path: 'due_on', operator: 'bwn', values: [from, to] })
  const waits = {
    to: '/payment-invoices/create',
    search: { month: today.slice(0, 7), booked: 1, ...(partner !== null && { partner }) },
  }
  const ages = {
    not_due: due(today, ''),
    days_30: due(addDays(today, -30), addDays(today, -1)),
    days_60: due(addDays(today, -60), addDays(today, -31)),
    older: due('', addDays(today, -61)),
  }
  return [
    [figures.owed, figures.owed_unrated, partner === null ? null : { to: '/partner-ledger', search: { partner } }],
    [figures.on_hold, figures.on_hold_unrated, waits],
    [figures.not_resolved, figures.not_resolved_unrated, waits],
    [figures.due_this_week, figures.due_this_week_unrated, due('', week_ends)],
    [figures.in_dispute, figures.in_dispute_unrated, list('/statements', unpaid, eq('disputed', 1))],
    [
      figures.paid_this_month,
      figures.paid_this_month_unrated,
      list(
        '/payments',
        { path: 'paid_at', operator: 'bwn', values: [`${today.slice(0, 7)}-01`, today] },
        eq('reversed', 0),
      ),
    ],
    ...AGES.map((age) => [figures.ageing[age], figures.ageing_unrated[age], ages[age]] as const),
  ] as const
}

function PartnersTable({ data }: { data: Overview }) {
  const { rows, total, week_ends } = data
  const { t } = useTranslation()
  const { number, pinned, table } = tableClasses
  const day = formatDay(week_ends) ?? ''
  return (
    <TableFrame label={t(($) => $.screens['finance-overview'].title)}>
      <table className={`${table} ${classes.dense}`}>
        <thead>
          <tr>
            <th className={pinned}>{t(($) => $.finance.overview.partner)}</th>
            <th className={number}>{t(($) => $.finance.overview.owed)}</th>
            <th className={number}>{t(($) => $.finance.overview.onHold)}</th>
            <th className={number}>{t(($) => $.finance.overview.notResolved)}</th>
            <th className={number}>{t(($) => $.finance.overview.dueThisWeek, { day })}</th>
            <th className={number}>{t(($) => $.finance.overview.inDispute)}</th>
            <th className={number}>{t(($) => $.finance.overview.paidThisMonth)}</th>
            {AGES.map((age) => (
              <th key={age} className={number} title={t(($) => $.finance.overview.ageing)}>
                {t(($) => $.finance.overview.ages[age])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PartnerRow key={row.partner.id} row={row} data={data} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td className={pinned}>
              {t(($) => $.finance.overview.total)} <span className={classes.unit}>{total.currency.value}</span>
            </td>
            {figuresOf(total, data, null).map(([amount, unrated, target], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fixed columns
              <Amount key={index} amount={amount} unrated={unrated} target={target} />
            ))}
          </tr>
        </tfoot>
      </table>
    </TableFrame>
  )
}

function PartnerRow({ row, data }: { row: Row; data: Overview }) {
  const { t } = useTranslation()
  const { partner, currency, disputed } = row
  return (
    <tr>
      <td className={tableClasses.pinned}>
        <Link to="/partner-ledger" search={() => ({ partner: partner.id })} className={classes.link ?? ''}>
          {partner.title}
        </Link>{' '}
        <span className={classes.unit}>{currency.value}</span>{' '}
        {disputed > 0 ? <StateBadge tone="warning">{t(($) => $.finance.overview.disputed)}</StateBadge> : null}
      </td>
      {figuresOf(row, data, partner.id).map(([amount, unrated, target], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fixed columns
        <Amount key={index} amount={amount} unrated={unrated} target={target} />
      ))}
    </tr>
  )
}

interface AmountProps {
  readonly amount: string
  readonly unrated: UnratedParts
  readonly target: { readonly to: string; readonly search: Record<string, unknown> } | null
}

/** A dash for zero: most partners have nothing in most columns. The first column names the currency. */
function Amount({ amount, unrated, target }: AmountProps) {
  const isZero = Number(amount) === 0
  return (
    <td className={tableClasses.number}>
      {isZero ? (
        unrated.length > 0 ? null : (
          <Dash />
        )
      ) : target === null ? (
        <Money value={amount} />
      ) : (
        <Link to={target.to} search={() => target.search} className={classes.link ?? ''}>
          <Money value={amount} />
        </Link>
      )}
      <Unrated parts={unrated} />
    </td>
  )
}
