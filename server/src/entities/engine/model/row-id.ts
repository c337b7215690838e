// The id of a row in an address. What is no id is no row.

import { AppError } from '../../../lib/app-error.ts'

/** Throws `not_found`. */
export function readRowId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
  if (id === 0 || !Number.isSafeInteger(id)) throw new AppError('not_found')
  return id
}
