// The call that finds records by a part of a name, an id, a site ID or a promo code, for the palette. It forgives typing errors in names.
import { z } from 'zod'
import { defineCall } from '../call.ts'

/** Kinds of records that the search finds. Each but the click is an entity with a screen of its own. */
export const SEARCH_KINDS = ['partner', 'offer', 'offer_partner', 'player', 'click', 'advertiser', 'user'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** Results of one kind. */
export const SEARCH_LIMIT = 5

const item = z.object({
  id: z.union([z.int(), z.string()]),
  title: z.string(),
  /** What tells records of the same title apart; null if nothing does. */
  detail: z.string().nullable(),
  /** False for a record that is switched off. */
  active: z.boolean(),
  /** The field that matches, if it is not the title, with its value. */
  matched: z.object({ field: z.string(), value: z.string() }).nullable(),
})

export const search = defineCall({
  name: 'search',
  method: 'GET',
  path: 'search',
  access: 'everyone',
  query: z.strictObject({
    query: z
      .string({ error: 'required' })
      .trim()
      .min(1, 'required')
      .max(255)
      .refine((text) => !text.includes('\0'), 'control_characters'),
  }),
  answer: z.object({
    /** The text that was searched for: it differs from the query if that was typed in another keyboard layout. */
    query: z.string(),
    /** The kind with the best result first; kinds without results are left out. */
    groups: z.array(z.object({ kind: z.enum(SEARCH_KINDS), items: z.array(item) })),
  }),
})

/** Records found, grouped by kind; only those that the caller may see. */
export type SearchAnswer = z.output<typeof search.answer>
/** A record that the search found. */
export type SearchItem = SearchAnswer['groups'][number]['items'][number]
