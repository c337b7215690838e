// Handlers of alerts.
import type { Calls } from '@tributary/contract/calls/registry'
import { readAlertRuns } from '../alerts/alert-runs.ts'
import { readAlerts } from '../alerts/read-alerts.ts'
import type { Handler } from './handler.ts'

const LISTED = 200

export const listAlerts: Handler<Calls['alert_list']> = async ({ person, context, language, signal }, services) => {
  const { pool } = services.postgres
  const viewer = { role: person.role, permissions: person.permissions, language, rows: context }
  const [alerts, runs, { rows }] = await Promise.all([
    readAlerts(viewer, services, signal),
    readAlertRuns(services.postgres, new Date()),
    pool.query<{ sent_at: Date | null }>('select sent_at from alert_mail where user_id = $1', [person.id]),
  ])
  return {
    items: alerts.slice(0, LISTED),
    total: alerts.length,
    mail: {
      is_on: rows.length > 0,
      sent_at: rows[0]?.sent_at?.toISOString() ?? null,
      last_at: runs.startedAt?.toISOString() ?? null,
      mails: runs.mails,
      next_at: runs.next.toISOString(),
    },
  }
}

export const setAlertMail: Handler<Calls['alert_mail']> = async ({ person, body }, { postgres: { pool } }) => {
  await (body.is_on
    ? pool.query('insert into alert_mail (user_id) values ($1) on conflict do nothing', [person.id])
    : pool.query('delete from alert_mail where user_id = $1', [person.id]))
  return undefined
}
