// Which rows of a list a person has selected, on the wire: the ids, or all rows of a filter but these.
import { z } from 'zod'
import { EMPTY_QUERY, type ListQuery, parseListQuery } from './list-query.ts'

/** Most ids in a selection; more rows are selected by leaving some out. */
const SELECTION_CAP = 20_000
/** Most rows that are changed by one call. */
export const BULK_CAP = 10_000
/** Live messages of this job, under the id that the call gave as `x-request-id`, say how many rows are done. */
export const BULK_JOB = 'bulk'
/** The same for a file: how many rows have been written. */
export const EXPORT_JOB = 'export'

export const selectionSchema = z.strictObject({
  ids: z.array(z.union([z.int().positive(), z.uuid()])).max(SELECTION_CAP),
  /** True: `ids` are left out, and all other rows of the filter are meant. */
  exclusive: z.boolean().default(false),
  /** What the list is filtered by, as in its query string: `filter[active]=1&query=text`. Of account when exclusive. */
  filter: z.string().max(500_000).default(''),
})

export type Selection = z.output<typeof selectionSchema>

/** What became of the rows of a selection. */
export const bulkAnswer = z.object({
  changed: z.int(),
  /** They were so already. */
  unchanged: z.int(),
  /** Selected, but gone or out of this person's sight. */
  absent: z.int(),
  /** Not come to within a minute: the same call again goes on with them. */
  left: z.int(),
  refused: z.int(),
  /** The first refused rows, each with its reason. */
  refusals: z.array(z.object({ id: z.int(), title: z.string(), message: z.string() })),
})

export type BulkAnswer = z.output<typeof bulkAnswer>

/** The list query that finds the selected rows. Throws ListQueryError when the filter is not of the grammar. */
export function selectionQuery({ ids, exclusive, filter }: Selection): ListQuery {
  const values = ids.map(String)
  if (!exclusive) return { ...EMPTY_QUERY, conditions: [{ path: 'id', operator: 'in', values }] }
  const query = parseListQuery(new URLSearchParams(filter))
  const left = values.length === 0 ? [] : [{ path: 'id', operator: 'nin' as const, values }]
  return { ...query, conditions: [...query.conditions, ...left] }
}
