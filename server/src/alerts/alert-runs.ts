// When alerts are mailed: the configured time in UTC, the last of its moments, the next, and which was served.
import { lastMoment, nextMoment } from '../lib/time-of-day.ts'
import type { Postgres } from '../postgres/client.ts'

export interface AlertRuns {
  /** The latest configured moment. */
  readonly last: Date
  readonly next: Date
  /** When mails were queued last, and how many. */
  readonly startedAt: Date | null
  readonly mails: number | null
}

export async function readAlertRuns({ pool }: Pick<Postgres, 'pool'>, now: Date): Promise<AlertRuns> {
  const { rows } = await pool.query<{ time: string; started_at: Date | null; mails: number | null }>(
    'select s.alert_mail_time as time, r.started_at, r.mails from setting s left join alert_run r on true',
  )
  const { time = '00:00', started_at = null, mails = null } = rows[0] ?? {}
  return { last: lastMoment(time, now), next: nextMoment(time, now), startedAt: started_at, mails }
}
