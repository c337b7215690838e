// Calls that check, close and reopen months, book true-ups, and show the ledger of a partner.
import { z } from 'zod'
import { ADMIN_ONLY, staffLeadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { currencyReference } from '../currency-reference.ts'
import { monthSchema } from '../month.ts'
import { requiredReason } from '../reason.ts'
import { rowId } from '../row-id.ts'
import { historyEntry } from './audit-log.ts'

const view = staffLeadersOr('payment_invoice_view')

/** The first five block a close; the others are warnings. */
export const CLOSE_CHECKS = [
  'month_not_over',
  'facts_rebuilding',
  'rate_missing',
  'billing_rate_missing',
  'claims_open',
  'spends_missing',
  'players_unresolved',
  'advertisers_unconfirmed',
  'spend_unallocated',
  'issuer_missing',
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
  query: z.strictObject({ month: monthSchema, partner_group: z.coerce.number().pipe(rowId).optional() }),
  answer: z.object({
    month: z.string(),
    /** Partners that the close would take. */
    partners: z.int(),
    /** Entries of the month that the close would write, and their sums by currency. True-ups of earlier months come beside. */
    entries: z.int(),
    sums: z.array(z.object({ currency: currencyReference, amount: z.string() })),
    /** The month as the ledger has it, booked or to be booked, and as the report sums it, which rounds once: by currency. */
    rounding: z.array(
      z.object({ currency: currencyReference, ledger: z.string(), report: z.string(), difference: z.string() }),
    ),
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
    /** Currencies of amounts that have no rate, each with the first such day of the month. */
    missing_rates: z.array(z.object({ currency: currencyReference, since: z.string() })),
  }),
})

export const periodCloseCreate = defineCall({
  name: 'period_close_create',
  method: 'POST',
  path: 'period_close',
  access: ADMIN_ONLY,
  sessionOnly: true,
  body: z.strictObject({ month: monthSchema, partner_group: rowId.nullish() }),
  answer: z.object({ id: z.int(), partners: z.int(), entries: z.int() }),
  status: 201,
})

export const periodCloseReopen = defineCall({
  name: 'period_close_reopen',
  method: 'PUT',
  path: 'period_close/:id/reopen',
  access: ADMIN_ONLY,
  sessionOnly: true,
  params: z.strictObject({ id: z.coerce.number().pipe(rowId) }),
  /** Without a partner, the close is reopened for all of its partners. */
  body: z.strictObject({
    reason: requiredReason,
    partner: rowId.nullish(),
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

/** A change by a cause. `player`: the changed one, or that of a changed player report, which has no page of its own that stays. */
const causeChange = historyEntry.extend({ player: z.int().nullable() })
export type CauseChange = z.output<typeof causeChange>

/** A fact of a player on a day before and after a cause; `deposits_amount`, `bets` and `income` are amounts in the report currency, the others counts. */
const factChange = z.object({
  player: z.int(),
  day: z.string(),
  metric: z.enum([
    'registrations',
    'new_deposits',
    'qualified_players',
    'deposits_count',
    'deposits_amount',
    'bets',
    'income',
  ]),
  before: z.string(),
  after: z.string(),
})
export type FactChange = z.output<typeof factChange>

/**
 * What each cause of an entry changed, in their order: the first changed records with their fields before and after, and the first changed
 * facts of its players.
 */
export const ledgerEntryChanges = defineCall({
  name: 'ledger_entry_changes',
  method: 'GET',
  path: 'ledger_entry/:id/changes',
  access: view,
  params: z.strictObject({ id: z.string() }),
  answer: z.object({
    causes: z.array(z.array(causeChange)),
    facts: z.array(z.array(factChange)),
    /** The code of the report currency; null if there is none. */
    report_currency: z.string().nullable(),
    /** The names of the players and spends of all causes; without those that the caller may not view. */
    records: z.array(z.object({ entity: z.enum(['player', 'partner_spend']), id: z.int(), title: z.string() })),
  }),
})
