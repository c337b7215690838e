// Queues due report schedules every minute: one transaction creates the delivery and sets the next time. Times missed while no server
// ran are sent once together.
import { z } from 'zod'
import type { Postgres } from '../postgres/client.ts'
import { readReportSetting } from '../reports/engine/context.ts'
import { type MailRhythm, nextDue } from '../reports/saved/saved-reports.ts'
import type { Services } from '../services.ts'
import { defineJob } from './registry.ts'
import { sendReport } from './send-report.ts'

const AT_ONCE = 200

export const sendDueReports = defineJob({
  name: 'send-due-reports',
  isSending: true,
  schema: z.object({}),
  schedule: '* * * * *',
  isSingle: true,
  async handle(_data, { services }) {
    await queueDueReports(services, new Date())
  },
})

interface DueRow extends MailRhythm {
  id: number
  saved_report_id: number
  user_id: number
  format: 'xlsx' | 'csv'
  next_at: Date
  title: string
}

/** Returns the number of queued deliveries. */
export async function queueDueReports(
  { postgres, jobs }: Pick<Services, 'postgres' | 'jobs'>,
  now: Date,
): Promise<number> {
  const { zone } = await readReportSetting(postgres)
  const due = await readDue(postgres, now)
  let queued = 0
  for (const row of due) {
    const delivery = await noteDelivery(postgres, row, nextDue(row, zone, now))
    if (delivery === null) continue
    await jobs.enqueue(sendReport, { delivery, format: row.format }, { key: `delivery ${delivery}` })
    queued += 1
  }
  return queued + (await requeueForgotten({ postgres, jobs }))
}

async function readDue({ pool }: Postgres, now: Date): Promise<DueRow[]> {
  const { rows } = await pool.query<DueRow>(
    `select s.id, s.saved_report_id, s.user_id, s.every, s.weekday, s.monthday, s.at_time, s.format, s.next_at, r.title
      from report_schedule s join saved_report r on r.id = s.saved_report_id
      where s.ended_at is null and s.next_at <= $1 order by s.next_at limit $2`,
    [now, AT_ONCE],
  )
  return rows
}

/** Null if another process has queued it already. */
async function noteDelivery({ pool }: Postgres, row: DueRow, next: Date): Promise<number | null> {
  const { rows } = await pool.query<{ id: number }>(
    `with moved as (update report_schedule set next_at = $3 where id = $1 and date_trunc('milliseconds', next_at) = $2 and ended_at is null returning id)
      insert into report_delivery (saved_report_id, schedule_id, user_id, title, due_at)
        select $4, id, $5, $6, $2 from moved on conflict do nothing returning id`,
    [row.id, row.next_at, next, row.saved_report_id, row.user_id, row.title],
  )
  return rows[0]?.id ?? null
}

/** Queues deliveries whose process ended before it enqueued their job. */
async function requeueForgotten({ postgres, jobs }: Pick<Services, 'postgres' | 'jobs'>): Promise<number> {
  const { rows } = await postgres.pool.query<{ id: number; format: 'xlsx' | 'csv' }>(
    `select d.id, s.format from report_delivery d join report_schedule s on s.id = d.schedule_id
      where d.status = 'waiting' and d.error is null and d.created_at < now() - interval '10 minutes'
        and d.created_at > now() - interval '1 day' limit ${AT_ONCE}`,
  )
  for (const { id, format } of rows) await jobs.enqueue(sendReport, { delivery: id, format }, { key: `delivery ${id}` })
  return rows.length
}
