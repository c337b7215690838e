// Calls that preview and make invoices, send them to the CRM, void and correct them.
import { z } from 'zod'
import { staffLeadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { currencyReference, unratedAmounts as unrated } from '../currency-reference.ts'
import { FILTER_VALUES_CAP } from '../limits.ts'
import { listOf } from '../list-of.ts'
import { optionalReasonBody, requiredReason } from '../reason.ts'
import { isRowId, rowId } from '../row-id.ts'
import { bulkAnswer, SELECTION_BODY_LIMITS, selectionSchema } from '../selection.ts'
import { STATEMENT_LINE_KINDS } from '../statement.ts'

const ids = listOf(rowId, isRowId, 10_000).optional()
const day = z.iso.date('date_invalid')

/** The period is one whole month. The other filters narrow by whole partner offers; `geoCountry` is the offer's country. */
const invoiceFilter = z.strictObject({
  date_from: day,
  date_to: day,
  partners: ids,
  partnerGroups: ids,
  advertisers: ids,
  paymentModels: ids,
  geoCountry: ids,
  trafficSources: ids,
  streams: ids,
  siteId: listOf(z.string().max(255), (value): value is string => typeof value === 'string', 10_000).optional(),
})
/** The month to preview or draft, and which partner offers of it. */
export type InvoiceFilter = z.output<typeof invoiceFilter>

const reference = z.object({ id: z.int(), title: z.string() })
const entry = z.object({
  kind: z.enum(STATEMENT_LINE_KINDS),
  earned_month: z.string().nullable(),
  quantity: z.int().nullable(),
  rate: z.string().nullable(),
  base: z.string().nullable(),
  amount: z.string(),
  currency: currencyReference,
  /** To the currency of the statement, on the last day of the earned month; null if there is none. */
  fx_rate: z.string().nullable(),
  /** In the currency of the statement; null without a rate. */
  total: z.string().nullable(),
})

/** What each prevents, for its partner alone. */
export const BLOCKERS = {
  month_not_over: 'create',
  month_open: 'create',
  rate_missing: 'create',
  billing_missing: 'create',
  legal_name_missing: 'create',
  statement_approved: 'create',
  earlier_draft: 'create',
  later_statement: 'create',
  below_minimum: 'send',
  crm_project_missing: 'send',
} as const
export type BlockerCode = keyof typeof BLOCKERS

const blocker = z.object({
  code: z.enum(Object.keys(BLOCKERS) as [BlockerCode, ...BlockerCode[]]),
  blocks: z.enum(['create', 'send']),
  message: z.string(),
  /** Where it can be resolved: a path of the screens. */
  link: z.string(),
  partner: reference.nullable(),
})
/** What prevents drafting or sending, for one partner or for all (`partner` null). */
export type Blocker = z.output<typeof blocker>

const previewAnswer = z.object({
  /** Rows with something payable first. */
  rows: z.array(
    z.object({
      /** `advertiser` and the rest are empty for lines without a partner offer, which stand on the statement alone. */
      grain: z.object({
        partner: reference,
        country: reference.nullable(),
        advertiser: reference.nullable(),
        traffic_source: reference.nullable(),
        stream: reference.nullable(),
      }),
      currency: currencyReference,
      entries: z.array(entry),
      on_hold: z.string(),
      not_resolved: z.string(),
      /** What waits or is payable beside these amounts, because no rate converts it into their currency. */
      on_hold_unrated: unrated,
      not_resolved_unrated: unrated,
      payable_unrated: unrated,
      already_invoiced: z.string(),
      /** The part of what is payable that stands on the draft already; 0 for rows without a partner offer. */
      on_draft: z.string(),
      payable: z.string(),
      /** The month is open: amounts are what a close would make payable now. */
      provisional: z.boolean(),
    }),
  ),
  /** Of statements, by currency: carried and taxed, and beside it what no rate converts. Those of open months are summed apart. */
  total: z.array(z.object({ currency: currencyReference, amount: z.string(), unrated, provisional: z.boolean() })),
  /** Drafts that would be written anew: their total before and after, and the difference. */
  additions: z.array(
    z.object({
      partner: reference,
      statement: z.int(),
      currency: currencyReference,
      before: z.string(),
      added: z.string(),
      after: z.string(),
    }),
  ),
  blockers: z.array(blocker),
  digest: z.string(),
})
/** What drafts of the filter would contain. Amounts are decimal texts. */
export type PreviewAnswer = z.output<typeof previewAnswer>

const bodyLimits = { members: FILTER_VALUES_CAP + 2000 }

export const paymentInvoicePreview = defineCall({
  name: 'payment_invoice_preview',
  method: 'POST',
  path: 'payment_invoice/preview',
  access: staffLeadersOr('payment_invoice_view'),
  isReading: true,
  /** `booked_only`: without what a close would book now; what is on hold or not resolved is what the finance overview counts. */
  body: z.strictObject({ filter: invoiceFilter, booked_only: z.boolean({ error: 'value_invalid' }).optional() }),
  bodyLimits,
  answer: previewAnswer,
})

const edit = staffLeadersOr('payment_invoice_edit')
const params = z.strictObject({ id: z.string() })
const row = z.record(z.string(), z.unknown())

/**
 * Makes drafts of what the preview with this digest has shown, for the partners whose draft nothing blocks. 409 `preview_stale` if anything has
 * changed since, and 409 `conflict` with the first blocker if every partner is blocked.
 */
export const paymentInvoiceCreate = defineCall({
  name: 'payment_invoice_create',
  method: 'POST',
  path: 'payment_invoice',
  access: edit,
  body: z.strictObject({ filter: invoiceFilter, digest: z.string({ error: 'required' }).max(64, 'value_invalid') }),
  bodyLimits,
  answer: z.object({ statements: z.array(z.int()), invoices: z.array(z.int()) }),
  status: 201,
})

/** approved → queued. Again from queued or sent: the same request under the same key. 409 while the statement is disputed or its billing unconfirmed. */
export const paymentInvoiceSend = defineCall({
  name: 'payment_invoice_send',
  method: 'PUT',
  path: 'payment_invoice/:id/send',
  access: edit,
  params,
  body: optionalReasonBody,
  answer: row,
})

/** Queues the selected approved invoices, each by itself; those that are queued, sent or accepted already count as unchanged. */
export const paymentInvoiceSendSelected = defineCall({
  name: 'payment_invoice_send_selected',
  method: 'PUT',
  path: 'payment_invoice/send',
  access: edit,
  bodyLimits: SELECTION_BODY_LIMITS,
  body: selectionSchema,
  answer: bulkAnswer,
})

/**
 * From draft, approved or rejected, and from queued if it was never requested. Its items are released. An approved statement becomes void with
 * all its invoices, and what is left of it a draft: 409 if it has payments, invoices that are with the CRM, or if a later statement takes up what
 * it carries. If payments or the CRM hold the statement, a rejected invoice becomes void alone: its lines stay on the statement, which owes them.
 */
export const paymentInvoiceVoid = defineCall({
  name: 'payment_invoice_void',
  method: 'PUT',
  path: 'payment_invoice/:id/void',
  access: { roles: ['ADMIN', 'TEAM_LEADER'] },
  params,
  body: z.strictObject({ reason: requiredReason }),
  answer: row,
})

/** From rejected: the same lines as a new request under a new key. Returns the new invoice. */
export const paymentInvoiceCorrect = defineCall({
  name: 'payment_invoice_correct',
  method: 'PUT',
  path: 'payment_invoice/:id/correct',
  access: edit,
  params,
  body: optionalReasonBody,
  answer: row,
})
