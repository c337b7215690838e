// The preview of a closed month. Left: the month, the partner and what blocks drafts. Middle: computed lines. Right: its statements.
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { staffLeadersOr } from '@tributary/contract/access'
import type { PreviewAnswer } from '@tributary/contract/calls/payment-invoice'
import { isMonth, lastDayOf, monthBefore } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { fetchOptions, lookupLoader } from '../../data/lookup.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { MonthStepper } from '../../ui/date/month-stepper.tsx'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { Page } from '../../ui/page.tsx'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { Unrated } from '../../ui/unrated.tsx'
import { BlockerList } from './blocker-list.tsx'
import { Documents } from './documents.tsx'
import { type PreviewFilter, PreviewFilters, readPreviewFilter } from './preview-filters.tsx'
import { PreviewTable } from './preview-table.tsx'
import classes from './statement.module.css'

interface PreviewState {
  readonly month: string
  readonly partner: number | null
  readonly further: PreviewFilter
  /** Without what a close would book now, as the finance overview counts what waits. */
  readonly isBooked: boolean
}

/** The state of the screen in the address. */
function usePreviewState(): readonly [PreviewState, (edit: Partial<PreviewState>) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const { month, partner } = search
  const navigate = useNavigate()
  const id = Number(partner)
  const state: PreviewState = {
    month: isMonth(month) ? month : monthBefore(businessToday().slice(0, 7)),
    partner: Number.isSafeInteger(id) && id > 0 ? id : null,
    further: readPreviewFilter(search),
    isBooked: Number(search.booked) === 1,
  }
  const edit = (change: Partial<PreviewState>) => {
    const { partner: chosen, further, month: shown, isBooked } = { ...state, ...change }
    const next = {
      month: shown,
      ...(chosen !== null && { partner: chosen }),
      ...(isBooked && { booked: 1 }),
      ...further,
    }
    void navigate({ to: '.', search: () => next, replace: true })
  }
  return [state, edit]
}

export function PreviewScreen() {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const [state, edit] = usePreviewState()
  const { month, partner, further, isBooked } = state
  const filter = {
    date_from: `${month}-01`,
    date_to: lastDayOf(month),
    ...(partner !== null && { partners: [partner] }),
    ...further,
  }
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.entity('payment_invoice'), 'preview', filter, isBooked],
    queryFn: ({ signal }) =>
      http.post<PreviewAnswer>('payment_invoice/preview', { filter, booked_only: isBooked }, { signal }),
    staleTime: 0,
  })
  const create = async () => {
    try {
      const made = await http.post<{ invoices: number[] }>('payment_invoice', { filter, digest: data?.digest })
      notifySuccess(t(($) => $.billing.made, { count: made.invoices.length }))
      await cache.invalidateQueries({ queryKey: keys.entity('statement') })
    } catch (failure) {
      notifyFailure(failure)
    }
    await cache.invalidateQueries({ queryKey: keys.entity('payment_invoice') })
  }
  return (
    <Page
      title={t(($) => $.screens['invoice-preview'].title)}
      subtitle={t(($) => $.screens['invoice-preview'].subtitle)}
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          <Period {...state} onEdit={edit} />
          {data === undefined || isBooked ? null : <Outcome data={data} onCreate={create} />}
        </div>
        <div className={classes.column}>
          {error ? (
            <FailedState error={error} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <TableSkeleton columns={[t(($) => $.billing.grain), '', '', '', '']} rows={6} />
          ) : data.rows.length === 0 ? (
            <EmptyState title={t(($) => $.billing.nothing)} text={t(($) => $.billing.nothingText)} />
          ) : (
            <PreviewTable rows={data.rows} isBooked={isBooked} />
          )}
        </div>
        <div className={classes.column}>
          <Documents month={month} partner={partner} />
        </div>
      </div>
    </Page>
  )
}

interface PeriodProps extends PreviewState {
  readonly onEdit: (change: Partial<PreviewState>) => void
}

function Period({ month, partner, further, isBooked, onEdit }: PeriodProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const { data: chosen } = useQuery({
    queryKey: keys.lookup('partner', `id ${partner}`),
    queryFn: ({ signal }) => fetchOptions('partner', partner === null ? [] : [partner], signal),
  })
  return (
    <>
      <MonthStepper month={month} onChange={(next) => onEdit({ month: next })} />
      <LookupSelect
        label={labels.field('statement', 'partner')}
        value={chosen?.[0] ?? null}
        load={lookupLoader('partner')}
        onChange={(option) => onEdit({ partner: option === null ? null : Number(option.id) })}
      />
      <PreviewFilters filter={further} onChange={(next) => onEdit({ further: next })} />
      {isBooked ? (
        <>
          <p className={classes.quiet}>{t(($) => $.billing.bookedOnly)}</p>
          <Button variant="default" onClick={() => onEdit({ isBooked: false })}>
            {t(($) => $.billing.withOpenMonth)}
          </Button>
        </>
      ) : null}
    </>
  )
}

/** A currency in which nothing is payable is left out, unless there is no other. */
export function shownTotals(totals: PreviewAnswer['total']): PreviewAnswer['total'] {
  const payable = totals.filter(({ amount, unrated }) => Number(amount) !== 0 || unrated.length > 0)
  return payable.length === 0 ? totals.slice(0, 1) : payable
}

/** What drafts would come to, what prevents them, and the button that makes them. */
function Outcome({ data, onCreate }: { data: PreviewAnswer; onCreate: () => Promise<void> }) {
  const { t } = useTranslation()
  const can = useCan()
  const [isCreating, setIsCreating] = useState(false)
  const blocked = new Set(data.blockers.flatMap(({ blocks, partner }) => (blocks === 'create' ? [partner?.id] : [])))
  const isPayable = data.rows.some(({ grain, entries }) => entries.length > 0 && !blocked.has(grain.partner.id))
  return (
    <>
      {shownTotals(data.total).map(({ currency, amount, unrated, provisional }) => (
        <div key={`${currency.id} ${provisional}`} className={classes.total}>
          {Number(amount) === 0 && unrated.length > 0 ? null : <MoneyAmount value={amount} currency={currency.value} />}
          <Unrated parts={unrated} />
          {provisional ? <span className={classes.provisional}>{t(($) => $.billing.provisional)}</span> : null}
        </div>
      ))}
      {data.additions.map(({ partner, statement, currency, before, added, after }) => (
        <p key={statement} className={classes.quiet}>
          {t(($) => $.billing.addition, { number: statement, partner: partner.title })}{' '}
          <MoneyAmount value={before} currency={currency.value} /> {Number(added) < 0 ? '−' : '+'}{' '}
          <MoneyAmount value={added.replace('-', '')} currency={currency.value} /> ={' '}
          <MoneyAmount value={after} currency={currency.value} />
        </p>
      ))}
      {can(staffLeadersOr('payment_invoice_edit')) ? (
        <Button
          disabled={!isPayable}
          loading={isCreating}
          onClick={() => {
            setIsCreating(true)
            void onCreate().finally(() => setIsCreating(false))
          }}
        >
          {t(($) => $.billing.create)}
        </Button>
      ) : null}
      <BlockerList blockers={data.blockers} />
    </>
  )
}
