// How a partner is paid: the valid values, the partner's change that waits for staff, and payment details behind the password.
import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { staffLeadersOr } from '@tributary/contract/access'
import type { BillingAnswer } from '@tributary/contract/calls/partner-billing'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan, useProfile } from '../../data/profile.ts'
import { useLabels } from '../../i18n/labels.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { formatMoney } from '../../lib/number-format.ts'
import { FailedState } from '../../ui/states.tsx'
import { entityOf } from '../field/field-at.ts'
import classes from './billing.module.css'
import { BillingForm } from './billing-form.tsx'
import { PasswordModal } from './password-modal.tsx'

type Fact = readonly [label: string, value: string | null | undefined]

const percent = (text: string | undefined): string | undefined => (text === undefined ? undefined : `${Number(text)} %`)

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) =>
        value === undefined ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? '—'}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** The fields that the partner's users may propose, of the valid values or of a change. */
function useOwnFacts() {
  const { t } = useTranslation()
  const labels = useLabels()
  return (of: Partial<BillingAnswer> | NonNullable<BillingAnswer['proposed']>): Fact[] => [
    [labels.field('partner_billing', 'legal_name'), of.legal_name],
    [labels.field('partner_billing', 'tax_id'), of.tax_id],
    [labels.field('partner_billing', 'vat'), percent(of.vat)],
    [
      labels.field('partner_billing', 'method'),
      of.method === undefined ? undefined : labels.choice('partner_billing', 'method', of.method),
    ],
    [t(($) => $.billing.details), of.details],
  ]
}

type OpenDialog = 'reveal' | 'accept' | 'decline' | 'edit'

export function BillingPanel({ partner }: { partner: number }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const can = useCan()
  const profile = useProfile()
  const cache = useQueryClient()
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [shown, setShown] = useState<{ details: string | null; proposed_details: string | null } | null>(null)
  const ownFacts = useOwnFacts()
  const key = ['partner billing', partner] as const
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => http.get<BillingAnswer>(`partner/${partner}/billing`, { signal }),
  })
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const isOwn = profile.role.kind === 'PARTNER'
  const isStaffEditor = !isOwn && can(entityOf('partner').access.edit)
  const mayReveal = !isOwn && can(staffLeadersOr('payment_invoice_edit'))
  const close = () => setOpenDialog(null)
  const changed = (answer: BillingAnswer) => cache.setQueryData(key, answer)
  const field = (name: string) => labels.field('partner_billing', name)
  const decide = async (accept: boolean, current_password: string) => {
    changed(
      await http.post<BillingAnswer>(`partner/${partner}/billing/confirm`, {
        current_password,
        accept,
        version: data.version,
      }),
    )
    setShown(null)
  }
  const details = shown?.details ?? data.details
  return (
    <section className={classes.panel} aria-label={t(($) => $.billing.title)}>
      <div className={classes.head}>
        <h3 className={classes.title}>{t(($) => $.billing.title)}</h3>
        <Group gap="xs">
          {mayReveal && data.details !== null && shown === null ? (
            <Button variant="default" size="xs" onClick={() => setOpenDialog('reveal')}>
              {t(($) => $.billing.reveal)}
            </Button>
          ) : null}
          {isOwn || isStaffEditor ? (
            <Button variant="default" size="xs" onClick={() => setOpenDialog('edit')}>
              {t(($) => $.billing.change)}
            </Button>
          ) : null}
        </Group>
      </div>
      <Facts
        facts={[
          ...ownFacts({ ...data, details }),
          [field('currency'), data.currency?.value ?? null],
          [field('net_days'), String(data.net_days)],
          [field('hold_days'), String(data.hold_days)],
          [field('minimum'), `${formatMoney(data.minimum)} ${data.currency?.value ?? ''}`],
          [field('negative_rs'), labels.choice('partner_billing', 'negative_rs', data.negative_rs)],
        ]}
      />
      {data.proposed === null ? null : (
        <div className={classes.proposed}>
          <p className={classes.text}>
            {t(($) => $.billing.waits, {
              by: data.proposed.by?.title ?? t(($) => $.billing.you),
              at: formatDateTime(data.proposed.at, profile.business_time_zone) ?? '',
            })}
          </p>
          <Facts facts={ownFacts({ ...data.proposed, ...(shown && { details: shown.proposed_details }) })} />
          {isStaffEditor ? (
            <Group gap="xs">
              <Button size="xs" onClick={() => setOpenDialog('accept')}>
                {t(($) => $.billing.accept)}
              </Button>
              <Button size="xs" variant="default" onClick={() => setOpenDialog('decline')}>
                {t(($) => $.billing.decline)}
              </Button>
            </Group>
          ) : null}
        </div>
      )}
      <BillingForm opened={openDialog === 'edit'} billing={data} isOwn={isOwn} onSaved={changed} onClose={close} />
      <PasswordModal
        opened={openDialog === 'reveal'}
        title={t(($) => $.billing.reveal)}
        onClose={close}
        send={async (current_password) =>
          setShown(await http.post(`partner/${partner}/billing/reveal`, { current_password }))
        }
      />
      <PasswordModal
        opened={openDialog === 'accept' || openDialog === 'decline'}
        title={openDialog === 'decline' ? t(($) => $.billing.decline) : t(($) => $.billing.accept)}
        onClose={close}
        send={(password) => decide(openDialog === 'accept', password)}
      />
    </section>
  )
}
