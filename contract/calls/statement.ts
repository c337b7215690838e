// Calls that make statements and change their states, reverse payments, return documents, and verify files.
import { z } from 'zod'
import { ADMIN_OR_LEADERS, staffLeadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { currencyReference } from '../currency-reference.ts'
import { ADJUSTMENT_KINDS } from '../entities/adjustment.ts'
import { LEDGER_SOURCES } from '../entities/ledger-entry.ts'
import { PAYMENT_METHODS } from '../entities/partner-billing.ts'
import { LANGUAGES } from '../language.ts'
import { INTEGER_MAX, MEGABYTE } from '../limits.ts'
import { monthSchema } from '../month.ts'
import { optionalReasonBody, requiredReason } from '../reason.ts'
import { bulkAnswer, SELECTION_BODY_LIMITS, selectionSchema } from '../selection.ts'
import { CARRY_REASONS, CORRECTION_CAUSES, STATEMENT_LINE_KINDS } from '../statement.ts'

const params = z.strictObject({ id: z.string() })
const row = z.record(z.string(), z.unknown())
const withReason = z.strictObject({ reason: requiredReason })

/** Makes the draft of a partner's closed month with its invoices. With a digest, 409 `preview_stale` if the preview has changed. */
export const statementCreate = defineCall({
  name: 'statement_create',
  method: 'POST',
  path: 'statement',
  access: staffLeadersOr('payment_invoice_edit'),
  body: z.strictObject({
    partner: z.int({ error: 'required' }).positive('value_invalid'),
    month: monthSchema,
    digest: z.string().max(64, 'value_invalid').optional(),
  }),
  answer: row,
  status: 201,
})

/** draft → approved, with its invoices. Whoever made it or adjusted it may not approve it, by setting. */
export const statementApprove = defineCall({
  name: 'statement_approve',
  method: 'PUT',
  path: 'statement/:id/approve',
  access: ADMIN_OR_LEADERS,
  params,
  body: optionalReasonBody,
  answer: row,
})

/** Approves the selected drafts, each by itself; statements that are approved already count as unchanged. */
export const statementApproveSelected = defineCall({
  name: 'statement_approve_selected',
  method: 'PUT',
  path: 'statement/approve',
  access: ADMIN_OR_LEADERS,
  bodyLimits: SELECTION_BODY_LIMITS,
  body: selectionSchema,
  answer: bulkAnswer,
})

/** From draft, or from approved without payments and sent invoices. Releases all items. */
export const statementVoid = defineCall({
  name: 'statement_void',
  method: 'PUT',
  path: 'statement/:id/void',
  access: ADMIN_OR_LEADERS,
  params,
  body: withReason,
  answer: row,
})

/** Marks an approved statement as disputed; no payment is recorded until it is resolved. Queued invoices that were never requested become approved. */
export const statementDispute = defineCall({
  name: 'statement_dispute',
  method: 'PUT',
  path: 'statement/:id/dispute',
  access: ADMIN_OR_LEADERS,
  params,
  body: withReason,
  answer: row,
})

/** The reason is shown with the resolved dispute. */
export const statementResolve = defineCall({
  name: 'statement_resolve',
  method: 'PUT',
  path: 'statement/:id/resolve',
  access: ADMIN_OR_LEADERS,
  params,
  body: optionalReasonBody,
  answer: row,
})

const reference = z.object({ id: z.int(), title: z.string() })
const statementReference = z.object({ id: z.int(), month: z.string() })

/** What a line is made of: players, days with base and percentage, an adjustment, or other lines. */
export const statementLineItems = defineCall({
  name: 'payment_invoice_line_items',
  method: 'GET',
  path: 'payment_invoice_line/:id/items',
  access: { roles: ['ADMIN', 'TEAM_LEADER', 'PARTNER'], permissions: ['payment_invoice_view'] },
  params,
  answer: z.object({
    items: z.array(
      z.object({
        day: z.string().nullable(),
        /** The advertiser's id of the player; CPA alone. */
        player: z.string().nullable(),
        quantity: z.int().nullable(),
        base: z.string().nullable(),
        rate: z.string().nullable(),
        amount: z.string(),
      }),
    ),
    /** The line's amount less the sum of the items: revenue share and agency spend are rounded once per entry. */
    rounding: z.string(),
    /** adjustment and fee: the record. Reason and author are hidden from partners. */
    adjustment: z
      .object({
        id: z.int(),
        kind: z.enum(ADJUSTMENT_KINDS),
        note: z.string().nullable(),
        created_at: z.string(),
        reason: z.string().optional(),
        created_by: reference.nullable().optional(),
      })
      .nullable(),
    /** Entries of the ledger behind the line, the latest first; a source other than `close` corrects an earlier month. */
    entries: z.array(
      z.object({
        id: z.int(),
        source: z.enum(LEDGER_SOURCES),
        booked_month: z.string(),
        known_at: z.string(),
        /** What changed since it was booked before; empty for a close. */
        causes: z.array(z.object({ cause: z.enum(CORRECTION_CAUSES), text: z.string(), at: z.string() })),
      }),
    ),
    /** carry_over: why, and the statements between which the amount moves; null for one that the caller does not see. */
    carry: z
      .object({
        reason: z.enum(CARRY_REASONS),
        from: statementReference.nullable(),
        to: statementReference.nullable(),
      })
      .nullable(),
    /**
     * carry_over: the lines of the statement it comes from; write_off: the month's revenue share, and what was written off before; tax: the lines it
     * is taken of. Amounts are in the currency of their statement.
     */
    sources: z.array(
      z.object({
        statement: statementReference,
        kind: z.enum(STATEMENT_LINE_KINDS),
        explanation: z.string().nullable(),
        /** Null for sums by kind. */
        offer_partner: reference.nullable(),
        earned_month: z.string().nullable(),
        amount: z.string(),
        currency: currencyReference,
      }),
    ),
  }),
})

const languageQuery = z.strictObject({ language: z.enum(LANGUAGES).optional() })

/** The file as it was rendered at approval. */
export const statementPdf = defineCall({
  name: 'statement_pdf',
  method: 'GET',
  path: 'statement/:id/pdf',
  access: 'everyone',
  params,
  query: languageQuery,
  returnsStoredFile: true,
})

/** All lines, CPA by player. */
export const statementXlsx = defineCall({
  name: 'statement_xlsx',
  method: 'GET',
  path: 'statement/:id/xlsx',
  access: { roles: ['ADMIN', 'TEAM_LEADER', 'PARTNER'], permissions: ['payment_invoice_view'] },
  params,
  query: languageQuery,
  sheet: true,
})

/** More than zero, with at most two decimals; zeros after them are none. */
const AMOUNT = /^(?=.*[1-9])\d{1,14}(\.\d{1,2}0{0,8})?$/

/** Records a payment of an approved statement that is not disputed, in its currency, of no more than is left. */
export const paymentCreate = defineCall({
  name: 'payment_create',
  method: 'POST',
  path: 'payment',
  access: ADMIN_OR_LEADERS,
  body: z.strictObject({
    statement: z.int().positive('value_invalid').max(INTEGER_MAX, 'value_invalid'),
    paid_at: z.iso.date('date_invalid'),
    amount: z.string().regex(AMOUNT, 'amount_invalid'),
    currency: z.int().positive('value_invalid').max(INTEGER_MAX, 'value_invalid'),
    method: z.enum(PAYMENT_METHODS).nullish(),
    reference: z.string().trim().max(255, 'too_long').nullish(),
  }),
  answer: row,
  status: 201,
})

export const paymentReverse = defineCall({
  name: 'payment_reverse',
  method: 'PUT',
  path: 'payment/:id/reverse',
  access: ADMIN_OR_LEADERS,
  params,
  body: withReason,
  answer: row,
})

const VERDICTS = ['valid', 'superseded', 'unknown'] as const

const VERIFIED_PER_MINUTE = 20

/** Tells whether a PDF is a statement as it was approved. Needs no token. */
export const verify = defineCall({
  name: 'verify',
  method: 'POST',
  path: 'verify',
  access: 'public',
  callsPerMinute: VERIFIED_PER_MINUTE,
  upload: { maxBytes: 20 * MEGABYTE, extensions: ['pdf'] },
  answer: z.object({
    verdict: z.enum(VERDICTS),
    sha256: z.string(),
    /** Of a known statement. */
    number: z.int().nullable(),
    month: z.string().nullable(),
    approved_on: z.string().nullable(),
  }),
})
