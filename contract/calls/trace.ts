// The call that traces one click or player through clicks, postbacks and changes, and explains it. It accepts a click id (ours or the
// partner's), a player id (ours or the advertiser's), a promo code or a transaction id.
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

/** Explanations of a trace. The screen has a sentence for each; `values` of the answer fill it. */
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
  'click_deleted',
] as const
export type TraceVerdict = (typeof TRACE_VERDICTS)[number]

const entry = z.object({
  /** ISO 8601. If only the day is known, the end of that day, so that the entry sorts after all others on it. */
  at: z.string(),
  /** Business day, if the moment is unknown. */
  day: z.string().nullable(),
  kind: z.enum(TRACE_KINDS),
  /** Who acts: the network itself ('own'), the advertiser or the partner. */
  side: z.enum(['own', 'advertiser', 'partner']),
  /** 'reg', 'ftd', 'dep', 'bl' (qualification) or another event. */
  event: z.string().nullable(),
  status: z.string().nullable(),
  reason: z.string().nullable(),
  /** Details: a URL, an answer, a change. */
  text: z.string().nullable(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  /** The record with more details. */
  ref: z.object({ entity: z.enum(['click', 'player', 'postback']), id: z.union([z.int(), z.string()]) }).nullable(),
})

export const trace = defineCall({
  name: 'trace',
  method: 'GET',
  path: 'trace',
  access: 'everyone',
  query: z.strictObject({
    id: z.string({ error: 'required' }).trim().min(1, 'required').max(255),
    /** Id of one of the earlier answer's `matches`. */
    player: z
      .string()
      .regex(/^[1-9]\d{0,17}$/, 'value_invalid')
      .optional(),
  }),
  answer: z.object({
    click: row.nullable(),
    player: row.nullable(),
    /** Players to choose from, if several match. */
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

/** The full history of a click or a player. */
export type Trace = z.output<typeof trace.answer>
