// The steps of a statement or an invoice as its history has them: when, by whom, and with what reason.
import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import type { EntityName } from '@tributary/contract/entities/registry'

export interface DocumentStep {
  readonly id: number
  readonly at: string
  /** Null: the product itself, such as an answer of the CRM. */
  readonly person: string | null
  /** A cause of the audit log, without its reason. */
  readonly cause: string
  readonly reason: string | null
  /** The state that the step led to; null if it stayed. */
  readonly state: string | null
}

const STATE_FIELDS = new Set(['state', 'status'])
const WITH_REASON = /^([^:]+): (.+)$/s

/** The latest first. Reasons of disputes and voiding are fields of the document, those of other steps follow the cause. */
export function stepsOf(document: EntityName, entries: readonly HistoryEntry[]): DocumentStep[] {
  return entries.flatMap(({ id, at, user, entity, cause, changes }) => {
    if (entity !== document || cause === null) return []
    const [, step = cause, given = null] = WITH_REASON.exec(cause) ?? []
    const stored = changes.find(({ field, after }) => field.endsWith('_reason') && typeof after === 'string')?.after
    const reason = given ?? (typeof stored === 'string' ? stored : null)
    const state = changes.find(({ field }) => STATE_FIELDS.has(field))?.after
    return [
      { id, at, person: user?.title ?? null, cause: step, reason, state: typeof state === 'string' ? state : null },
    ]
  })
}
