// The history of a record as people read it, and going back to what was.
import { z } from 'zod'
import { STAFF } from '../access.ts'
import { defineCall } from '../call.ts'
import { AUDIT_ACTIONS } from '../entities/audit-log.ts'

const id = z.int().positive()
const whole = z.string().regex(/^[1-9]\d{0,14}$/, 'value_invalid')

/** References are `{id, title}`, as the record would be read; a row that is gone keeps its last title. */
const change = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })

const entry = z.object({
  id,
  at: z.iso.datetime(),
  user: z.object({ id, title: z.string() }).nullable(),
  action: z.enum(AUDIT_ACTIONS),
  cause: z.string().nullable(),
  request_id: z.string().nullable(),
  /** The row that was changed: the record itself, or one of its collections. */
  entity: z.string(),
  entity_id: id.nullable(),
  title: z.string(),
  changes: z.array(change),
  /** The person may go back to this version. */
  restorable: z.boolean(),
})
export type HistoryEntry = z.infer<typeof entry>

/** Newest first. `before`: the id of the last entry that is known already. Rows out of sight have no history: 404. */
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

/** One change of the log in the same form. */
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
 * Makes the row again what it was after this change; before it, with side=before. A deleted row comes back under its old id, with the
 * rows of its collections that went with it. Rules are asked again; the restoration is a change like any other. Answers the row.
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
