// The ledger of one partner by months. Each figure opens what it is made of; users of a partner see their own.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { leadersOr } from '@tributary/contract/access'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { type Condition, EMPTY_QUERY } from '@tributary/contract/list-query'
import { formatMonth, lastDayOf } from '@tributary/contract/period'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { fetchOptions, lookupLoader } from '../../data/lookup.ts'
import { useCan, useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { writeSearch } from '../../entities/list/list-state.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { Page } from '../../ui/page.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { Unrated } from '../../ui/unrated.tsx'
import { Dash, Money } from '../../ui/value.tsx'
import { BalanceButton } from './balance-button.tsx'
import classes from './finance.module.css'
import { MissingRates } from './missing-rates.tsx'

type Ledger = AnswerOf<'partner_ledger'>
type Month = Ledger['months'][number]

const FIGURES = [
  'earned',
  'adjustments',
  'write_offs',
  'tax',
  'paid',
  'balance',
  'on_hold',
  'not_resolved',
  'invoiced',
  'expected',
] as const
type Figure = (typeof FIGURES)[number]

function usePartner(): number | null {
  const { partner }: { partner?: unknown } = useSearch({ strict: false })
  const profile = useProfile()
  if (profile.role.kind === 'PARTNER') return profile.partner?.id ?? null
  const id = Number(partner)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

export function PartnerLedgerScreen() {
  const { t } = useTranslation()
  const partner = usePartner()
  const isOwn = useProfile().role.kind === 'PARTNER'
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.entity('statement'), 'ledger', partner],
    queryFn: ({ signal }) => http.get<Ledger>(`partner/${partner}/ledger`, { signal }),
    enabled: partner !== null,
  })
  return (
    <Page
      title={data?.partner.title ?? t(($) => $.screens['partner-ledger'].title)}
      subtitle={t(($) => $.screens['partner-ledger'].subtitle)}
      fill
    >
      {isOwn ? null : <PartnerSelect partner={partner} />}
      {partner === null ? (
        <EmptyState title={t(($) => $.finance.ledger.choose)} text={t(($) => $.finance.ledger.chooseText)} />
      ) : error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <TableSkeleton columns={FIGURES.map((figure) => t(($) => $.finance.ledger[figure]))} />
      ) : data.months.length === 0 ? (
        <EmptyState title={t(($) => $.finance.ledger.empty)} text={t(($) => $.finance.ledger.emptyText)} />
      ) : (
        <LedgerTable ledger={data} isOwn={isOwn} />
      )}
    </Page>
  )
}

function PartnerSelect({ partner }: { partner: number | null }) {
  const labels = useLabels()
  const navigate = useNavigate()
  const { data } = useQuery({
    queryKey: keys.lookup('partner', `id ${partner}`),
    queryFn: ({ signal }) => fetchOptions('partner', partner === null ? [] : [partner], signal),
  })
  return (
    <div className={classes.partner}>
      <LookupSelect
        ariaLabel={labels.field('statement', 'partner')}
        placeholder={labels.field('statement', 'partner')}
        value={data?.[0] ?? null}
        load={lookupLoader('partner')}
        onChange={(option) =>
          void navigate({ to: '.', search: () => (option === null ? {} : { partner: Number(option.id) }) })
        }
      />
    </div>
  )
}

/** An open month below closed ones, whose money no statement has. A reopened month has one. */
const isOpenBelow = ({ provisional, month, invoiced }: Month, months: readonly Month[]): boolean =>
  provisional && Number(invoiced) === 0 && months.some((later) => !later.provisional && later.month > month)

