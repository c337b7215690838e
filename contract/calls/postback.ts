// Calls on postbacks besides the list: details with all attempts, export, and resending outbound ones.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { listOf } from '../list-of.ts'
import { isLargeRowId } from '../row-id.ts'

const row = z.record(z.string(), z.unknown())

/** `at`: ISO 8601. `code` is null without an answer; `error` then says why. */
const attempt = z.object({
  number: z.int(),
  at: z.string(),
  method: z.string(),
  url: z.string(),
  code: z.int().nullable(),
  response: z.string().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
})

/** All attempts of an outbound postback, the postback that caused it, and those it caused. */
export const postbackStory = defineCall({
  name: 'postback_story',
  method: 'GET',
  path: 'postback/:id/story',
  access: 'everyone',
  params: z.strictObject({ id: z.string() }),
  answer: z.object({
    attempts: z.array(attempt),
    parent: row.nullable(),
    children: z.array(row),
    /** The advertiser's parameters; null for outbound postbacks and for users from whom the advertiser is hidden. */
    params: z.record(z.string(), z.string()).nullable(),
    /** Key by which the receiver recognises a repeated call; null for inbound postbacks. */
    idempotency_key: z.string().nullable(),
  }),
})

/** The list of postbacks as a file, with the list's query. Times are in the advertisers' server time, UTC+6. */
export const postbackXlsx = defineCall({
  name: 'postback_export_xlsx',
  method: 'GET',
  path: 'postback_export/xlsx',
  access: 'everyone',
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  sheet: true,
})

const IDS_CAP = 10_000
const ids = listOf(z.int().positive(), isLargeRowId, IDS_CAP)

/**
 * Resends outbound postbacks: those in `ids`, or all that match `filter` (the list's query string) except `excluded`.
 * The idempotency key stays the same. Postbacks that were never sent are rebuilt for the partner's current URLs. `dry_run` only counts.
 */
export const resentPostbacks = defineCall({
  name: 'postback_export_resent_postbacks',
  method: 'POST',
  path: 'postback_export/resent_postbacks',
  access: leadersOr('partners_edit'),
  bodyLimits: { members: 2 * IDS_CAP + 10 },
  body: z
    .strictObject({
      ids: ids.optional(),
      filter: z.string().max(60_000).optional(),
      excluded: ids.optional(),
      dry_run: z.boolean().optional(),
    })
    .refine((body) => (body.ids === undefined) !== (body.filter === undefined), {
      message: 'required',
      path: ['ids'],
    }),
  answer: z.object({
    /** Number of postbacks that are resent. */
    count: z.int(),
    /** Number of selected postbacks that still have no receiver. */
    untold: z.int(),
  }),
})

/** A postback's attempts, the postback that caused it, and those that it caused. */
export type PostbackStory = z.output<typeof postbackStory.answer>
/** The postbacks to send again, as a request states them. */
export type ResendBody = z.input<typeof resentPostbacks.body>
/** How many postbacks are sent again; with `dry_run`, would be. */
export type ResentCount = z.output<typeof resentPostbacks.answer>
