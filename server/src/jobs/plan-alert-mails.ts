// Queues the daily mails of alerts.
import { sql } from 'kysely'
import { z } from 'zod'
import { readAlertRuns } from '../alerts/alert-runs.ts'
import type { Services } from '../services.ts'
import { mailAlerts } from './mail-alerts.ts'
import { defineJob } from './registry.ts'

export const planAlertMails = defineJob({
  name: 'plan-alert-mails',
  isSending: true,
  schema: z.object({}),
  // Runs every minute, because the configured time may change.
  schedule: '* * * * *',
  isSingle: true,
  async handle(_data, { services }) {
    await queueAlertMails(services, new Date())
  },
})

/** Returns the number of queued mails. A server that was down at the time catches up, once. */
export async function queueAlertMails({ postgres, jobs }: Services, now: Date): Promise<number> {
  const { last } = await readAlertRuns(postgres, now)
  const due = last.toISOString()
  return postgres.withTransaction(async (trx) => {
    const { rows: users } = await sql<{ id: number }>`
      select user_id as id from alert_mail where created_at < ${last} order by user_id`.execute(trx)
    // The run is noted in the transaction that queues it: however many servers look, it is queued once.
    const { rows } = await sql`insert into alert_run (due_at, mails) values (${last}, ${users.length})
      on conflict (only_one) do update set due_at = excluded.due_at, mails = excluded.mails, started_at = now()
      where alert_run.due_at < excluded.due_at returning due_at`.execute(trx)
    if (rows.length === 0) return 0
    for (const { id } of users) await jobs.enqueue(mailAlerts, { user: id, due }, { trx, key: `${id} ${due}` })
    return users.length
  })
}
