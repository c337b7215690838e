// Calls that upload and delete files. A file is deleted after a day unless a record refers to it.
import { z } from 'zod'
import { STAFF } from '../access.ts'
import { defineCall } from '../call.ts'
import { UPLOAD_RULE } from '../limits.ts'

export const fileCreate = defineCall({
  name: 'file_create',
  method: 'POST',
  path: 'file',
  access: STAFF,
  upload: UPLOAD_RULE,
  answer: z.strictObject({ id: z.uuid(), name: z.string(), size: z.int() }),
  status: 201,
})

/** Deletes a file of the caller; files of other users are not found. */
export const fileRemove = defineCall({
  name: 'file_remove',
  method: 'DELETE',
  path: 'file/:id',
  access: STAFF,
  params: z.strictObject({ id: z.uuid() }),
})
