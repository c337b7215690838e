// Calls on how a partner is paid. Staff write it; a change by the partner waits for them.
import { z } from 'zod'
import { type leadersOr, type Requirement, staffLeadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { currencyReference } from '../currency-reference.ts'
import { BILLING_DAYS_MAX, MINIMUM_MAX, NEGATIVE_RS_RULES, PAYMENT_METHODS } from '../entities/partner-billing.ts'
import { parseMoney } from '../money.ts'
import { rowId } from '../row-id.ts'
import { givenPassword } from './profile.ts'

const params = z.strictObject({ id: z.string() })
const orPartner = (...permissions: Parameters<typeof leadersOr>): Requirement => ({
  roles: ['ADMIN', 'TEAM_LEADER', 'PARTNER'],
  permissions,
})

const TEXT_MAX = 255
const DETAILS_MAX = 4000

const text = z.string().trim().max(TEXT_MAX, 'too_long').nullable()
const days = z
  .int({ error: ({ code }) => (code === 'invalid_type' ? 'only_integers' : undefined) })
  .min(0)
  .max(BILLING_DAYS_MAX)
const decimal = (max: number) =>
  z.string().superRefine((value, context) => {
    const units = parseMoney(value)
    if (units === null) context.addIssue({ code: 'custom', message: 'value_invalid' })
    else if (units < 0n) context.addIssue({ code: 'custom', message: 'min_value', params: { min: 0 } })
    else if (units > BigInt(max) * 10_000n) context.addIssue({ code: 'custom', message: 'max_value', params: { max } })
  })

/** What the partner's users may propose. */
const ownFields = {
  legal_name: text,
  tax_id: text,
  vat: decimal(100),
  method: z.enum(PAYMENT_METHODS),
}
/** What staff alone decide. A new currency holds from the next month that is not closed. */
const staffFields = {
  currency: rowId,
  net_days: days,
  hold_days: days,
  minimum: decimal(MINIMUM_MAX),
  negative_rs: z.enum(NEGATIVE_RS_RULES),
}

export const BILLING_STAFF_FIELDS = Object.keys(staffFields) as readonly (keyof typeof staffFields)[]

const answer = z.object({
  partner: z.object({ id: z.int(), title: z.string() }),
  ...ownFields,
  ...staffFields,
  currency: currencyReference.nullable(),
  /** Masked: no call but partner_billing_reveal returns payment details. */
  details: z.string().nullable(),
  version: z.int(),
  /** The partner's change that waits for staff. `by` is hidden from the partner. */
  proposed: z
    .object({
      ...z.object(ownFields).partial().shape,
      details: z.string().nullable().optional(),
      at: z.string(),
      by: z.object({ id: z.int(), title: z.string() }).nullable(),
    })
    .nullable(),
})

/** A partner's billing; payment details are masked. */
export type BillingAnswer = z.output<typeof answer>

export const partnerBillingRead = defineCall({
  name: 'partner_billing_read',
  method: 'GET',
  path: 'partner/:id/billing',
  access: orPartner('partners_view'),
  params,
  answer,
})

/** The user's own password, asked again. */
const again = { current_password: givenPassword, version: z.int().optional().describe('The version that was read') }

/** Absent fields stay. A PARTNER's change is kept beside the valid values and holds payments until staff confirm it. */
export const partnerBillingWrite = defineCall({
  name: 'partner_billing_write',
  method: 'PUT',
  path: 'partner/:id/billing',
  access: orPartner('partners_edit'),
  sessionOnly: true,
  params,
  body: z.strictObject({
    ...again,
    ...z.object({ ...ownFields, ...staffFields }).partial().shape,
    /** Account or wallet, stored sealed. Null deletes it. */
    details: z.string().trim().max(DETAILS_MAX, 'too_long').nullable().optional(),
  }),
  answer,
})

/** Accepts the partner's change, or declines it. */
export const partnerBillingConfirm = defineCall({
  name: 'partner_billing_confirm',
  method: 'POST',
  path: 'partner/:id/billing/confirm',
  access: staffLeadersOr('partners_edit'),
  sessionOnly: true,
  params,
  body: z.strictObject({ ...again, accept: z.boolean().default(true) }),
  answer,
})

/** Returns the payment details to those who make statements and pay them. Each call is in the audit log. */
export const partnerBillingReveal = defineCall({
  name: 'partner_billing_reveal',
  method: 'POST',
  path: 'partner/:id/billing/reveal',
  access: staffLeadersOr('payment_invoice_edit'),
  sessionOnly: true,
  params,
  body: z.strictObject({ current_password: givenPassword }),
  answer: z.object({ details: z.string().nullable(), proposed_details: z.string().nullable() }),
})
