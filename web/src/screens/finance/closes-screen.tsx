// Closes months: the checklist of a month left, the months that are closed right.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ADMIN_ONLY, staffLeadersOr } from '@tributary/contract/access'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { formatMonth, isMonth, monthBefore } from '@tributary/contract/period'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { lookupLoader } from '../../data/lookup.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { formatDay } from '../../lib/date-format.ts'
import { formatCount } from '../../lib/number-format.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { AddressLink } from '../../ui/address-link.tsx'
import { askForConfirmation } from '../../ui/confirm.ts'
import { MonthStepper } from '../../ui/date/month-stepper.tsx'
import type { LookupOption } from '../../ui/lookup/lookup-options.tsx'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { Page } from '../../ui/page.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { FailedState, LoadingState } from '../../ui/states.tsx'
import { tableClasses } from '../../ui/table-frame.tsx'
import { CloseList } from './close-list.tsx'
import classes from './finance.module.css'
import { useReload } from './use-reload.ts'

type Checklist = AnswerOf<'period_close_checklist'>

export function ClosesScreen() {
  const { t } = useTranslation()
  const can = useCan()
  const { month: asked }: { month?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const month = isMonth(asked) ? asked : monthBefore(businessToday().slice(0, 7))
  const [group, setGroup] = useState<LookupOption | null>(null)
  const trueUp = async () => {
    try {
      await http.post('ledger_entry/true_up', undefined)
      notifySuccess(t(($) => $.finance.closes.trueUpStarted))
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Page
      title={t(($) => $.screens['period-closes'].title)}
      subtitle={t(($) => $.screens['period-closes'].subtitle)}
      actions={
        can(ADMIN_ONLY) ? (
          <Button variant="default" onClick={() => void trueUp()}>
            {t(($) => $.finance.closes.trueUp)}
          </Button>
        ) : null
      }
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          <MonthStepper
            month={month}
            onChange={(next) => void navigate({ to: '.', search: () => ({ month: next }), replace: true })}
          />
          <LookupSelect
            label={t(($) => $.finance.closes.group)}
            placeholder={t(($) => $.finance.closes.allPartners)}
            value={group}
            load={lookupLoader('partner_group')}
            onChange={setGroup}
          />
          <CloseForm month={month} group={group === null ? null : Number(group.id)} />
        </div>
        <div className={classes.column}>
          <h2 className={classes.title}>{t(($) => $.finance.closes.history)}</h2>
          <CloseList />
        </div>
      </div>
    </Page>
  )
}

function CloseForm({ month, group }: { month: string; group: number | null }) {
  const { t } = useTranslation()
  const can = useCan()
  const reload = useReload()
  const [isClosing, setIsClosing] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.entity('period_close'), 'checklist', month, group],
    queryFn: ({ signal }) =>
      http.get<Checklist>('period_close/checklist', {
        query: [['month', month], ...(group === null ? [] : [['partner_group', String(group)] as [string, string]])],
        signal,
      }),
    staleTime: 0,
  })
  const close = async () => {
    const isSure = await askForConfirmation({
      title: t(($) => $.finance.closes.closeQuestion, { month: formatMonth(month, currentLanguage()) }),
      text: (
        <>
          <p>{data === undefined ? null : <Written data={data} />}</p>
          <p>{t(($) => $.finance.closes.closeText)}</p>
        </>
      ),
      confirm: t(($) => $.finance.closes.close),
    })
    if (!isSure) return
    setIsClosing(true)
    try {
      const made = await http.post<AnswerOf<'period_close_create'>>('period_close', { month, partner_group: group })
      notifySuccess(t(($) => $.finance.closes.closed, { count: made.partners }))
    } catch (failure) {
      notifyFailure(failure)
    }
    setIsClosing(false)
    await reload()
  }
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <LoadingState lines={8} />
  const isBlocked = data.items.some(({ blocks, count }) => blocks && count > 0)
  return (
    <>
      <h2 className={classes.title}>{t(($) => $.finance.closes.checklist)}</h2>
      <ul className={classes.checks}>
        {data.items.map((item) => (
          <Check key={item.code} item={item}>
            {item.code === 'advertisers_unconfirmed' ? (
              <Unconfirmed month={month} advertisers={data.unconfirmed} />
            ) : item.code === 'rate_missing' ? (
              <UnratedCurrencies rates={data.missing_rates} />
            ) : null}
          </Check>
        ))}
      </ul>
      <p className={classes.quiet}>
        {data.partners === 0
          ? t(($) => $.finance.closes.nobody)
          : t(($) => $.finance.closes.partners, { count: data.partners })}
      </p>
      {data.partners === 0 ? null : (
        <p className={classes.quiet}>
          <Written data={data} />
        </p>
      )}
      <Rounding rounding={data.rounding} />
      {can(ADMIN_ONLY) ? (
        <Button disabled={isBlocked || data.partners === 0} loading={isClosing} onClick={() => void close()}>
          {t(($) => $.finance.closes.close)}
        </Button>
      ) : null}
    </>
  )
}

