// Calls that show who edits a record now. An open form renews its presence regularly; a presence that is not renewed expires.
import { z } from 'zod'
import { defineCall } from '../call.ts'

const params = z.strictObject({ entity: z.string(), id: z.string() })
/** One open form; two windows of one user are two forms. */
const screen = z.uuid('value_invalid')

/** Renews the form's presence and returns who else has the record open. Requires edit access to the record. */
export const editingRenew = defineCall({
  name: 'editing_renew',
  method: 'PUT',
  path: 'editing/:entity/:id',
  access: 'everyone',
  params,
  body: z.strictObject({ screen, hasSaved: z.boolean().optional() }),
  answer: z.strictObject({
    /** Current version of the record; null if the entity has no versions. */
    version: z.int().nullable(),
    others: z.array(z.strictObject({ screen, full_name: z.string(), since: z.iso.datetime(), is_me: z.boolean() })),
  }),
})

export const editingLeave = defineCall({
  name: 'editing_leave',
  method: 'DELETE',
  path: 'editing/:entity/:id',
  access: 'everyone',
  params,
  query: z.strictObject({ screen }),
})
