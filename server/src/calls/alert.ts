// Handlers of alerts.
import type { Alert, AlertList } from '@tributary/contract/calls/alert'
import type { Calls } from '@tributary/contract/calls/registry'
import { readAlertRuns } from '../alerts/alert-runs.ts'
import type { FoundAlert } from '../alerts/alert-source.ts'
import { bringBack, dismiss } from '../alerts/dismissals.ts'
import { findAlerts, keyOf, readFindings } from '../alerts/find-alerts.ts'
import { countAlerts, firstOfEach, readAlerts } from '../alerts/read-alerts.ts'
import { refreshAlerts } from '../jobs/find-alerts.ts'
import type { Handler } from './handler.ts'

/** So many alerts of each kind are listed. */
const LISTED = 100

/** What was found earlier is answered at once, and found again meanwhile. */
const FRESH_MS = 10_000

export const listAlerts: Handler<Calls['alert_list']> = async (
  { person, context, query, language, signal },
  services,
) => {
  const { postgres, jobs } = services
  const { groupFilter } = person.scope
  const viewer = { role: person.role, partners: context.partners, groupFilter, language }
  const { alerts: all, at } = (await readFindings(viewer, services)) ?? (await findAlerts(viewer, services, signal))
  const isAbout = ({ about = [] }: FoundAlert) =>
    about.some(({ entity, id }) => entity === query.entity && String(id) === query.id)
  const found = query.id === undefined ? all : all.filter(isAbout)
  const isOld = Date.now() - at.getTime() > FRESH_MS
  if (isOld)
    await jobs.enqueue(
      refreshAlerts,
      { viewer: { ...viewer, partners: copy(viewer.partners) } },
      { key: keyOf(viewer) },
    )
  const [alerts, runs, { rows }] = await Promise.all([
    readAlerts({ ...person, language }, found, services),
    readAlertRuns(postgres, new Date()),
    postgres.pool.query<{ sent_at: Date | null }>('select sent_at from alert_mail where user_id = $1', [person.id]),
  ])
  return {
    items: firstOfEach(alerts.open, LISTED),
    total: countAlerts(alerts.open),
    counts: countKinds(alerts.open),
    dismissed: firstOfEach(alerts.dismissed, LISTED),
    dismissed_total: countAlerts(alerts.dismissed),
    found_at: at.toISOString(),
    is_old: isOld,
    mail: {
      is_on: rows.length > 0,
      sent_at: rows[0]?.sent_at?.toISOString() ?? null,
      last_at: runs.startedAt?.toISOString() ?? null,
      mails: runs.mails,
      next_at: runs.next.toISOString(),
    },
  }
}

const countKinds = (alerts: readonly Alert[]): AlertList['counts'] =>
  Object.fromEntries(
    Map.groupBy(alerts, ({ alert }) => alert)
      .entries()
      .map(([name, own]) => [name, countAlerts(own)]),
  )

const copy = (ids: readonly number[] | null): number[] | null => (ids === null ? null : [...ids])

export const setAlertMail: Handler<Calls['alert_mail']> = async ({ person, body }, { postgres: { pool } }) => {
  await (body.is_on
    ? pool.query('insert into alert_mail (user_id) values ($1) on conflict do nothing', [person.id])
    : pool.query('delete from alert_mail where user_id = $1', [person.id]))
  return undefined
}

export const dismissAlert: Handler<Calls['alert_dismiss']> = async (
  { person, body: { is_dismissed, ...alert } },
  { postgres },
) => {
  await (is_dismissed ? dismiss(postgres, person.id, alert) : bringBack(postgres, person.id, alert))
  return undefined
}
