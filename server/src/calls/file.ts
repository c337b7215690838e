// Handlers that store an uploaded file, and delete it for its uploader.
import type { Calls } from '@tributary/contract/calls/registry'
import { dropUpload, findUpload } from '../entities/upload.ts'
import { AppError } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

export const createFile: Handler<Calls['file_create']> = async ({ file: { id, name, size } }) => ({ id, name, size })

export const removeFile: Handler<Calls['file_remove']> = async ({ params, person }, services) => {
  const file = await findUpload(services, params.id, person.id)
  if (file === undefined) throw new AppError('not_found')
  await dropUpload(services, file.id)
}
