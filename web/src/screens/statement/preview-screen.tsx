// The preview of a closed month: the period left; computed lines, blockers and the creation right.
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { staffLeadersOr } from '@tributary/contract/access'
import type { PreviewAnswer } from '@tributary/contract/calls/payment-invoice'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { lookupLoader } from '../../data/lookup.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import type { LookupOption } from '../../ui/lookup/lookup-options.tsx'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { Page } from '../../ui/page.tsx'
import { FailedState } from '../../ui/states.tsx'
import { Money } from '../../ui/value.tsx'
import classes from './statement.module.css'

const previousMonth = (): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

const lastDay = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)

const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text)

export function PreviewScreen() {
  const { t } = useTranslation()
  const labels = useLabels()
  const can = useCan()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [month, setMonth] = useState(previousMonth)
  const [partner, setPartner] = useState<LookupOption | null>(null)
  const filter = {
    date_from: `${month}-01`,
    date_to: isMonth(month) ? lastDay(month) : '',
    ...(partner !== null && { partners: [Number(partner.id)] }),
  }
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.entity('payment_invoice'), 'preview', filter],
    queryFn: ({ signal }) => http.post<PreviewAnswer>('payment_invoice/preview', { filter }, { signal }),
    enabled: isMonth(month),
    staleTime: 0,
  })
  const create = async () => {
    try {
      const made = await http.post<{ invoices: number[] }>('payment_invoice', { filter, digest: data?.digest })
      notifySuccess(t(($) => $.billing.made, { count: made.invoices.length }))
      await cache.invalidateQueries({ queryKey: keys.entity('statement') })
      await navigate({ to: '/statements' })
    } catch (failure) {
      notifyFailure(failure)
      await refetch()
    }
  }
  const isBlocked = data?.blockers.some(({ blocks }) => blocks === 'create') ?? true
  const isEmpty = data?.rows.every(({ entries }) => entries.length === 0) ?? true
  return (
    <Page
      title={t(($) => $.screens['invoice-preview'].title)}
      subtitle={t(($) => $.screens['invoice-preview'].subtitle)}
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          <TextInput
            type="month"
            label={labels.field('statement', 'month')}
            value={month}
            onChange={(event) => setMonth(event.currentTarget.value)}
          />
          <LookupSelect
            label={labels.field('statement', 'partner')}
            value={partner}
            load={lookupLoader('partner')}
            onChange={setPartner}
          />
          {data?.total.map(({ currency, amount }) => (
            <p key={currency.id} className={classes.total}>
              <Money value={amount} /> {currency.title}
            </p>
          ))}
          {can(staffLeadersOr('payment_invoice_edit')) ? (
            <Button disabled={isBlocked || isEmpty} onClick={() => void create()}>
              {t(($) => $.billing.create)}
            </Button>
          ) : null}
          {data?.blockers.map(({ code, message, link, partner: whose }) => (
            <p key={`${code} ${whose?.id ?? 0} ${message}`} className={classes.blocker}>
              <Link to={link}>{message}</Link>
            </p>
          ))}
        </div>
        <div className={classes.column}>
          {error ? <FailedState error={error} onRetry={() => void refetch()} /> : null}
          {data === undefined ? null : data.rows.length === 0 ? (
            <p className={classes.quiet}>{t(($) => $.billing.nothing)}</p>
          ) : (
            <PreviewTable rows={data.rows} />
          )}
        </div>
      </div>
    </Page>
  )
}

function PreviewTable({ rows }: { rows: PreviewAnswer['rows'] }) {
  const { t } = useTranslation()
  const labels = useLabels()
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{labels.field('statement', 'partner')}</th>
            <th>{t(($) => $.billing.grain)}</th>
            <th>{labels.field('statement', 'lines')}</th>
            <th className={classes.number}>{t(($) => $.billing.onHold)}</th>
            <th className={classes.number}>{t(($) => $.billing.notResolved)}</th>
            <th className={classes.number}>{t(($) => $.billing.alreadyInvoiced)}</th>
            <th className={classes.number}>{t(($) => $.billing.payable)}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ grain, currency, entries, on_hold, not_resolved, already_invoiced, payable }) => (
            <tr key={JSON.stringify(grain)}>
              <td>{grain.partner.title}</td>
              <td>
                {[grain.advertiser, grain.country, grain.traffic_source, grain.stream]
                  .flatMap((one) => one?.title ?? [])
                  .join(' · ')}
              </td>
              <td>
                {entries.map((entry) => (
                  <div key={JSON.stringify(entry)}>
                    {labels.choice('payment_invoice_line', 'kind', entry.kind)} {entry.earned_month}
                    {entry.quantity === null ? '' : ` · ${entry.quantity} ×`}
                    {entry.rate === null
                      ? ' '
                      : entry.kind === 'cpa'
                        ? ` ${Number(entry.rate)} `
                        : ` · ${Number(entry.rate)} % `}
                    = <Money value={entry.amount} /> {entry.currency.title}
                  </div>
                ))}
              </td>
              {[on_hold, not_resolved, already_invoiced, payable].map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: four fixed columns
                <td key={index} className={classes.number}>
                  <Money value={value} /> {currency.title}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
