// Uploaded files. They are deleted after a day unless a record takes them over.
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

/** The uploader's own files only. */
export const fileRemove = defineCall({
  name: 'file_remove',
  method: 'DELETE',
  path: 'file/:id',
  access: STAFF,
  params: z.strictObject({ id: z.uuid() }),
})
