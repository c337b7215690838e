// Alerts that a user has dismissed. A dismissal holds while the alert states the same facts.
import type { Alert } from '@tributary/contract/calls/alert'
import type { Postgres } from '../postgres/client.ts'

type AlertKey = Pick<Alert, 'alert' | 'subject' | 'facts'>
type Pool = Pick<Postgres, 'pool'>

export interface Dismissals {
  hold(alert: AlertKey): boolean
}

const keyOf = ({ alert, subject }: AlertKey): string => `${alert} ${subject}`

export async function readDismissals({ pool }: Pool, user: number): Promise<Dismissals> {
  const { rows } = await pool.query<AlertKey>('select alert, subject, facts from alert_dismissal where user_id = $1', [
    user,
  ])
  const facts = new Map(rows.map((row) => [keyOf(row), row.facts]))
  return { hold: (alert) => facts.get(keyOf(alert)) === alert.facts }
}

export async function dismiss({ pool }: Pool, user: number, { alert, subject, facts }: AlertKey): Promise<void> {
  // Alerts concern this month and the previous one, so that older dismissals hold nothing back any more.
  await pool.query(`delete from alert_dismissal where user_id = $1 and dismissed_at < now() - interval '100 days'`, [
    user,
  ])
  await pool.query(
    `insert into alert_dismissal (user_id, alert, subject, facts) values ($1, $2, $3, $4)
      on conflict (user_id, alert, subject) do update set facts = excluded.facts, dismissed_at = now()`,
    [user, alert, subject, facts],
  )
}

export async function bringBack({ pool }: Pool, user: number, { alert, subject }: AlertKey): Promise<void> {
  await pool.query('delete from alert_dismissal where user_id = $1 and alert = $2 and subject = $3', [
    user,
    alert,
    subject,
  ])
}
