// A statement with its lines, invoices and payments, as `statement/{id}` returns it.
import type { InvoiceStatus } from '@tributary/contract/entities/payment-invoice'
import type { StatementState } from '@tributary/contract/entities/statement'
import type { StatementLineKind } from '@tributary/contract/statement'
import type { CurrencyRef } from '../../ui/money-amount.tsx'

interface Reference {
  readonly id: number
  readonly title: string
}

export interface StatementLine {
  readonly id: number
  readonly kind: StatementLineKind
  readonly payment_invoice?: Reference | null
  readonly offer_partner: (Reference & { readonly offer?: Reference | null }) | null
  readonly earned_month: string | null
  readonly note: string | null
  /** What the kind does not say: an adjustment's kind, why and from where an amount is carried. */
  readonly explanation: string | null
  readonly quantity: number | null
  readonly rate: string | null
  readonly base: string | null
  readonly amount: string
  readonly currency: CurrencyRef
  readonly fx_rate: string
  readonly total: string
}

export interface StatementInvoice {
  readonly id: number
  readonly amount: string
  readonly status: InvoiceStatus
  /** Hidden from partners. */
  readonly advertiser?: Reference | null
  readonly country: Reference | null
  readonly stream: Reference | null
  readonly crm_response?: unknown
}

interface StatementPayment {
  readonly id: number
  readonly paid_at: string
  readonly amount: string
  readonly method: string | null
  readonly reference: string | null
  readonly reversed_at: string | null
}

export interface Statement {
  readonly id: number
  readonly month: string
  readonly partner: Reference
  readonly currency: CurrencyRef
  readonly state: StatementState
  readonly total: string
  readonly paid: string
  readonly carried: boolean
  readonly due_on: string | null
  readonly disputed_at: string | null
  /** Hidden from partners, like the reason of voiding. */
  readonly dispute_reason?: string | null
  readonly resolve_reason?: string | null
  readonly approved_by?: Reference | null
  /** Why the user may not approve the draft. */
  readonly approval_refused?: string | null
  readonly created_by?: Reference | null
  readonly created_at: string
  readonly void_reason?: string | null
  readonly approved_at: string | null
  /** Absent for users who may not see lines. */
  readonly lines?: readonly StatementLine[]
  readonly invoices?: readonly StatementInvoice[]
  readonly payments?: readonly StatementPayment[]
}
