// Alerts of player reports of the last days that failed or have warnings. Only admins import them.
import { report } from '@tributary/contract/entities/report'
import { report as reportEn } from '@tributary/contract/words/en/entities/report'
import { report as reportRu } from '@tributary/contract/words/ru/entities/report'
import type { AlertSource } from './alert-source.ts'

const STATUS_WORDS = { en: reportEn, ru: reportRu } as const

const REPORTS = `select r.id, r.file_name as title, r.status, coalesce(r.warnings, 0) as warnings,
    to_char(r.created_at at time zone (select business_time_zone from setting), 'DD.MM.YYYY') as day
  from report r where r.status in ('warnings', 'failed') and r.created_at > now() - interval '7 days'`

interface ImportedReport {
  id: number
  title: string
  status: 'warnings' | 'failed'
  warnings: number
  day: string
}

export const playerReportAlerts: AlertSource = async ({ role, language }, _today, { postgres: { pool } }) => {
  if (role !== 'ADMIN') return []
  const { rows } = await pool.query<ImportedReport>(REPORTS)
  return rows.map(({ id, title, status, warnings, day }) => ({
    alert: 'player_report_warnings' as const,
    subject: String(id),
    facts: `${status} ${warnings}`,
    title,
    values: { warnings, day, status: STATUS_WORDS[language].choices.status[status] },
    address: `${report.shownAt}${id}`,
    weight: id,
  }))
}