function LedgerTable({ ledger, isOwn }: { ledger: Ledger; isOwn: boolean }) {
  const { t } = useTranslation()
  const { months, balance, currency, unrated, missing_rates, partner } = ledger
  // Closed months keep the currency of their statement: then it stands by the month.
  const isMixed = months.some((month) => month.currency.id !== currency.id)
  return (
    <>
      <div className={classes.cards}>
        <div className={classes.card}>
          <div className={classes.name}>{t(($) => $.finance.ledger.balance)}</div>
          <div className={classes.figure}>
            {unrated.length > 0 && Number(balance) === 0 ? null : (
              <>
                <Money value={balance} /> <span className={classes.unit}>{currency.value}</span>
              </>
            )}
            <Unrated parts={unrated} />
          </div>
        </div>
      </div>
      <MissingRates currencies={missing_rates} />
      {months
        .filter((month) => isOpenBelow(month, months))
        .map(({ month }) => (
          <p key={month} className={classes.warning}>
            {t(($) => $.finance.ledger.openBelow, { month: formatMonth(month, currentLanguage()) })}
          </p>
        ))}
      <TableFrame label={t(($) => $.screens['partner-ledger'].title)}>
        <table className={`${tableClasses.table} ${classes.dense} ${classes.stacked}`}>
          <thead>
            <tr>
              <th className={tableClasses.pinned}>{t(($) => $.finance.ledger.month)}</th>
              {FIGURES.map((figure) => (
                <th key={figure} className={tableClasses.number}>
                  {[t(($) => $.finance.ledger[figure]), ...(isMixed ? [] : [currency.value])].join(', ')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.toReversed().map((month) => (
              <tr key={month.month}>
                <td className={tableClasses.pinned}>
                  {formatMonth(month.month, currentLanguage())}{' '}
                  {isMixed ? <span className={classes.unit}>{month.currency.value}</span> : null}{' '}
                  {month.provisional ? (
                    <StateBadge tone="neutral">{t(($) => $.finance.ledger.provisional)}</StateBadge>
                  ) : null}
                </td>
                {FIGURES.map((figure) => (
                  <td
                    key={figure}
                    className={tableClasses.number}
                    data-label={`${t(($) => $.finance.ledger[figure])}, ${month.currency.value}`}
                    data-empty={isEmpty(month, figure) || undefined}
                  >
                    <Cell month={month} figure={figure} partner={partner.id} isOwn={isOwn} />
                    <Unrated parts={month[`${figure}_unrated`]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </>
  )
}

const isZero = (month: Month, figure: Figure): boolean => Number(month[figure] ?? 0) === 0 && figure !== 'balance'

/** Nothing, in any currency. */
const isEmpty = (month: Month, figure: Figure): boolean =>
  isZero(month, figure) && month[`${figure}_unrated`].length === 0

interface CellProps {
  readonly month: Month
  readonly figure: Figure
  readonly partner: number
  readonly isOwn: boolean
}

function Cell({ month, figure, partner, isOwn }: CellProps) {
  const { t } = useTranslation()
  const can = useCan()
  const amount = month[figure]
  if (amount === null || isEmpty(month, figure)) return <Dash />
  if (isZero(month, figure)) return null
  if (figure === 'balance') return <BalanceButton month={month} />
  const target = targetOf(figure, month.month, partner, isOwn)
  const isOpenable = figure !== 'expected' || can(leadersOr('general_report'))
  if (target === null || !isOpenable) return <Money value={amount} faint={figure === 'expected'} />
  const name = t(($) => $.finance.ledger[figure])
  return (
    <Link
      to={target.to}
      search={() => target.search}
      className={classes.link ?? ''}
      title={t(($) => $.finance.ledger.open, { name, month: formatMonth(month.month, currentLanguage()) })}
    >
      <Money value={amount} />
    </Link>
  )
}

interface Target {
  readonly to: string
  readonly search: Record<string, unknown>
}

const eq = (path: string, value: string | number): Condition => ({ path, operator: 'eq', values: [String(value)] })

/** Drafts and void statements are in no figure. */
const STANDING: Condition = { path: 'state', operator: 'in', values: ['approved', 'partly_paid', 'paid'] }

/** The screen that lists what a figure is made of; null for the balance, which opens its sum. */
export function targetOf(figure: Figure, month: string, partner: number, isOwn: boolean): Target | null {
  const list = (to: string, ...conditions: Condition[]): Target => ({
    to,
    search: writeSearch({
      ...EMPTY_QUERY,
      conditions: isOwn ? conditions : [eq('partner', partner), ...conditions],
    }),
  })
  switch (figure) {
    case 'earned':
      return list('/ledger-entries', eq('booked_month', month))
    case 'adjustments':
      return list('/adjustments', eq('month', month))
    case 'write_offs':
    case 'tax':
    case 'invoiced':
      return list('/statements', eq('month', month), STANDING)
    case 'paid':
      return list(
        '/payments',
        { path: 'paid_at', operator: 'bwn', values: [`${month}-01`, lastDayOf(month)] },
        eq('reversed', 0),
      )
    case 'on_hold':
    case 'not_resolved':
      return isOwn ? null : { to: '/payment-invoices/create', search: { month, partner, booked: 1 } }
    case 'expected':
      return {
        to: REPORT_SCREENS.general_report,
        search: {
          by: 'stream.offer',
          from: `${month}-01`,
          to: lastDayOf(month),
          ...(!isOwn && { partners: [partner] }),
        },
      }
    case 'balance':
      return null
  }
}
