// Calls of alerts: those of the caller, and whether they come by mail once a day.
import { z } from 'zod'
import { staffLeadersOr } from '../access.ts'
import { ALERT_NAMES } from '../alerts.ts'
import { defineCall } from '../call.ts'

const access = staffLeadersOr('dashboard')

const alert = z.object({
  alert: z.enum(ALERT_NAMES),
  /** What it is about. */
  title: z.string(),
  message: z.string(),
  /** Path and query of the screen that shows it. */
  address: z.string(),
})
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
  /** The number of all alerts, listed or not. */
  total: z.int(),
  mail,
})
export type AlertList = z.output<typeof list>

/** Alerts whose permissions the caller has, about visible rows. */
export const alertList = defineCall({ name: 'alert_list', method: 'GET', path: 'alert', access, answer: list })

export const alertMail = defineCall({
  name: 'alert_mail',
  method: 'PUT',
  path: 'alert/mail',
  access,
  body: z.strictObject({ is_on: z.boolean() }),
})
