// Call of the schedules: when each job runs whose time is a setting.
import { z } from 'zod'
import { ADMIN_ONLY } from '../access.ts'
import { defineCall } from '../call.ts'

/** Fields of the settings. */
export const SCHEDULES = [
  'daily_spend_parsing_time',
  'monthly_spend_parsing_time',
  'players_api_retrieval_time',
  'alert_mail_time',
  'backup_time',
] as const
export type ScheduleName = (typeof SCHEDULES)[number]

export const schedule = z.object({
  name: z.enum(SCHEDULES),
  /** The end or the start of the last run; of back-ups, the end of the last one that has ended. */
  last_at: z.string().nullable(),
  /** Null while none runs. */
  running_since: z.string().nullable(),
  /** Files or mails of the last run; null where a run is one thing. */
  count: z.int().nullable(),
  /** Why that run failed. */
  failure: z.string().nullable(),
  /** Null while it does not run. */
  next_at: z.string().nullable(),
  /** Why it does not run: a service or folder is not set up, or sending is held. */
  off: z.enum(['not_set_up', 'held']).nullable(),
})
/** The last and the next run of something scheduled, or why it is off. */
export type Schedule = z.output<typeof schedule>

export const scheduleList = defineCall({
  name: 'schedule_list',
  method: 'GET',
  path: 'schedule',
  access: ADMIN_ONLY,
  answer: z.object({ items: z.array(schedule) }),
})
