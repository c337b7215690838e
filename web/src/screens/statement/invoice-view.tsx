// The panel of an invoice: amount, lines, what the CRM has answered, the calls to it, and the next steps.

import { Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { InvoiceStatus } from '@tributary/contract/entities/payment-invoice'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { PANEL_PARAM } from '../../entities/field/row-link.ts'
import type { Row } from '../../entities/list/list-query.ts'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { formatDateTime, formatDay } from '../../lib/date-format.ts'
import { isolate, joinTexts } from '../../lib/isolate.ts'
import { businessZone } from '../../state/profile-facts.ts'
import { type CurrencyRef, MoneyAmount } from '../../ui/money-amount.tsx'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import { SendSelected } from './bulk-steps.tsx'
import { numberOf, reasonOf } from './crm-answer.ts'
import { type CrmAttempt, CrmAttempts } from './crm-attempts.tsx'
import { InvoiceSteps } from './invoice-steps.tsx'
import { isHeld, isOwing, isVoidable } from './invoices-table.tsx'
import classes from './statement.module.css'
import { StatementLines } from './statement-lines.tsx'
import type { Statement, StatementInvoice, StatementLine } from './statement-row.ts'
import { StepList } from './step-list.tsx'

/** Fields that are hidden from the user are absent. */
interface Invoice extends StatementInvoice {
  readonly date_from: string
  readonly date_to: string
  readonly partner: { readonly title: string }
  readonly traffic_source: { readonly title: string } | null
  readonly statement: { readonly id: number } | null
  readonly currency: CurrencyRef
  readonly sent_at?: string | null
  readonly void_reason?: string | null
  readonly corrects?: { readonly id: number } | null
  readonly corrections?: readonly { readonly id: number }[]
  readonly lines?: readonly StatementLine[]
  readonly attempts?: readonly CrmAttempt[]
}

function InvoiceView({ row }: { row: Row }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const cache = useQueryClient()
  // The entity declares these fields.
  const invoice = row as unknown as Invoice
  const { id, status, statement, advertiser, country, traffic_source, stream, currency } = invoice
  const { data: parent } = useQuery({
    queryKey: keys.row('statement', statement?.id ?? 0),
    queryFn: ({ signal }) => http.get<Statement>(`statement/${statement?.id}`, { signal }),
    enabled: statement !== null,
  })
  const change = async (path: string, body: object) => {
    await http.put(path, body)
    await Promise.all(
      ['payment_invoice', 'statement'].map((name) => cache.invalidateQueries({ queryKey: keys.entity(name) })),
    )
  }
  const isKept = parent !== undefined && parent.state !== 'void' && (invoice.lines ?? []).length > 0
  return (
    <div className={classes.view}>
      <Group justify="space-between">
        <p className={classes.total}>
          <MoneyAmount value={invoice.amount} currency={currency.value} />
        </p>
        <StateBadge tone={toneOf(status)}>{labels.choice('payment_invoice', 'status', status)}</StateBadge>
      </Group>
      <div>
        <p className={classes.quiet}>
          {`${recordNumber(id)} · ${isolate(invoice.partner.title)} · ${formatDay(invoice.date_from)} – ${formatDay(invoice.date_to)}`}
        </p>
        <p className={classes.quiet}>
          {joinTexts([advertiser, country, traffic_source, stream].flatMap((one) => one?.title ?? []))}
        </p>
        {statement === null ? null : (
          <Link to="/statements" search={() => ({ [PANEL_PARAM]: statement.id })} className={classes.link ?? ''}>
            {`${labels.field('payment_invoice', 'statement')} ${recordNumber(statement.id)}`}
          </Link>
        )}
        {invoice.corrects ? <OtherInvoice field="corrects" id={invoice.corrects.id} /> : null}
        {(invoice.corrections ?? []).map((next) => (
          <OtherInvoice key={next.id} field="corrections" id={next.id} />
        ))}
        {invoice.void_reason ? (
          <p className={classes.quiet}>{`${labels.field('payment_invoice', 'void_reason')}: ${invoice.void_reason}`}</p>
        ) : null}
      </div>
      <Group gap="xs">
        <InvoiceSteps
          id={id}
          status={status}
          isKept={status === 'void' && isKept && isOwing(parent)}
          isHeld={parent !== undefined && isHeld(parent)}
          mayVoid={parent === undefined || isVoidable(parent)}
          onChange={change}
        />
      </Group>
      {invoice.crm_response === undefined && invoice.attempts === undefined ? null : <CrmAnswer invoice={invoice} />}
      {invoice.lines === undefined || invoice.lines.length === 0 ? null : (
        <section>
          <h3 className={classes.title}>{labels.field('payment_invoice', 'lines')}</h3>
          <StatementLines lines={invoice.lines} currency={currency.value} statement={statement?.id ?? 0} />
        </section>
      )}
      {invoice.attempts === undefined ? null : (
        <CrmAttempts attempts={invoice.attempts.toSorted((a, b) => b.id - a.id)} />
      )}
      <StepList name="payment_invoice" id={id} />
      {status === 'void' ? (
        <p className={classes.quiet}>
          {t(($) => $.billing.crm.void)}
          {isKept ? ` ${t(($) => $.billing.crm.keptLines)}` : null}
        </p>
      ) : null}
    </div>
  )
}

/** The invoice that this one replaces, or that replaces it. */
function OtherInvoice({ field, id }: { field: 'corrects' | 'corrections'; id: number }) {
  const labels = useLabels()
  return (
    <div>
      <Link to="/payment-invoices" search={() => ({ [PANEL_PARAM]: id })} className={classes.link ?? ''}>
        {`${labels.field('payment_invoice', field)} ${recordNumber(id)}`}
      </Link>
    </div>
  )
}

/** What each status says about the CRM. */
const SAID: Readonly<Record<InvoiceStatus, 'notSent' | 'queued' | 'sent' | 'accepted' | 'rejected' | null>> = {
  draft: 'notSent',
  approved: 'notSent',
  queued: 'queued',
  sent: 'sent',
  accepted: 'accepted',
  rejected: 'rejected',
  void: null,
}

function CrmAnswer({ invoice: { status, sent_at, crm_response } }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const said = SAID[status]
  if (said === null) return null
  const reason = status === 'rejected' ? reasonOf(crm_response) : null
  const number = numberOf(crm_response)
  return (
    <section>
      <h3 className={classes.title}>{labels.field('payment_invoice', 'crm_response')}</h3>
      <p className={status === 'rejected' ? classes.blocker : classes.quiet}>
        {joinTexts([
          t(($) => $.billing.crm[said]),
          ...(reason === null ? [] : [reason]),
          ...(number === null ? [] : [t(($) => $.billing.crm.number, { number })]),
          ...(sent_at === undefined || sent_at === null ? [] : [formatDateTime(sent_at, businessZone()) ?? '']),
        ])}
      </p>
    </section>
  )
}

export const PAYMENT_INVOICE_LIST: ListSlots = { view: InvoiceView, panelWidth: 960, BulkActions: SendSelected }
