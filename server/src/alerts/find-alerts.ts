// Finds the alerts of viewers. This takes up to seconds, so that calls answer with what was found last while a job finds again.

import { createHash } from 'node:crypto'
import { today } from '@tributary/contract/period'
import { readBusinessZone } from '../entities/engine/model/request-context.ts'
import type { Services } from '../services.ts'
import type { AlertSource, AlertViewer, FoundAlert } from './alert-source.ts'
import { approvalAlerts } from './approval-alerts.ts'
import { budgetAlerts } from './budget-alerts.ts'
import { hostAlerts } from './host-alerts.ts'
import { missingSpendAlerts } from './missing-spend-alerts.ts'
import { playerReportAlerts } from './player-report-alerts.ts'
import { resolutionAlerts } from './resolution-alerts.ts'
import { sheetAlerts } from './sheet-alerts.ts'
import { silenceAlerts } from './silence-alerts.ts'

const SOURCES: readonly AlertSource[] = [
  approvalAlerts,
  budgetAlerts,
  hostAlerts,
  missingSpendAlerts,
  playerReportAlerts,
  resolutionAlerts,
  sheetAlerts,
  silenceAlerts,
]

export interface FoundAlerts {
  readonly alerts: readonly FoundAlert[]
  readonly at: Date
}

/** Finds the alerts now, and stores them for the next reader. */
export async function findAlerts(viewer: AlertViewer, services: Services, signal: AbortSignal): Promise<FoundAlerts> {
  const { db, pool } = services.postgres
  const at = new Date()
  const day = today(await readBusinessZone(db), at.getTime())
  const found = await Promise.all(SOURCES.map((source) => source(viewer, day, services, signal)))
  const alerts = found.flat()
  await pool.query(
    `insert into alert_finding (key, viewer, found_at, alerts) values ($1, $2, $3, $4)
      on conflict (key) do update set found_at = excluded.found_at, alerts = excluded.alerts
        where alert_finding.found_at < excluded.found_at`,
    [keyOf(viewer), JSON.stringify(viewer), at, JSON.stringify(alerts)],
  )
  return { alerts, at }
}

export const keyOf = ({ role, partners, groupFilter, language }: AlertViewer): string =>
  createHash('sha256')
    .update(JSON.stringify([role, partners, groupFilter, language]))
    .digest('hex')

/** What was found last; undefined for a viewer without findings of the last hour. */
export async function readFindings(
  viewer: AlertViewer,
  { postgres: { pool } }: Pick<Services, 'postgres'>,
): Promise<FoundAlerts | undefined> {
  const { rows } = await pool.query<FoundAlerts>(
    `update alert_finding set read_at = now() where key = $1 and found_at > now() - interval '1 hour'
      returning alerts, found_at as at`,
    [keyOf(viewer)],
  )
  return rows[0]
}

/** Those who have read alerts in the last day. Findings that nobody has read for a month are deleted. */
export async function readRecentViewers({ postgres: { pool } }: Pick<Services, 'postgres'>): Promise<AlertViewer[]> {
  await pool.query(`delete from alert_finding where read_at < now() - interval '30 days'`)
  const { rows } = await pool.query<{ viewer: AlertViewer }>(
    `select viewer from alert_finding where read_at > now() - interval '1 day' order by read_at desc`,
  )
  return rows.map(({ viewer }) => viewer)
}
