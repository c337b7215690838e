// The preview of a closed month. Left: the month, the partner and what blocks drafts. Middle: computed lines. Right: its statements.
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
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
import { Documents } from './documents.tsx'
import { PreviewTable } from './preview-table.tsx'
import classes from './statement.module.css'

interface PreviewState {
  readonly month: string
  readonly partner: number | null
}

/** The state of the screen in the address. */
function usePreviewState(): readonly [PreviewState, (edit: Partial<PreviewState>) => void] {
  const { month, partner }: { month?: unknown; partner?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const id = Number(partner)
  const state: PreviewState = {
    month: isMonth(month) ? month : monthBefore(businessToday().slice(0, 7)),
    partner: Number.isSafeInteger(id) && id > 0 ? id : null,
  }
  const edit = (change: Partial<PreviewState>) => {
    const { partner: chosen, ...next } = { ...state, ...change }
    void navigate({ to: '.', search: () => ({ ...next, ...(chosen !== null && { partner: chosen }) }), replace: true })
  }
  return [state, edit]
}

export function PreviewScreen() {
  const { t } = useTranslation()
  const cache = useQueryClient()
  const [{ month, partner }, edit] = usePreviewState()
  const filter = {
    date_from: `${month}-01`,
    date_to: lastDayOf(month),
    ...(partner !== null && { partners: [partner] }),
  }
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.entity('payment_invoice'), 'preview', filter],
    queryFn: ({ signal }) => http.post<PreviewAnswer>('payment_invoice/preview', { filter }, { signal }),
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
          <Period month={month} partner={partner} onEdit={edit} />
          {data === undefined ? null : <Outcome data={data} onCreate={create} />}
        </div>
        <div className={classes.column}>
          {error ? (
            <FailedState error={error} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <TableSkeleton columns={[t(($) => $.billing.grain), '', '', '', '']} rows={6} />
          ) : data.rows.length === 0 ? (
            <EmptyState title={t(($) => $.billing.nothing)} text={t(($) => $.billing.nothingText)} />
          ) : (
            <PreviewTable rows={data.rows} />
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

function Period({ month, partner, onEdit }: PeriodProps) {
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
    </>
  )
}

/** Blockers that say the same of several partners stand once, with the number of partners. */
export const groupBlockers = (blockers: PreviewAnswer['blockers']) =>
  [...Map.groupBy(blockers, ({ message }) => message).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, partners: 1 + others.length }],
  )

/** What drafts would come to, what prevents them, and the button that makes them. */
function Outcome({ data, onCreate }: { data: PreviewAnswer; onCreate: () => Promise<void> }) {
  const { t } = useTranslation()
  const can = useCan()
  const [isCreating, setIsCreating] = useState(false)
  const blocked = new Set(data.blockers.flatMap(({ blocks, partner }) => (blocks === 'create' ? [partner?.id] : [])))
  const isPayable = data.rows.some(({ grain, entries }) => entries.length > 0 && !blocked.has(grain.partner.id))
  return (
    <>
      {data.total.map(({ currency, amount, provisional }) => (
        <p key={`${currency.id} ${provisional}`} className={classes.total}>
          <MoneyAmount value={amount} currency={currency.value} />
          {provisional ? <span className={classes.provisional}>{t(($) => $.billing.provisional)}</span> : null}
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
      {groupBlockers(data.blockers).map(({ blocks, message, link, partners }) => (
        <p key={message} className={blocks === 'create' ? classes.blocker : classes.warning}>
          <Link to={link} className={classes.link ?? ''}>
            {message}
          </Link>
          {partners > 1 ? ` · ${t(($) => $.billing.partners, { count: partners })}` : null}
        </p>
      ))}
    </>
  )
}