/** What a close would write: partners, entries, and their sums by currency. */
function Written({ data: { partners, entries, sums } }: { data: Checklist }) {
  const { t } = useTranslation()
  return (
    <>
      {t(($) => $.finance.closes.written, {
        partners: formatCount(partners) ?? '',
        entries: formatCount(entries) ?? '',
      })}
      {sums.map(({ currency, amount }, index) => (
        <span key={currency.id}>
          {index === 0 ? `, ${t(($) => $.finance.closes.sums)} ` : ', '}
          <MoneyAmount value={amount} currency={currency.value} />
        </span>
      ))}
    </>
  )
}

/** Longer amounts, such as '10000000.0000', leave three columns of the panel no room. */
const BESIDE_LENGTH = 13

/** How the ledger of the month differs from the report, which rounds once. */
function Rounding({ rounding }: Pick<Checklist, 'rounding'>) {
  const { t } = useTranslation()
  if (rounding.length === 0) return null
  const columns = [
    ['ledger', t(($) => $.finance.closes.inLedger)],
    ['report', t(($) => $.finance.closes.inReport)],
    ['difference', t(($) => $.finance.closes.difference)],
  ] as const
  const isTall = rounding.some(({ ledger, report }) => Math.max(ledger.length, report.length) > BESIDE_LENGTH)
  return (
    <table className={`${tableClasses.table} ${classes.snug} ${isTall ? classes.tall : ''}`}>
      <caption className={classes.quiet}>{t(($) => $.finance.closes.rounding)}</caption>
      <thead>
        <tr>
          {columns.map(([name, title]) => (
            <th key={name} className={tableClasses.number}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rounding.map(({ currency, ...amounts }) => (
          <tr key={currency.id}>
            {columns.map(([name, title]) => (
              <td key={name} className={tableClasses.number} data-label={title}>
                <MoneyAmount value={amounts[name]} currency={currency.value} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface CheckProps {
  readonly item: Checklist['items'][number]
  readonly children: ReactNode
}

function Check({ item: { code, count, blocks, link }, children }: CheckProps) {
  const { t } = useTranslation()
  const tone = count === 0 ? 'positive' : blocks ? 'negative' : 'warning'
  const state = count === 0 ? 'fine' : blocks ? 'blocks' : 'warns'
  return (
    <li className={classes.check}>
      <div className={classes.checkLine}>
        <StateBadge tone={tone}>{t(($) => $.finance.closes[state])}</StateBadge>
        <span className={classes.checkText}>
          {count === 0
            ? t(($) => $.finance.closes.checks[code])
            : t(($) => $.finance.closes.open[code], { count, amount: formatCount(count) ?? '' })}
        </span>
        {count === 0 || link === null ? null : (
          <AddressLink address={link} className={classes.link}>
            {code === 'rate_missing'
              ? t(($) => $.finance.closes.toRates)
              : code === 'issuer_missing'
                ? t(($) => $.finance.closes.toSettings)
                : t(($) => $.finance.closes.show)}
          </AddressLink>
        )}
      </div>
      {children}
    </li>
  )
}

/** The currencies without a rate, each with the first day that needs one. */
function UnratedCurrencies({ rates }: { rates: Checklist['missing_rates'] }) {
  const { t } = useTranslation()
  if (rates.length === 0) return null
  const names = rates.map(({ currency: { value, title }, since }) =>
    t(($) => $.finance.closes.rateSince, { currency: value || title, day: formatDay(since) ?? since }),
  )
  return <p className={classes.quiet}>{names.join(', ')}</p>
}

/** Each button notes that the advertiser has confirmed the month. */
function Unconfirmed({ month, advertisers }: { month: string; advertisers: Checklist['unconfirmed'] }) {
  const { t } = useTranslation()
  const can = useCan()
  const reload = useReload()
  if (advertisers.length === 0) return null
  const confirm = async (advertiser: number) => {
    await http.post('advertiser_confirmation', { advertiser, month }).catch(notifyFailure)
    await reload()
  }
  return (
    <ul className={classes.advertisers}>
      {advertisers.map(({ id, title }) => (
        <li key={id}>
          <span>{title}</span>
          {can(staffLeadersOr('payment_invoice_edit')) ? (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${title}: ${t(($) => $.finance.closes.confirm)}`}
              onClick={() => void confirm(id)}
            >
              {t(($) => $.finance.closes.confirm)}
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
