// Calls that check, close and reopen months, book true-ups, and show the ledger of a partner.
import { z } from 'zod'
import { ADMIN_ONLY, staffLeadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { monthSchema } from '../month.ts'

const view = staffLeadersOr('payment_invoice_view')

/** The first four block a close; the others are warnings. */
export const CLOSE_CHECKS = [
  'month_not_over',
  'facts_rebuilding',
  'rate_missing',
  'claims_open',
  'spends_missing',
  'players_unresolved',
  'advertisers_unconfirmed',
  'spend_unallocated',
] as const
export type CloseCheck = (typeof CLOSE_CHECKS)[number]

/**
 * What a close of the month would find for the partners of the group; without a group, for all. What blocks counts those who are not closed yet,
 * warnings count all of them.
 */
export const periodCloseChecklist = defineCall({
  name: 'period_close_checklist',
  method: 'GET',
  path: 'period_close/checklist',
  access: view,
  query: z.strictObject({ month: monthSchema, partner_group: z.coerce.number().int().positive().optional() }),
  answer: z.object({
    month: z.string(),
    /** Partners that the close would take. */
    partners: z.int(),
    items: z.array(
      z.object({
        code: z.enum(CLOSE_CHECKS),
        count: z.int(),
        blocks: z.boolean(),
        /** Path of the screen that lists what was counted; null if there is none. */
        link: z.string().nullable(),
      }),
    ),
    /** Advertisers with earnings of the month who have not confirmed it. */
    unconfirmed: z.array(z.object({ id: z.int(), title: z.string() })),
  }),
})

export const periodCloseCreate = defineCall({
  name: 'period_close_create',
  method: 'POST',
  path: 'period_close',
  access: ADMIN_ONLY,
  sessionOnly: true,
  body: z.strictObject({ month: monthSchema, partner_group: z.int().positive().nullish() }),
  answer: z.object({ id: z.int(), partners: z.int(), entries: z.int() }),
  status: 201,
})

export const periodCloseReopen = defineCall({
  name: 'period_close_reopen',
  method: 'PUT',
  path: 'period_close/:id/reopen',
  access: ADMIN_ONLY,
  sessionOnly: true,
  params: z.strictObject({ id: z.coerce.number().int().positive() }),
  /** Without a partner, the close is reopened for all of its partners. */
  body: z.strictObject({
    reason: z.string().trim().min(1, { error: 'required' }).max(1000),
    partner: z.int().positive().nullish(),
  }),
  answer: z.record(z.string(), z.unknown()),
})

/** Books what the nightly job would. */
export const ledgerTrueUp = defineCall({
  name: 'ledger_entry_true_up',
  method: 'POST',
  path: 'ledger_entry/true_up',
  access: ADMIN_ONLY,
  sessionOnly: true,
  answer: z.object({ job: z.string() }),
  status: 202,
})
