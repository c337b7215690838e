// When alerts are mailed: the configured time in UTC, the last of its moments, the next, and which was served.
import type { Postgres } from '../postgres/client.ts'

export interface AlertRuns {
  /** The latest configured moment. */
  readonly last: Date
  readonly next: Date
  /** When mails were queued last, and how many. */
  readonly startedAt: Date | null
  readonly mails: number | null
}

const DAY_MS = 86_400_000

export async function readAlertRuns({ pool }: Pick<Postgres, 'pool'>, now: Date): Promise<AlertRuns> {
  const { rows } = await pool.query<{ time: string; started_at: Date | null; mails: number | null }>(
    'select s.alert_mail_time as time, r.started_at, r.mails from setting s left join alert_run r on true',
  )
  const { time = '00:00', started_at = null, mails = null } = rows[0] ?? {}
  const today = new Date(`${now.toISOString().slice(0, 10)}T${time}:00.000Z`)
  const last = today <= now ? today : new Date(today.getTime() - DAY_MS)
  return { last, next: new Date(last.getTime() + DAY_MS), startedAt: started_at, mails }
}
