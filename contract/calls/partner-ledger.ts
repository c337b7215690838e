// Calls that show what partners are owed: one partner's ledger by months, and the overview of all partners.
import { z } from 'zod'
import { staffLeadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { currencyReference } from '../currency-reference.ts'
import { monthSchema } from '../month.ts'

const reference = z.object({ id: z.int(), title: z.string() })

/** An amount that lacks a rate, in its own currency. */
const unrated = z.object({ currency: currencyReference, amount: z.string() })

const month = z.object({
  month: z.string(),
  /** Of all amounts of the month: that of its statement; of a month without money, that of the month before. */
  currency: currencyReference,
  /** The balance before the month. After a change of currency, converted by the rates of the last day before it. */
  opening: z.string(),
  /** Entries of the ledger, by the month in which they are booked. */
  earned: z.string(),
  adjustments: z.string(),
  /** Write-offs and tax are those of approved statements. */
  write_offs: z.string(),
  tax: z.string(),
  /** Payments that are not reversed, by the month of their day. */
  paid: z.string(),
  /** At the end of the month: opening + earned + adjustments + write_offs + tax − paid. */
  balance: z.string(),
  /** The part of `earned` whose players wait for their hold or their resolution. */
  on_hold: z.string(),
  not_resolved: z.string(),
  /** The total of the month's approved statement; not part of the balance. */
  invoiced: z.string(),
  /** The month is open for the partner: its figures may change. */
  provisional: z.boolean(),
  /** What a close would add to `earned` now; null for closed months. It is not part of the balance. */
  expected: z.string().nullable(),
})

/** The balance is in `currency`, that of the last month with money: a new billing currency changes nothing before its first money. */
export const partnerLedger = defineCall({
  name: 'partner_ledger',
  method: 'GET',
  path: 'partner/:id/ledger',
  access: { roles: ['ADMIN', 'TEAM_LEADER', 'PARTNER'], permissions: ['payment_invoice_view'] },
  ignoresGroupFilter: true,
  params: z.strictObject({ id: z.string() }),
  query: z.strictObject({ from: monthSchema.optional(), to: monthSchema.optional() }),
  answer: z.object({
    partner: reference,
    months: z.array(month),
    balance: z.string(),
    currency: currencyReference,
    /** What is owed beside the balance, because no rate converts it. */
    unrated: z.array(unrated),
    /** Currencies without a rate; amounts that need one are missing from the sums. */
    missing_rates: z.array(currencyReference),
  }),
})

/** What is left to pay of approved statements that are not disputed, by days since it was due. */
const ageing = z.object({ not_due: z.string(), days_30: z.string(), days_60: z.string(), older: z.string() })

const figures = {
  /** The balance of the ledger. */
  owed: z.string(),
  /** Of players whose hold days have not passed. */
  on_hold: z.string(),
  /** Of players past their hold who wait for a payment resolution. */
  not_resolved: z.string(),
  /** What is left of approved statements that are due until the end of the week, overdue ones included, disputed ones not. */
  due_this_week: z.string(),
  /** What is left of disputed statements. */
  in_dispute: z.string(),
  paid_this_month: z.string(),
  ageing,
}

export const financeOverview = defineCall({
  name: 'finance_overview',
  method: 'GET',
  path: 'finance_overview',
  access: staffLeadersOr('payment_invoice_view'),
  answer: z.object({
    today: z.string(),
    /** The Sunday of this week. */
    week_ends: z.string(),
    /** Partners with any figure, the highest balance first, each in the currency of its statements. */
    rows: z.array(
      z.object({
        partner: reference,
        currency: currencyReference,
        ...figures,
        /** What is owed beside `owed`, because no rate converts it. */
        owed_unrated: z.array(unrated),
        /** The balance, with `owed_unrated`, in the currency of the total. */
        owed_total: z.string(),
        /** Number of statements whose dispute is not resolved. */
        disputed: z.int(),
      }),
    ),
    /** In the report currency, by today's rates, from the currencies in which amounts are stated or were paid, or of the terms of what waits. */
    total: z.object({ currency: currencyReference, ...figures }),
    /** Today’s rates of the other currencies in the total, to its currency. */
    rates: z.array(z.object({ currency: currencyReference, rate: z.string() })),
    missing_rates: z.array(currencyReference),
  }),
})
