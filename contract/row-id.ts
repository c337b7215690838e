// Ids of rows in requests. Most tables have 32-bit ids; players, spends and logs have larger ones.
import { z } from 'zod'
import { INTEGER_MAX } from './limits.ts'

/** The id of a row of a table with 32-bit ids. */
export const rowId = z.int().positive().max(INTEGER_MAX)

/** True for the id of a row of a table with 32-bit ids. */
export const isRowId = (value: unknown): value is number => isLargeRowId(value) && value <= INTEGER_MAX

/** True for the id of a row of any table. */
export const isLargeRowId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
