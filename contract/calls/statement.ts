// Calls that make statements and change their states, reverse payments, return documents, and verify files.
import { z } from 'zod'
import { LEADERS, staffLeadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { PAYMENT_METHODS } from '../entities/partner-billing.ts'
import { LANGUAGES } from '../language.ts'
import { MEGABYTE } from '../limits.ts'
import { monthSchema } from '../month.ts'
import { bulkAnswer, SELECTION_BODY_LIMITS, selectionSchema } from '../selection.ts'

const params = z.strictObject({ id: z.string() })
const row = z.record(z.string(), z.unknown())
const reason = z.string({ error: 'required' }).trim().min(1, 'required').max(1000, 'too_long')
const withReason = z.strictObject({ reason })
const empty = z.strictObject({}).optional()

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
  access: LEADERS,
  params,
  body: empty,
  answer: row,
})

/** Approves the selected drafts, each by itself; statements that are approved already count as unchanged. */
export const statementApproveSelected = defineCall({
  name: 'statement_approve_selected',
  method: 'PUT',
  path: 'statement/approve',
  access: LEADERS,
  bodyLimits: SELECTION_BODY_LIMITS,
  body: selectionSchema,
  answer: bulkAnswer,
})

/** From draft, or from approved without payments and sent invoices. Releases all items. */
export const statementVoid = defineCall({
  name: 'statement_void',
  method: 'PUT',
  path: 'statement/:id/void',
  access: LEADERS,
  params,
  body: withReason,
  answer: row,
})

/** Marks an approved statement as disputed; no payment is recorded until it is resolved. */
export const statementDispute = defineCall({
  name: 'statement_dispute',
  method: 'PUT',
  path: 'statement/:id/dispute',
  access: LEADERS,
  params,
  body: withReason,
  answer: row,
})

export const statementResolve = defineCall({
  name: 'statement_resolve',
  method: 'PUT',
  path: 'statement/:id/resolve',
  access: LEADERS,
  params,
  body: empty,
  answer: row,
})

/** What a line is made of: players, or days with base and percentage. */
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

/** More than zero, with at most two decimals. */
const AMOUNT = /^(?=.*[1-9])\d{1,14}(\.\d{1,2})?$/

/** Records a payment of an approved statement that is not disputed, in its currency, of no more than is left. */
export const paymentCreate = defineCall({
  name: 'payment_create',
  method: 'POST',
  path: 'payment',
  access: LEADERS,
  body: z.strictObject({
    statement: z.int({ error: 'required' }).positive('value_invalid'),
    paid_at: z.iso.date('date_invalid'),
    amount: z.string({ error: 'required' }).regex(AMOUNT, 'amount_invalid'),
    currency: z.int({ error: 'required' }).positive('value_invalid'),
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
  access: LEADERS,
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
