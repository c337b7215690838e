// Ids of rows in URLs.

import { AppError } from '../../../lib/app-error.ts'

/** Throws `not_found` if the text is not a positive integer. */
export function readRowId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
  if (id === 0 || !Number.isSafeInteger(id)) throw new AppError('not_found')
  return id
}
