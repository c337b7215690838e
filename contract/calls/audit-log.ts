// The history of a record in readable form, and restoring an earlier version.
import { z } from 'zod'
import { STAFF } from '../access.ts'
import { defineCall } from '../call.ts'
import { AUDIT_ACTIONS } from '../entities/audit-log.ts'

const id = z.int().positive()
const whole = z.string().regex(/^[1-9]\d{0,14}$/, 'value_invalid')

/** References are `{id, title}`, as in the record. A deleted row keeps its last title. */
const change = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })

/** A change as a history shows it. */
export const historyEntry = z.object({
  id,
  at: z.iso.datetime(),
  user: z.object({ id, title: z.string() }).nullable(),
  action: z.enum(AUDIT_ACTIONS),
  cause: z.string().nullable(),
  request_id: z.string().nullable(),
  /** The changed row: the record itself, or a row of its collections. */
  entity: z.string(),
  entity_id: id.nullable(),
  title: z.string(),
  changes: z.array(change),
  /** What amounts are in before and after the change: references to currencies, and choices that make a number a percentage. */
  units: z.object({ before: z.record(z.string(), z.unknown()), after: z.record(z.string(), z.unknown()) }),
  /** The user may restore this version. */
  restorable: z.boolean(),
})
export type HistoryEntry = z.infer<typeof historyEntry>

/** Newest first. `before`: id of the oldest entry already loaded. 404 for rows outside the user's scope. */
export const auditLogHistory = defineCall({
  name: 'audit_log_history',
  method: 'GET',
  path: 'audit_log/history/:entity/:id',
  access: STAFF,
  sessionOnly: true,
  params: z.strictObject({ entity: z.string(), id: z.string() }),
  query: z.strictObject({ limit: whole.optional(), before: whole.optional() }),
  answer: z.object({ items: z.array(historyEntry), has_more: z.boolean() }),
})

/** One entry of the log in the same form. */
export const auditLogEntry = defineCall({
  name: 'audit_log_entry',
  method: 'GET',
  path: 'audit_log/:id/changes',
  access: STAFF,
  sessionOnly: true,
  params: z.strictObject({ id: z.string() }),
  answer: historyEntry,
})

/**
 * Restores the row to its state after this change, or before it if `side` is 'before' or the change is a deletion. A deleted row returns under
 * its old id, with the rows of its collections that were deleted with it. Rules apply; the restore is audited like any change. Returns the row.
 */
export const auditLogRestore = defineCall({
  name: 'audit_log_restore',
  method: 'POST',
  path: 'audit_log/:id/restore',
  access: STAFF,
  sessionOnly: true,
  params: z.strictObject({ id: z.string() }),
  body: z.strictObject({ side: z.enum(['before', 'after'], { error: 'choice_unknown' }).optional() }),
  answer: z.record(z.string(), z.unknown()),
})

/** Requests of the last hour can be undone, up to so many rows of them. */
export const UNDO_MINUTES = 60
export const UNDO_CAP = 1000

/**
 * Undoes what the caller created, changed and deleted by these requests (their `x-request-id`), all or none. Answers the number of rows.
 * 404 if there is nothing to undo; 409 `in_use` if others refer to a created record; 422 if the caller may not delete what was created, something
 * was changed by another request since, or it is too much.
 */
export const auditLogUndo = defineCall({
  name: 'audit_log_undo',
  method: 'POST',
  path: 'audit_log/undo',
  access: STAFF,
  sessionOnly: true,
  body: z.strictObject({
    requests: z.array(z.string().min(1, 'value_invalid').max(64, 'too_long')).min(1, 'required').max(20),
  }),
  answer: z.object({ restored: z.int() }),
})
