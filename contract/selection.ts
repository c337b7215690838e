// A selection of list rows on the wire: ids, or a filter with ids that are excluded; and the answer of calls that change selected rows.
import { z } from 'zod'
import type { BodyLimits } from './call.ts'
import { listOf } from './list-of.ts'
import { EMPTY_QUERY, type ListQuery, parseListText } from './list-query.ts'

/** Maximum number of ids in a selection; larger selections use a filter with exceptions. */
const SELECTION_CAP = 20_000
/** Maximum number of rows that one call changes. */
export const BULK_CAP = 10_000
/** Job name of progress events of bulk calls; their id is the call's `x-request-id`. */
export const BULK_JOB = 'bulk'
/** Job name of progress events of exports: rows written so far. */
export const EXPORT_JOB = 'export'

/** Allows a selection and the columns of an export beside it. */
export const SELECTION_BODY_LIMITS: Partial<BodyLimits> = { members: SELECTION_CAP + 500 }

const rowId = z.union([z.int().positive(), z.uuid()])
const UUID = z.regexes.uuid()
const isRowId = (value: unknown): value is number | string =>
  typeof value === 'string' ? UUID.test(value) : Number.isSafeInteger(value) && Number(value) > 0

export const selectionSchema = z.strictObject({
  ids: listOf(rowId, isRowId, SELECTION_CAP),
  /** True selects all rows of the filter except `ids`. */
  exclusive: z.boolean().default(false),
  /** The list's filter as a query string: `filter[active]=1&query=text`. Used only if exclusive. */
  filter: z.string().max(500_000).default(''),
})

/** Rows of a list: by ids, or all of a filter except some ids. */
export type Selection = z.output<typeof selectionSchema>

/** Result of a bulk call. */
export const bulkAnswer = z.object({
  changed: z.int(),
  /** Rows that already had the requested values. */
  unchanged: z.int(),
  /** Selected rows that no longer exist or are outside the user's scope. */
  absent: z.int(),
  /** Rows not processed within a minute; repeating the call continues with them. */
  left: z.int(),
  refused: z.int(),
  /** The first rejected rows with their reasons. */
  refusals: z.array(z.object({ id: z.int(), title: z.string(), message: z.string() })),
})

/** The outcome of a bulk call. */
export type BulkAnswer = z.output<typeof bulkAnswer>

/** List query that matches the selected rows. Throws ListQueryError if the filter is malformed. */
export function selectionQuery({ ids, exclusive, filter }: Selection): ListQuery {
  const values = ids.map(String)
  if (!exclusive) return { ...EMPTY_QUERY, conditions: [{ path: 'id', operator: 'in', values }] }
  const query = parseListText(filter)
  const left = values.length === 0 ? [] : [{ path: 'id', operator: 'nin' as const, values }]
  return { ...query, conditions: [...query.conditions, ...left] }
}
