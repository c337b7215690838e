// What a statement's line may be. Lines of links come from the ledger; the other kinds are policy, or adjustments.
export const STATEMENT_LINE_KINDS = [
  'cpa',
  'rs',
  'agency',
  'adjustment',
  'fee',
  'carry_over',
  'write_off',
  'tax',
] as const
export type StatementLineKind = (typeof STATEMENT_LINE_KINDS)[number]

/** A line that corrects a closed month: facts changed while it was closed, or it was reopened and closed again. */
export const CORRECTIONS = ['true_up', 'reclose'] as const
export type Correction = (typeof CORRECTIONS)[number]

/** What was changed, in words that a partner may read: without names and internal reasons. */
export const CORRECTION_CAUSES = [
  'report',
  'postback',
  'qualification',
  'resolution',
  'spend',
  'terms',
  'assignment',
  'assigned_to',
  'assigned_away',
  'deactivation',
  'activation',
  'player',
  'rate',
  'other',
] as const
export type CorrectionCause = (typeof CORRECTION_CAUSES)[number]

const CAUSES: readonly (readonly [CorrectionCause, RegExp])[] = [
  ['report', /^(report \d+|import|synchronize|[a-z]+ player_report)$/],
  ['postback', /^postback$/],
  ['qualification', /^qualification$/],
  ['resolution', /^(approval|payment resolution)$/],
  ['spend', /^(sheet|spend table|spread spends|import spends|accept claims|[a-z]+ partner_spend)$/],
  ['terms', /^(history|[a-z]+ (offer|offer_partner|payment_model|setting|\w+_history))$/],
  ['assignment', /^assign player$/],
  ['deactivation', /^(deactivate|delete) player$/],
  ['activation', /^activate player$/],
  ['player', /^[a-z]+ player$/],
  ['rate', /^[a-z]+ currency_rate$/],
]

/** Of a stored cause; the reason after a colon is for staff. */
export function correctionCauseOf(cause: string): CorrectionCause {
  const [act = ''] = cause.split(': ')
  return CAUSES.find(([, shape]) => shape.test(act))?.[0] ?? 'other'
}

/**
 * Of all stored causes of a correction. `quantity`: 1 if it adds players, -1 if it takes them, 0 if it does both or counts none. Alone, an
 * assignment then has one direction.
 */
export function correctionCausesOf(causes: readonly string[], quantity: number): CorrectionCause[] {
  const told = [...new Set(causes.map(correctionCauseOf))]
  const isAssignment = told.length === 1 && told[0] === 'assignment'
  return isAssignment && quantity !== 0 ? [quantity > 0 ? 'assigned_to' : 'assigned_away'] : told
}

/** Why an amount is carried over: negative revenue share alone, or the whole total, which is negative or below the partner's minimum. */
export const CARRY_REASONS = ['negative_rs', 'negative_total', 'below_minimum'] as const
export type CarryReason = (typeof CARRY_REASONS)[number]
