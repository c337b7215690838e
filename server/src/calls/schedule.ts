// Handler of the schedules.
import type { Calls } from '@tributary/contract/calls/registry'
import type { Schedule, ScheduleName } from '@tributary/contract/calls/schedule'
import { readAlertRuns } from '../alerts/alert-runs.ts'
import { readIntegration } from '../integrations/integration.ts'
import { type RunTimes, sheetRuns } from '../integrations/sheets/sheet-runs.ts'
import { nextMoment } from '../lib/time-of-day.ts'
import type { Services } from '../services.ts'
import type { Handler } from './handler.ts'

interface Row {
  readonly held: boolean
  readonly players_time: string
  readonly players_at: Date | null
  readonly backup_time: string
  readonly backup_at: Date | null
  readonly backup_running: Date | null
  readonly backup_error: string | null
}

const SETTINGS = `select s.sending_held as held, s.players_api_retrieval_time as players_time, i.asked_at as players_at,
    s.backup_time, b.finished_at as backup_at, b.error as backup_error, r.started_at as backup_running
  from setting s left join integration i on i.name = 'players_api'
    left join lateral (select * from backup where reason = 'schedule' and state in ('done', 'failed') order by id desc limit 1) b on true
    left join lateral (select * from backup where reason = 'schedule' and state = 'running' order by id desc limit 1) r on true`

export const listSchedules: Handler<Calls['schedule_list']> = async (_input, services) => ({
  items: await readSchedules(services),
})

export async function readSchedules(services: Services): Promise<Schedule[]> {
  const now = new Date()
  const { postgres, config } = services
  const [sheets, alerts, players, { daily, monthly }, { rows }] = await Promise.all([
    readIntegration(services, 'sheets'),
    readAlertRuns(postgres, now),
    readIntegration(services, 'players_api'),
    sheetRuns(postgres, now),
    postgres.pool.query<Row>(SETTINGS),
  ])
  const [row] = rows
  if (row === undefined) throw new Error('the installation has no settings row')
  const offSheets = sheets.credential === null ? 'not_set_up' : null
  const held = row.held ? 'held' : null
  return [
    toSchedule('daily_spend_parsing_time', ofSheets(daily), offSheets),
    toSchedule('monthly_spend_parsing_time', ofSheets(monthly), offSheets),
    toSchedule(
      'players_api_retrieval_time',
      { last: row.players_at, next: nextMoment(row.players_time, now) },
      players.baseUrl === null ? 'not_set_up' : null,
    ),
    toSchedule('alert_mail_time', { last: alerts.startedAt, count: alerts.mails, next: alerts.next }, held),
    toSchedule(
      'backup_time',
      {
        last: row.backup_at,
        running: row.backup_running,
        failure: row.backup_error,
        next: nextMoment(row.backup_time, now),
      },
      config.backupTarget === undefined ? 'not_set_up' : held,
    ),
  ]
}

interface Runs {
  readonly last: Date | null
  readonly running?: Date | null
  readonly next: Date
  readonly count?: number | null
  readonly failure?: string | null
}

const ofSheets = ({ startedAt, files, next }: RunTimes): Runs => ({ last: startedAt, count: files, next })

const toSchedule = (
  name: ScheduleName,
  { last, running = null, next, count = null, failure = null }: Runs,
  off: Schedule['off'],
): Schedule => ({
  name,
  last_at: last?.toISOString() ?? null,
  running_since: running?.toISOString() ?? null,
  count,
  failure,
  next_at: off === null ? next.toISOString() : null,
  off,
})
