// Who is changing a record just now. A form says every so often that it is still open; one that says nothing for a while is gone.
import { z } from 'zod'
import { defineCall } from '../call.ts'

const params = z.strictObject({ entity: z.string(), id: z.string() })
/** One open form: two windows of one person are two. */
const screen = z.uuid('value_invalid')

/** Says that the form is open, and asks who else has the record open. Only for those who may change it. */
export const editingRenew = defineCall({
  name: 'editing_renew',
  method: 'PUT',
  path: 'editing/:entity/:id',
  access: 'everyone',
  params,
  body: z.strictObject({ screen, hasSaved: z.boolean().optional() }),
  answer: z.strictObject({
    /** The newest version of the record; null where the entity has none. */
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
