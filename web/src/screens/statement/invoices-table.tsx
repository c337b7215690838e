// The invoices of a statement with their state at the CRM. Each opens its own panel.

import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { staffLeadersOr } from '@tributary/contract/access'
import type { InvoiceStatus } from '@tributary/contract/entities/payment-invoice'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { PANEL_PARAM } from '../../entities/field/row-link.ts'
import { useLabels } from '../../i18n/labels.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { joinTexts } from '../../lib/isolate.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import { NameText } from '../../ui/value.tsx'
import { reasonOf } from './crm-answer.ts'
import { InvoiceSteps } from './invoice-steps.tsx'
import classes from './statement.module.css'
import type { Statement } from './statement-row.ts'

interface InvoicesTableProps {
  readonly statement: Statement
  /** Sends a PUT and reloads what is shown. */
  readonly onChange: (path: string, body: object) => Promise<void>
}

/** States of invoices that the CRM has or may have. */
const AT_CRM: readonly InvoiceStatus[] = ['sent', 'accepted']

/** Voiding an invoice of an approved statement voids the statement, which neither payments nor the CRM may have. */
export const isVoidable = ({ state, paid, invoices = [] }: Pick<Statement, 'state' | 'paid' | 'invoices'>): boolean =>
  state === 'draft' ||
  (state === 'approved' && Number(paid) === 0 && !invoices.some(({ status }) => AT_CRM.includes(status)))

/** Nothing of the statement is sent: it is carried over whole, or disputed. */
export const isHeld = ({ carried, disputed_at }: Pick<Statement, 'carried' | 'disputed_at'>): boolean =>
  carried || disputed_at !== null

/** True if the statement still owes something, which a void invoice of it may have asked for. */
export const isOwing = ({ state }: Pick<Statement, 'state'>): boolean => state === 'approved' || state === 'partly_paid'

/** True for a void invoice whose lines the statement still owes: no other invoice has them. */
const isKept = (statement: Statement, { id, status }: { id: number; status: InvoiceStatus }): boolean =>
  status === 'void' &&
  isOwing(statement) &&
  statement.lines?.some(({ payment_invoice: own }) => own?.id === id) === true

export function InvoicesTable({ statement, onChange }: InvoicesTableProps) {
  const { t } = useTranslation()
  const { invoices = [], currency } = statement
  const holds = isHeld(statement)
  const labels = useLabels()
  const can = useCan()
  if (invoices.length === 0) return null
  const waiting = invoices.filter(({ status }) => status === 'approved')
  const sendAll = async () => {
    const title = t(($) => $.billing.bulk.send, { count: waiting.length })
    if (!(await askForConfirmation({ title, confirm: t(($) => $.billing.invoiceSteps.send) }))) return
    await onChange('payment_invoice/send', { ids: waiting.map((invoice) => invoice.id) }).catch(notifyFailure)
  }
  const field = (name: string) => labels.field('payment_invoice', name)
  return (
    <section className={classes.scroll}>
      <Group justify="space-between">
        <h3 className={classes.title}>{labels.field('statement', 'invoices')}</h3>
        {!holds && waiting.length > 1 && can(staffLeadersOr('payment_invoice_edit')) ? (
          <Button size="compact-xs" variant="default" onClick={() => void sendAll()}>
            {t(($) => $.billing.sendAll, { count: waiting.length })}
          </Button>
        ) : null}
      </Group>
      <table className={`${classes.table} ${classes.cards}`}>
        <thead>
          <tr>
            <th>{labels.field('payment_invoice_line', 'payment_invoice')}</th>
            <th className={classes.number}>{field('amount')}</th>
            <th>{field('status')}</th>
            <th aria-label={labels.field('payment_invoice', 'attempts')} />
          </tr>
        </thead>
        <tbody>
          {invoices.map((invoice) => (
            <tr key={invoice.id}>
              <td>
                <Link
                  to="/payment-invoices"
                  search={() => ({ [PANEL_PARAM]: invoice.id })}
                  className={`${classes.link} ${classes.partner}`}
                >
                  {recordNumber(invoice.id)}
                </Link>
                <div className={classes.quiet}>
                  {joinTexts([invoice.advertiser, invoice.country, invoice.stream].flatMap((one) => one?.title ?? []))}
                </div>
              </td>
              <td className={classes.number}>
                <MoneyAmount value={invoice.amount} currency={currency.value} />
              </td>
              <td className={classes.whole}>
                <StateBadge tone={toneOf(invoice.status)}>
                  {labels.choice('payment_invoice', 'status', invoice.status)}
                </StateBadge>
                {reasonOf(invoice.crm_response) === null ? null : (
                  <div className={classes.quiet}>
                    <NameText value={reasonOf(invoice.crm_response)} />
                  </div>
                )}
              </td>
              <td className={classes.whole}>
                <Group gap={4} justify="flex-end">
                  <InvoiceSteps
                    id={invoice.id}
                    status={invoice.status}
                    isKept={isKept(statement, invoice)}
                    isHeld={holds}
                    mayVoid={isVoidable(statement)}
                    onChange={onChange}
                  />
                </Group>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
