import type { StatementLineKind } from '../../../statement.ts'
import { partnerBilling } from './partner-billing.ts'

const line = { currency: 'Currency', amount: 'Amount' } as const

export const statementLineKindsEn = {
  cpa: 'CPA',
  rs: 'Revenue share',
  agency: 'Agency spend',
  adjustment: 'Adjustment',
  fee: 'Fee',
  carry_over: 'Carry-over',
  write_off: 'Write-off',
  tax: 'VAT',
} as const satisfies Record<StatementLineKind, string>

export const statement = {
  title: 'Statements',
  one: 'statement',
  subtitle: 'What partners are owed, month by month',
  create: 'New statement',
  fields: {
    month: 'Month',
    partner: 'Partner',
    currency: 'Currency',
    state: 'State',
    total: 'Total',
    paid: 'Paid',
    carried: 'Carried over',
    due_on: 'Due',
    disputed_at: 'Disputed',
    disputed: 'In dispute',
    dispute_reason: 'Reason of the dispute',
    resolve_reason: 'Resolution of the dispute',
    approved_at: 'Approved',
    approved_by: 'Approved by',
    approval_refused: 'Why it cannot be approved',
    created_by: 'Created by',
    voided_at: 'Voided',
    void_reason: 'Reason of voiding',
    invoices: 'Invoices',
    lines: 'Lines',
    payments: 'Payments',
  },
  choices: {
    state: { draft: 'Draft', approved: 'Approved', partly_paid: 'Partly paid', paid: 'Paid', void: 'Void' },
  },
} as const

export const paymentInvoiceLine = {
  title: 'Lines of statements',
  one: 'line of a statement',
  subtitle: 'What statements are made of',
  create: 'New line',
  fields: {
    statement: 'Statement',
    payment_invoice: 'Invoice',
    kind: 'Kind',
    offer_partner: 'Partner offer',
    earned_month: 'Earned in',
    note: 'Note',
    explanation: 'Explanation',
    quantity: 'Quantity',
    rate: 'Rate',
    base: 'Base',
    ...line,
    rate_unit: 'Rate in',
    fx_rate: 'Fx rate',
    total: 'Total',
  },
  choices: { kind: statementLineKindsEn },
} as const

export const payment = {
  title: 'Payments',
  one: 'payment',
  subtitle: 'What partners were paid',
  create: 'Record a payment',
  fields: {
    statement: 'Statement',
    partner: 'Partner',
    paid_at: 'Paid on',
    ...line,
    method: 'Method',
    reference: 'Reference',
    created_by: 'Recorded by',
    reversed: 'Reversed',
    reversed_at: 'Reversed at',
    reversed_by: 'Reversed by',
    reversal_reason: 'Reason of the reversal',
  },
  choices: { method: partnerBilling.choices.method },
} as const

export const crmAttempt = {
  title: 'Calls to the CRM',
  one: 'call to the CRM',
  subtitle: 'Each call about an invoice, with its answer',
  create: 'New call',
  fields: {
    payment_invoice: 'Invoice',
    crm_key: 'Idempotency key',
    method: 'Method',
    request: 'Request',
    status: 'Status',
    response: 'Answer',
    error: 'Error',
    duration_ms: 'Duration, ms',
  },
} as const
