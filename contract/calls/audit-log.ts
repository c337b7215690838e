// The history of a record in readable form, and restoring an earlier version.
import { z } from 'zod'
import { STAFF } from '../access.ts'
import { defineCall } from '../call.ts'
import { AUDIT_ACTIONS } from '../entities/audit-log.ts'

const id = z.int().positive()
const whole = z.string().regex(/^[1-9]\d{0,14}$/, 'value_invalid')

/** References are `{id, title}`, as in the record. A deleted row keeps its last title. */
const change = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })

const entry = z.object({
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
  /** The user may restore this version. */
  restorable: z.boolean(),
})
export type HistoryEntry = z.infer<typeof entry>

/** Newest first. `before`: id of the oldest entry already loaded. 404 for rows outside the user's scope. */
export const auditLogHistory = defineCall({
  name: 'audit_log_history',
  method: 'GET',
  path: 'audit_log/history/:entity/:id',
  access: STAFF,
  sessionOnly: true,
  params: z.strictObject({ entity: z.string(), id: z.string() }),
  query: z.strictObject({ limit: whole.optional(), before: whole.optional() }),
  answer: z.object({ items: z.array(entry), has_more: z.boolean() }),
})

/** One entry of the log in the same form. */
export const auditLogEntry = defineCall({
  name: 'audit_log_entry',
  method: 'GET',
  path: 'audit_log/:id/changes',
  access: STAFF,
  sessionOnly: true,
  params: z.strictObject({ id: z.string() }),
  answer: entry,
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
