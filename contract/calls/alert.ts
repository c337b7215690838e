// Calls of alerts: those of the caller, which of them are dismissed, and whether they come by mail once a day.
import { z } from 'zod'
import { staffLeadersOr } from '../access.ts'
import { ALERT_NAMES } from '../alerts.ts'
import { defineCall } from '../call.ts'

const access = staffLeadersOr('dashboard')

const KEY_MAX = 200

const alert = z.object({
  alert: z.enum(ALERT_NAMES),
  /** Names it among the alerts of its kind. */
  subject: z.string(),
  /** A digest of what it states. A dismissal holds while it stays the same. */
  facts: z.string(),
  /** How many things it is about. */
  count: z.int(),
  /** What it is about. */
  title: z.string(),
  message: z.string(),
  /** Path and query of the screen that shows it. */
  address: z.string(),
})
/** What one alert says, and the screen that shows its cause. */
export type Alert = z.output<typeof alert>

const mail = z.object({
  /** The caller gets a mail a day, if there are alerts. */
  is_on: z.boolean(),
  sent_at: z.string().nullable(),
  /** The last run for all users, and its number of mails. */
  last_at: z.string().nullable(),
  mails: z.int().nullable(),
  next_at: z.string(),
})

const list = z.object({
  /** The most urgent first. */
  items: z.array(alert),
  /** The sum of the counts of all alerts, listed or not. */
  total: z.int(),
  /** The same by kind; kinds without an alert are absent. */
  counts: z.partialRecord(z.enum(ALERT_NAMES), z.int()),
  /** Those that the caller has dismissed; they are not among `items`. */
  dismissed: z.array(alert),
  dismissed_total: z.int(),
  found_at: z.string(),
  /** They are being found again: the next answer is newer. */
  is_old: z.boolean(),
  mail,
})
/** All alerts of the caller, and whether they get a mail about them. */
export type AlertList = z.output<typeof list>

/** Alerts whose permissions the caller has, about visible rows; with `entity` and `id`, those that concern this record. */
export const alertList = defineCall({
  name: 'alert_list',
  method: 'GET',
  path: 'alert',
  access,
  query: z.strictObject({
    entity: z.string().max(KEY_MAX).optional(),
    id: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'value_invalid')
      .optional(),
  }),
  answer: list,
})

export const alertMail = defineCall({
  name: 'alert_mail',
  method: 'PUT',
  path: 'alert/mail',
  access,
  body: z.strictObject({ is_on: z.boolean() }),
})

/** Dismisses an alert for the caller, as long as it states these facts, or takes that back. */
export const alertDismiss = defineCall({
  name: 'alert_dismiss',
  method: 'PUT',
  path: 'alert/dismissal',
  access,
  body: z.strictObject({
    alert: z.enum(ALERT_NAMES),
    subject: z.string().min(1).max(KEY_MAX),
    facts: z.string().max(KEY_MAX),
    is_dismissed: z.boolean(),
  }),
})
