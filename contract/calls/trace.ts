// The whole story of one click or player, on both sides, and a verdict. Any ID opens it: a click ID (ours or the partner's), a player ID (ours or
// the advertiser's), a promo code, a transaction ID.
import { z } from 'zod'
import { defineCall } from '../call.ts'

const row = z.record(z.string(), z.unknown())

export const TRACE_KINDS = [
  'click',
  'redirect',
  'postback_in',
  'registration',
  'first_deposit',
  'event',
  'qualified',
  'postback_out',
  'attempt',
  'url_added',
  'change',
] as const

/** What the verdict says, most telling first; `values` hold what its sentence names. */
export const TRACE_VERDICTS = [
  'bot',
  'duplicate_click',
  'no_events',
  'refused',
  'unattributed',
  'told',
  'waiting',
  'failed',
  'not_told',
  'url_added_later',
  'not_qualified',
  'lost',
] as const
export type TraceVerdict = (typeof TRACE_VERDICTS)[number]

const entry = z.object({
  /** ISO 8601. Of what is known by its day alone, the end of that day: it stands behind all that happened on it. */
  at: z.string(),
  /** Of the business; where no moment is known. */
  day: z.string().nullable(),
  kind: z.enum(TRACE_KINDS),
  /** Whose side of the story: ours, the advertiser's, the partner's. */
  side: z.enum(['own', 'advertiser', 'partner']),
  /** reg, ftd, dep, bl or another event. */
  event: z.string().nullable(),
  status: z.string().nullable(),
  reason: z.string().nullable(),
  /** An address, an answer, a change: what can be read beside it. */
  text: z.string().nullable(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  /** The row in which there is more. */
  ref: z.object({ entity: z.enum(['click', 'player', 'postback']), id: z.union([z.int(), z.string()]) }).nullable(),
})

export const trace = defineCall({
  name: 'trace',
  method: 'GET',
  path: 'trace',
  access: 'everyone',
  query: z.strictObject({
    id: z.string({ error: 'required' }).trim().min(1, 'required').max(255),
    /** One of `matches`, when there are several. */
    player: z
      .string()
      .regex(/^[1-9]\d{0,17}$/, 'value_invalid')
      .optional(),
  }),
  answer: z.object({
    click: row.nullable(),
    player: row.nullable(),
    /** More than one player fits: choose one. */
    matches: z.array(z.object({ id: z.int(), title: z.string(), registered_at: z.string().nullable() })),
    entries: z.array(entry),
    verdicts: z.array(
      z.object({
        code: z.enum(TRACE_VERDICTS),
        tone: z.enum(['positive', 'negative', 'warning', 'neutral']),
        values: z.object({
          event: z.string().optional(),
          reason: z.string().optional(),
          /** ISO 8601. */
          at: z.string().optional(),
          url_at: z.string().optional(),
          count: z.int().optional(),
        }),
      }),
    ),
  }),
})

export type Trace = z.output<typeof trace.answer>
