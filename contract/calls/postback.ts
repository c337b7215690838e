// What can be done with postbacks beside reading their list: the whole story of one, and sending outgoing ones again.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { defineCall } from '../call.ts'

const row = z.record(z.string(), z.unknown())

/** `at`: ISO 8601. `code` null: there was no answer, `error` says why. */
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

/** Every attempt of an outgoing postback, the one that caused it, and those that it caused. */
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
    /** What the advertiser sent, by parameter; null for outgoing ones, and for whom the advertiser is hidden. */
    params: z.record(z.string(), z.string()).nullable(),
    /** The value by which a receiver can tell a repeated call; null for incoming ones. */
    idempotency_key: z.string().nullable(),
  }),
})

/** The list of postbacks as a file; the query is that of the list. Times are those of the advertisers' servers, UTC+6. */
export const postbackXlsx = defineCall({
  name: 'postback_export_xlsx',
  method: 'GET',
  path: 'postback_export/xlsx',
  access: 'everyone',
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  sheet: true,
})

const ids = z.array(z.int().positive()).max(10_000)

/**
 * Sends outgoing postbacks again: those of `ids`, or all that `filter` finds (the query of the list, as in its address) but `excluded`.
 * Each keeps its idempotency value; what was not sent before is made anew for the partner's addresses of today. `dry_run` only counts.
 */
export const resentPostbacks = defineCall({
  name: 'postback_export_resent_postbacks',
  method: 'POST',
  path: 'postback_export/resent_postbacks',
  access: leadersOr('partners_edit'),
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
    /** How many are sent again. */
    count: z.int(),
    /** Chosen ones of which nobody would be told even now. */
    untold: z.int(),
  }),
})

export type PostbackStory = z.output<typeof postbackStory.answer>
export type ResendBody = z.input<typeof resentPostbacks.body>
export type ResentCount = z.output<typeof resentPostbacks.answer>
