// Calls on players besides CRUD: bulk payment resolution, look-ups of reported values, progress and time line.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { PAYMENT_EDIT, PAYMENT_RESOLUTIONS } from '../entities/player.ts'
import { optionalReason } from '../reason.ts'
import { SELECTION_BODY_LIMITS, selectionSchema } from '../selection.ts'

const PLAYERS = leadersOr('players')

/**
 * Sets or clears (null) the payment resolution. Only players of CPA and CPA + RS offers have one; others are counted as skipped. A change that
 * a closed month will true up needs a reason, which becomes part of its cause.
 */
export const playerBulkUpdate = defineCall({
  name: 'player_bulk_update',
  method: 'PUT',
  path: 'player/bulk_update',
  access: PAYMENT_EDIT,
  bodyLimits: SELECTION_BODY_LIMITS,
  body: selectionSchema.extend({
    payment_resolution: z.enum(PAYMENT_RESOLUTIONS).nullable(),
    reason: optionalReason,
  }),
  answer: z.object({ updated: z.int(), unchanged: z.int(), skipped: z.int() }),
})

const lookup = z.strictObject({
  query: z.string().max(255).optional(),
  limit: z
    .string()
    .regex(/^(-1|[1-9]\d{0,3})$/)
    .optional(),
  page: z
    .string()
    .regex(/^[1-9]\d{0,6}$/)
    .optional(),
  lookup: z.string().optional(),
})
const options = z.object({
  options: z.array(z.object({ id: z.string(), title: z.string() })),
  pagination: z.object({ page: z.int(), limit: z.int(), total: z.int(), maxPageNumber: z.int() }),
})

/** Country names that advertisers reported for visible players. */
export const playerGeoCountry = defineCall({
  name: 'player_geo_country',
  method: 'GET',
  path: 'player/geo_country',
  access: PLAYERS,
  query: lookup,
  answer: options,
})

/** Promo codes of visible players. */
export const playerPromocode = defineCall({
  name: 'player_promocode',
  method: 'GET',
  path: 'player/promocode',
  access: PLAYERS,
  query: lookup,
  answer: options,
})

const money = z.string()
const rule = z.object({
  rule: z.enum(['deposits', 'bets', 'country', 'max_days']),
  state: z.enum(['met', 'open', 'missed']),
  /** In the rule's currency; countries by title. */
  required: z.string().nullable(),
  reached: z.string().nullable(),
  missing: z.string().nullable(),
  currency: z.string().nullable(),
  /** Last business day that counts. */
  until: z.string().nullable(),
  days_left: z.int().nullable(),
})

/** Progress towards qualification, by the terms in force on the registration day. */
const qualification = z.object({
  state: z.enum(['qualified', 'unqualified', 'lost']),
  qualified_at: z.string().nullable(),
  registered_day: z.string().nullable(),
  /** False if no future event can qualify the player. */
  is_possible: z.boolean(),
  today: z.string(),
  rules: z.array(rule),
})

const moment = z.object({
  /** Instant; null for entries whose time is unknown, which have `day` only. */
  at: z.string().nullable(),
  day: z.string().nullable(),
  kind: z.enum([
    'click',
    'registration',
    'deposit',
    'bet',
    'event',
    'report',
    'qualified',
    'postback',
    'resolution',
    'attribution',
    'change',
  ]),
  /** Id of the click, postback or entry. */
  id: z.union([z.string(), z.int()]).nullable(),
  title: z.string().nullable(),
  amount: money.nullable(),
  currency: z.string().nullable(),
  /** Status of a postback, or a resolution. */
  state: z.string().nullable(),
  /** False for amounts that a player report replaces: shown, but not counted. */
  counts: z.boolean(),
  note: z.string().nullable(),
  figures: z.record(z.string(), z.string()).nullable(),
  /** Amount and figures by the rate of the day. Null if they are in the report currency, or the rate is missing. */
  converted: z
    .object({ amount: money.nullable(), figures: z.record(z.string(), z.string()).nullable(), currency: z.string() })
    .nullable(),
  by: z.string().nullable(),
})

const timeline = z.object({ entries: z.array(moment), is_cut: z.boolean(), qualification: qualification.nullable() })

/** The events of one player in order of time. */
export type PlayerTimeline = z.output<typeof timeline>

/** The player's time line: click → registration → deposits → qualification → postbacks → payment resolution. */
export const playerTimeline = defineCall({
  name: 'player_timeline',
  method: 'GET',
  path: 'player/:id/timeline',
  access: PLAYERS,
  params: z.strictObject({ id: z.string() }),
  answer: timeline,
})
