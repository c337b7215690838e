// The overview of finance: what partners are owed, on hold, due this week and paid this month, with the age of what is not paid.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { formatDay } from '../../lib/date-format.ts'
import { Page } from '../../ui/page.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
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
    [t(($) => $.finance.overview.owed), total.owed],
    [t(($) => $.finance.overview.onHold), total.on_hold],
    [t(($) => $.finance.overview.notResolved), total.not_resolved],
    [t(($) => $.finance.overview.dueThisWeek, { day }), total.due_this_week],
    [t(($) => $.finance.overview.paidThisMonth), total.paid_this_month],
  ] as const
  return (
    <div className={classes.cards}>
      {cards.map(([name, amount]) => (
        <div key={name} className={classes.card}>
          <div className={classes.name}>{name}</div>
          <div className={classes.figure}>
            <Money value={amount} /> <span className={classes.unit}>{total.currency.value}</span>
          </div>
        </div>
      ))}
    </div>
  )
}

function PartnersTable({ data: { rows, total, week_ends } }: { data: Overview }) {
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
            <PartnerRow key={row.partner.id} row={row} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td className={pinned}>
              {t(($) => $.finance.overview.total)} <span className={classes.unit}>{total.currency.value}</span>
            </td>
            {[
              total.owed,
              total.on_hold,
              total.not_resolved,
              total.due_this_week,
              total.paid_this_month,
              ...AGES.map((age) => total.ageing[age]),
            ].map((amount, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fixed columns
              <Amount key={index} amount={amount} />
            ))}
          </tr>
        </tfoot>
      </table>
    </TableFrame>
  )
}

function PartnerRow({ row }: { row: Row }) {
  const { t } = useTranslation()
  const { partner, currency, owed, on_hold, not_resolved, due_this_week, paid_this_month, ageing, disputed } = row
  return (
    <tr>
      <td className={tableClasses.pinned}>
        <Link to="/partner-ledger" search={() => ({ partner: partner.id })} className={classes.link ?? ''}>
          {partner.title}
        </Link>{' '}
        <span className={classes.unit}>{currency.value}</span>{' '}
        {disputed > 0 ? <StateBadge tone="warning">{t(($) => $.finance.overview.disputed)}</StateBadge> : null}
      </td>
      {[owed, on_hold, not_resolved, due_this_week, paid_this_month, ...AGES.map((age) => ageing[age])].map(
        (amount, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: fixed columns
          <Amount key={index} amount={amount} />
        ),
      )}
    </tr>
  )
}

/** A dash for zero: most partners have nothing in most columns. The first column names the currency. */
function Amount({ amount }: { amount: string }) {
  return <td className={tableClasses.number}>{Number(amount) === 0 ? <Dash /> : <Money value={amount} />}</td>
}
