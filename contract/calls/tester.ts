// Calls that test a tracking link, an advertiser's event or a partner's postback URL. They record nothing.
import { z } from 'zod'
import { leadersOr, STAFF } from '../access.ts'
import { defineCall } from '../call.ts'
import { POSTBACK_METHODS } from '../entities/partner-postback-url.ts'
import { MACROS } from '../macros.ts'
import { rowId } from '../row-id.ts'

const params = z.strictObject({ id: z.string() })
const text = z.string().max(2048)
const macro = z.enum(MACROS)

/** One step of a redirect chain. `code` is null without an answer; `location` is the next URL. */
const hop = z.object({
  url: z.string(),
  code: z.int().nullable(),
  location: z.string().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
})

/** Evaluates a visit with these parameters (`click_id`, `sub_id`, `landing`, …), IP and user agent. `follow` also calls the advertiser. */
export const testLink = defineCall({
  name: 'offer_partner_test_link',
  method: 'POST',
  path: 'offer_partner/:id/test_link',
  access: STAFF,
  params,
  body: z.strictObject({
    params: z.record(z.string().max(64), text).optional(),
    ip: z.union([z.ipv4(), z.ipv6()]).optional(),
    user_agent: z.string().max(1024).optional(),
    follow: z.boolean().optional(),
  }),
  answer: z.object({
    /** 302, or the status of the page shown to a rejected visitor. */
    status: z.int(),
    /** Reason of the rejection; null if the visitor is redirected. */
    reason: z.string().nullable(),
    partner_link: z.string(),
    /** Null if the visitor is rejected, like all fields below. */
    target: z.string().nullable(),
    /** The click as it would be recorded, by field name; references as {id}. */
    click: z.record(z.string(), z.unknown()).nullable(),
    /** Macros of the advertiser link, with and without a value. */
    filled: z.array(macro),
    missing: z.array(macro),
    hops: z.array(hop),
  }),
})

/** Evaluates an inbound postback with these parameters. */
export const testEvent = defineCall({
  name: 'offer_partner_test_event',
  method: 'POST',
  path: 'offer_partner/:id/test_event',
  access: STAFF,
  params,
  body: z.strictObject({ params: z.record(z.string().max(64), text) }),
  answer: z.object({
    status: z.int(),
    /** The answer that the advertiser would receive. */
    body: z.record(z.string(), z.unknown()),
    /** One of the postback reasons. */
    reason: z.string().nullable(),
    /** The postback URL that the advertiser would call. */
    url: z.string(),
    /** How the player would be attributed; null if the event would not count. */
    attribution: z.string().nullable(),
    /** Outbound postbacks that would be sent, or why not. */
    calls: z.array(
      z.object({
        event: z.string(),
        method: z.string(),
        url: z.string().nullable(),
        status: z.string(),
        reason: z.string().nullable(),
      }),
    ),
  }),
})

/** Calls the URL once with sample values; `values` override them. */
export const testPostback = defineCall({
  name: 'partner_test_postback',
  method: 'POST',
  path: 'partner/:id/test_postback',
  access: leadersOr('partners_edit'),
  params,
  body: z.strictObject({
    url: z.string({ error: 'required' }).min(1, 'required').max(2048),
    method: z.enum(POSTBACK_METHODS),
    event: z
      .string()
      .regex(/^[a-z0-9_.-]{1,64}$/i, 'value_invalid')
      .optional(),
    values: z.partialRecord(macro, z.string().max(255)).optional(),
    /** Id of the saved URL whose key signs the call, if it is signed. */
    partner_postback_url: rowId.optional(),
  }),
  answer: z.object({
    url: z.string(),
    code: z.int().nullable(),
    response: z.string().nullable(),
    error: z.string().nullable(),
    /** One of the postback reasons; null on success. */
    reason: z.string().nullable(),
    duration_ms: z.int(),
    filled: z.array(macro),
    missing: z.array(macro),
  }),
})
