// The tables of a statement: lines that open what they are made of, invoices with their state at the CRM, payments.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LEADERS, staffLeadersOr } from '@tributary/contract/access'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { InvoiceStatus } from '@tributary/contract/entities/payment-invoice'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { useLabels } from '../../i18n/labels.ts'
import { notifyFailure } from '../../ui/notify.ts'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import { FailedState } from '../../ui/states.tsx'
import { Count, Dash, DayText, Money, NameText } from '../../ui/value.tsx'
import { reasonOf } from './crm-answer.ts'
import classes from './statement.module.css'
import { ReasonModal } from './statement-modals.tsx'
import type { Statement, StatementInvoice, StatementLine } from './statement-row.ts'

interface StatementLinesProps {
  readonly statement: Statement
  /** Sends a PUT and reloads what is shown. */
  readonly onChange: (path: string, body: object) => Promise<void>
}

export function StatementLines({ statement, onChange }: StatementLinesProps) {
  return (
    <>
      {statement.lines === undefined ? null : <Lines lines={statement.lines} currency={statement.currency.title} />}
      <Invoices statement={statement} onChange={onChange} />
      <Payments statement={statement} onChange={onChange} />
    </>
  )
}

function Lines({ lines, currency }: { lines: readonly StatementLine[]; currency: string }) {
  const labels = useLabels()
  const [opened, setOpened] = useState<number | null>(null)
  const field = (name: string) => labels.field('payment_invoice_line', name)
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{field('kind')}</th>
            <th>{field('offer_partner')}</th>
            <th>{field('earned_month')}</th>
            <th className={classes.number}>{field('quantity')}</th>
            <th className={classes.number}>{field('rate')}</th>
            <th className={classes.number}>{field('base')}</th>
            <th className={classes.number}>{field('amount')}</th>
            <th className={classes.number}>{`${field('total')}, ${currency}`}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line
              key={line.id}
              line={line}
              currency={currency}
              isOpen={opened === line.id}
              onOpen={() => setOpened(opened === line.id ? null : line.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const isMadeOfItems = ({ kind }: StatementLine): boolean => kind === 'cpa' || kind === 'rs' || kind === 'agency'

interface LineProps {
  readonly line: StatementLine
  /** Of the statement. */
  readonly currency: string
  readonly isOpen: boolean
  readonly onOpen: () => void
}

function Line({ line, currency, isOpen, onOpen }: LineProps) {
  const labels = useLabels()
  const kind = labels.choice('payment_invoice_line', 'kind', line.kind)
  return (
    <>
      <tr>
        <td>
          {isMadeOfItems(line) ? (
            <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={onOpen}>
              {kind}
            </Button>
          ) : (
            kind
          )}
        </td>
        <td>
          <NameText value={line.note ?? line.offer_partner?.title} />
        </td>
        <td>{line.earned_month}</td>
        <td className={classes.number}>
          <Count value={line.quantity} />
        </td>
        <td className={classes.number}>
          {line.kind === 'cpa' ? (
            <Amount value={line.rate} currency={line.currency.title} />
          ) : (
            <Percent value={line.rate} />
          )}
        </td>
        <td className={classes.number}>
          <Amount value={line.base} currency={line.currency.title} />
        </td>
        <td className={classes.number}>
          <Amount value={line.amount} currency={line.currency.title} />
        </td>
        <td className={classes.number}>
          <Amount value={line.total} currency={currency} />
        </td>
      </tr>
      {isOpen ? <Items line={line} /> : null}
    </>
  )
}

/** An amount with its currency; a dash alone if there is none. */
const Amount = ({ value, currency }: { value: string | null; currency: string }) =>
  value === null ? (
    <Dash />
  ) : (
    <>
      <Money value={value} /> {currency}
    </>
  )

const Percent = ({ value }: { value: string | null }) => (value === null ? <Dash /> : `${Number(value)} %`)

function Items({ line }: { line: StatementLine }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['line items', line.id],
    queryFn: ({ signal }) =>
      http.get<AnswerOf<'payment_invoice_line_items'>>(`payment_invoice_line/${line.id}/items`, { signal }),
  })
  const { t } = useTranslation()
  if (error !== null)
    return (
      <tr>
        <td colSpan={8}>
          <FailedState error={error} onRetry={() => void refetch()} />
        </td>
      </tr>
    )
  if (data === undefined)
    return (
      <tr>
        <td colSpan={8}>{t(($) => $.list.loading)}</td>
      </tr>
    )
  return data.items.map((item) => (
    <tr key={`${item.player ?? ''} ${item.day ?? ''} ${item.rate ?? ''} ${item.amount}`}>
      <td />
      <td>{item.player}</td>
      <td>
        <DayText value={item.day} />
      </td>
      <td className={classes.number}>
        <Count value={item.quantity} />
      </td>
      <td className={classes.number}>
        <Percent value={item.rate} />
      </td>
      <td className={classes.number}>
        <Amount value={item.base} currency={line.currency.title} />
      </td>
      <td className={classes.number}>
        <Amount value={item.amount} currency={line.currency.title} />
      </td>
      <td />
    </tr>
  ))
}

type InvoiceStep = 'send' | 'correct'

/** What may be done next with an invoice of a status. */
const STEPS: Readonly<Record<InvoiceStatus, readonly InvoiceStep[]>> = {
  draft: [],
  approved: ['send'],
  queued: ['send'],
  sent: ['send'],
  accepted: [],
  rejected: ['correct'],
  void: [],
}
const VOIDABLE: readonly InvoiceStatus[] = ['draft', 'approved', 'rejected']

function Invoices({ statement, onChange }: StatementLinesProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const can = useCan()
  const [voided, setVoided] = useState<StatementInvoice | null>(null)
  const mayEdit = can(staffLeadersOr('payment_invoice_edit'))
  if (statement.invoices === undefined || statement.invoices.length === 0) return null
  const field = (name: string) => labels.field('payment_invoice', name)
  return (
    <section className={classes.scroll}>
      <h3 className={classes.title}>{labels.field('statement', 'invoices')}</h3>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>#</th>
            <th>{field('advertiser')}</th>
            <th>{field('country')}</th>
            <th>{field('stream')}</th>
            <th className={classes.number}>{`${field('amount')}, ${statement.currency.title}`}</th>
            <th>{field('status')}</th>
            <th>{field('crm_response')}</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {statement.invoices.map((invoice) => (
            <tr key={invoice.id}>
              <td>{invoice.id}</td>
              <td>{invoice.advertiser?.title}</td>
              <td>{invoice.country?.title}</td>
              <td>{invoice.stream?.title}</td>
              <td className={classes.number}>
                <Amount value={invoice.amount} currency={statement.currency.title} />
              </td>
              <td>
                <StateBadge tone={toneOf(invoice.status)}>
                  {labels.choice('payment_invoice', 'status', invoice.status)}
                </StateBadge>
              </td>
              <td>{reasonOf(invoice.crm_response)}</td>
              <td>
                {mayEdit
                  ? STEPS[invoice.status].map((step) => (
                      <Button
                        key={step}
                        size="compact-xs"
                        variant="subtle"
                        onClick={() => void onChange(`payment_invoice/${invoice.id}/${step}`, {}).catch(notifyFailure)}
                      >
                        {t(
                          ($) =>
                            $.billing.invoiceSteps[step === 'send' && invoice.status !== 'approved' ? 'again' : step],
                        )}
                      </Button>
                    ))
                  : null}
                {can(LEADERS) && VOIDABLE.includes(invoice.status) ? (
                  <Button size="compact-xs" variant="subtle" color="red" onClick={() => setVoided(invoice)}>
                    {t(($) => $.billing.steps.void)}
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ReasonModal
        opened={voided !== null}
        title={t(($) => $.billing.steps.void)}
        onClose={() => setVoided(null)}
        send={(reason) => onChange(`payment_invoice/${voided?.id}/void`, { reason })}
      />
    </section>
  )
}

function Payments({ statement, onChange }: StatementLinesProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const can = useCan()
  const [reversed, setReversed] = useState<number | null>(null)
  if (statement.payments === undefined || statement.payments.length === 0) return null
  return (
    <section>
      <h3 className={classes.title}>{labels.field('statement', 'payments')}</h3>
      <table className={classes.table}>
        <tbody>
          {statement.payments.map((payment) => (
            <tr key={payment.id}>
              <td>
                <DayText value={payment.paid_at} />
              </td>
              <td className={classes.number}>
                <Money value={payment.amount} /> {statement.currency.title}
              </td>
              <td>{[payment.method, payment.reference].filter(Boolean).join(' · ')}</td>
              <td>
                {payment.reversed_at !== null ? (
                  <StateBadge tone="negative">{labels.field('payment', 'reversed_at')}</StateBadge>
                ) : can(LEADERS) ? (
                  <Button size="compact-xs" variant="subtle" color="red" onClick={() => setReversed(payment.id)}>
                    {t(($) => $.billing.reverse)}
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ReasonModal
        opened={reversed !== null}
        title={t(($) => $.billing.reverse)}
        onClose={() => setReversed(null)}
        send={(reason) => onChange(`payment/${reversed}/reverse`, { reason })}
      />
    </section>
  )
}
