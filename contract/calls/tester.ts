// Testers: what would happen, without anything being recorded. A link is followed to its end, an event of the advertiser is judged, an event is
// told to a partner's address.
import { z } from 'zod'
import { leadersOr, STAFF } from '../access.ts'
import { defineCall } from '../call.ts'
import { POSTBACK_METHODS } from '../entities/partner-postback-url.ts'
import { MACROS } from '../macros.ts'

const params = z.strictObject({ id: z.string() })
const text = z.string().max(2048)
const macro = z.enum(MACROS)

/** `answer` of one address: `code` null when there was none. `location`: where it sent on to. */
const hop = z.object({
  url: z.string(),
  code: z.int().nullable(),
  location: z.string().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
})

/** A visit with these parameters (`click_id`, `sub_id`, `landing`, …), from this address and agent. `follow` also calls the advertiser. */
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
    /** 302, or the status of the page that the visitor would see. */
    status: z.int(),
    /** Why the visitor is turned away; null when they are not. */
    reason: z.string().nullable(),
    partner_link: z.string(),
    /** Null when the visitor is turned away, as all below. */
    target: z.string().nullable(),
    /** The click as it would be recorded, by the names of its fields; references as {id}. */
    click: z.record(z.string(), z.unknown()).nullable(),
    /** Macros of the advertiser's address with and without a value. */
    filled: z.array(macro),
    missing: z.array(macro),
    hops: z.array(hop),
  }),
})

/** An event that the advertiser would report to the link's postback address, by its parameters. */
export const testEvent = defineCall({
  name: 'offer_partner_test_event',
  method: 'POST',
  path: 'offer_partner/:id/test_event',
  access: STAFF,
  params,
  body: z.strictObject({ params: z.record(z.string().max(64), text) }),
  answer: z.object({
    status: z.int(),
    /** As the advertiser would read it. */
    body: z.record(z.string(), z.unknown()),
    /** Why it came to that; see the reasons of postbacks. */
    reason: z.string().nullable(),
    /** The address that would have been called, and which of its postback addresses. */
    url: z.string(),
    /** By what the player would be attributed; null when it would not be counted. */
    attribution: z.string().nullable(),
    /** What partners would be told, or why not. */
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

/** Calls the address with made-up values, once; `values` replace them. */
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
    /** The saved address whose key signs the call, when it is signed. */
    partner_postback_url: z.int().positive().optional(),
  }),
  answer: z.object({
    url: z.string(),
    code: z.int().nullable(),
    response: z.string().nullable(),
    error: z.string().nullable(),
    /** See the reasons of postbacks; null when it went well. */
    reason: z.string().nullable(),
    duration_ms: z.int(),
    filled: z.array(macro),
    missing: z.array(macro),
  }),
})
