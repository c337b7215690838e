// What the CRM answered about the invoices of a statement: rejected ones first, each with what it pays for.

import { Link } from '@tanstack/react-router'
import type { InvoiceStatus } from '@tributary/contract/entities/payment-invoice'
import { EMPTY_QUERY } from '@tributary/contract/list-query'
import { useTranslation } from 'react-i18next'
import { PANEL_PARAM } from '../../entities/field/row-link.ts'
import { writeSearch } from '../../entities/list/list-state.ts'
import { useLabels } from '../../i18n/labels.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { joinTexts } from '../../lib/isolate.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import { reasonOf } from './crm-answer.ts'
import classes from './statement.module.css'
import type { StatementInvoice } from './statement-row.ts'

/** In the order in which they need attention. Void ones are shown if the CRM had rejected them. */
const ANSWERED: readonly InvoiceStatus[] = ['rejected', 'queued', 'sent', 'void', 'accepted']
const SHOWN = 8

interface CrmAnswersProps {
  readonly statement: number
  readonly currency: string
  readonly invoices: readonly StatementInvoice[]
}

export function CrmAnswers({ statement, currency, invoices }: CrmAnswersProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const answered = ANSWERED.flatMap((status) =>
    invoices.filter((one) => one.status === status && (status !== 'void' || reasonOf(one.crm_response) !== null)),
  )
  if (answered.length === 0) return null
  const conditions = [
    { path: 'statement', operator: 'eq', values: [String(statement)] },
    { path: 'status', operator: 'in', values: [...new Set(answered.map(({ status }) => status))] },
  ] as const
  return (
    <>
      <ul className={classes.invoices} aria-label={labels.field('payment_invoice', 'crm_response')}>
        {answered.slice(0, SHOWN).map(({ id, status, amount, crm_response, advertiser, country, stream }) => (
          <li key={id}>
            <StateBadge tone={toneOf(status)}>{labels.choice('payment_invoice', 'status', status)}</StateBadge>
            <Link to="/payment-invoices" search={() => ({ [PANEL_PARAM]: id })} className={classes.link ?? ''}>
              {recordNumber(id)}
            </Link>
            <span>
              <MoneyAmount value={amount} currency={currency} />
            </span>
            <div className={classes.quiet}>
              {joinTexts([advertiser, country, stream].flatMap((one) => one?.title ?? []))}
            </div>
            <div className={classes.quiet}>{reasonOf(crm_response)}</div>
          </li>
        ))}
      </ul>
      {answered.length > SHOWN ? (
        <Link
          to="/payment-invoices"
          search={() => writeSearch({ ...EMPTY_QUERY, conditions })}
          className={classes.link ?? ''}
        >
          {t(($) => $.billing.crm.all, { count: answered.length })}
        </Link>
      ) : null}
    </>
  )
}
