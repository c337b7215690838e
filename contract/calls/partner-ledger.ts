// Calls that show what partners are owed: one partner's ledger by months, and the overview of all partners.
import { z } from 'zod'
import { staffLeadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { currencyReference, unratedAmounts as unrated } from '../currency-reference.ts'
import { monthSchema } from '../month.ts'

const reference = z.object({ id: z.int(), title: z.string() })

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
  /** What each figure is beside it, because no rate converts it into the currency of the month. */
  opening_unrated: unrated,
  earned_unrated: unrated,
  adjustments_unrated: unrated,
  write_offs_unrated: unrated,
  tax_unrated: unrated,
  paid_unrated: unrated,
  balance_unrated: unrated,
  on_hold_unrated: unrated,
  not_resolved_unrated: unrated,
  invoiced_unrated: unrated,
  expected_unrated: unrated,
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
    unrated,
    /** Currencies without a rate; amounts that need one are missing from the sums and stand beside them. */
    missing_rates: z.array(currencyReference),
  }),
})

/** What is left to pay of approved statements that are not disputed, by days since it was due. */
const ageing = z.object({ not_due: z.string(), days_30: z.string(), days_60: z.string(), older: z.string() })
const ageingUnrated = z.object({ not_due: unrated, days_30: unrated, days_60: unrated, older: unrated })

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
  /** What each figure is beside it, because no rate converts it. */
  owed_unrated: unrated,
  on_hold_unrated: unrated,
  not_resolved_unrated: unrated,
  due_this_week_unrated: unrated,
  in_dispute_unrated: unrated,
  paid_this_month_unrated: unrated,
  ageing_unrated: ageingUnrated,
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
        /** The balance, with `owed_unrated`, in the currency of the total; without what lacks a rate into it. */
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
