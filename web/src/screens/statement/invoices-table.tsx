// The invoices of a statement with their state at the CRM. Each opens its own panel.
import { Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { PANEL_PARAM } from '../../entities/field/row-link.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
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

export function InvoicesTable({ statement: { invoices = [], currency, carried }, onChange }: InvoicesTableProps) {
  const labels = useLabels()
  if (invoices.length === 0) return null
  const field = (name: string) => labels.field('payment_invoice', name)
  return (
    <section className={classes.scroll}>
      <h3 className={classes.title}>{labels.field('statement', 'invoices')}</h3>
      <table className={classes.table}>
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
                  {`№ ${invoice.id}`}
                </Link>
                <div className={classes.quiet}>
                  {[invoice.advertiser, invoice.country, invoice.stream].flatMap((one) => one?.title ?? []).join(' · ')}
                </div>
              </td>
              <td className={classes.number}>
                <MoneyAmount value={invoice.amount} currency={currency.value} />
              </td>
              <td>
                <StateBadge tone={toneOf(invoice.status)}>
                  {labels.choice('payment_invoice', 'status', invoice.status)}
                </StateBadge>
                {reasonOf(invoice.crm_response) === null ? null : (
                  <div className={classes.quiet}>
                    <NameText value={reasonOf(invoice.crm_response)} />
                  </div>
                )}
              </td>
              <td>
                <Group gap={4} justify="flex-end">
                  <InvoiceSteps id={invoice.id} status={invoice.status} isCarried={carried} onChange={onChange} />
                </Group>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
