// Saved reports. A person sees their own and shared ones of reports that they may run; only the owner may change them.
// A schedule belongs to the person who set it, and its mails have that person's rows.

import { type Pagination, paginate } from '@tributary/contract/list-query'
import type {
  ReportDelivery,
  ReportSchedule,
  ReportScheduleBody,
  SavedReport,
  SavedReportBody,
  SchedulePeriod,
} from '@tributary/contract/reports/saved'
import { Temporal } from 'temporal-polyfill'
import { AppError, invalidField } from '../../lib/app-error.ts'
import type { Postgres } from '../../postgres/client.ts'
import { readReportSetting } from '../engine/context.ts'
import { mayRun, type ReportUser, requireReport } from './visible-state.ts'

interface Row extends Omit<SavedReport, 'is_own' | 'owner' | 'schedule'> {
  user_id: number
  owner: string
  schedule: (Omit<ReportSchedule, 'next_at' | 'ended_at'> & { next_at: string; ended_at: string | null }) | null
}

/** $1 is the user's id. */
const SAVED_SQL = `select r.id, r.report, r.title, r.shared, r.is_default and r.user_id = $1 as is_default, r.state, r.version, r.user_id,
    u.full_name as owner,
    case when s.id is not null then json_build_object('every', s.every, 'weekday', s.weekday, 'monthday', s.monthday, 'at_time', s.at_time,
      'format', s.format, 'next_at', s.next_at, 'ended_at', s.ended_at, 'end_reason', s.end_reason) end as schedule
  from saved_report r join "user" u on u.id = r.user_id
    left join report_schedule s on s.saved_report_id = r.id and s.user_id = $1
  where (r.user_id = $1 or r.shared)`

const iso = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString())

function toSaved({ user_id, owner, schedule, ...row }: Row, user: ReportUser): SavedReport {
  return {
    ...row,
    is_own: user_id === user.id,
    owner: { id: user_id, title: user.role === 'PARTNER' && user_id !== user.id ? '' : owner },
    schedule:
      schedule === null
        ? null
        : { ...schedule, next_at: iso(schedule.next_at) ?? '', ended_at: iso(schedule.ended_at) },
  }
}

export async function listSaved({ pool }: Postgres, user: ReportUser, report?: string): Promise<SavedReport[]> {
  const { rows } = await pool.query<Row>(`${SAVED_SQL} order by lower(r.title), r.id`, [user.id])
  return rows
    .filter((row) => (report === undefined || row.report === report) && mayRun(row.report, user))
    .map((row) => toSaved(row, user))
}

async function readSaved({ pool }: Postgres, user: ReportUser, id: number): Promise<SavedReport> {
  const { rows } = await pool.query<Row>(`${SAVED_SQL} and r.id = $2`, [user.id, id])
  const [row] = rows
  if (row === undefined || !mayRun(row.report, user)) throw new AppError('not_found')
  return toSaved(row, user)
}

/** A saved request must be valid, because nobody can correct it when it is mailed. Throws AppError `invalid` or `forbidden`. */
function checkBody(body: SavedReportBody, user: ReportUser): void {
  const { request } = requireReport(body.report, user)
  if (!request.safeParse(body.state.request).success) throw invalidField('state', 'value_invalid')
}

export async function createSaved(postgres: Postgres, user: ReportUser, body: SavedReportBody): Promise<SavedReport> {
  checkBody(body, user)
  const id = await postgres.withClient(async (client) => {
    await client.query('begin')
    if (body.is_default) await client.query(CLEAR_DEFAULT_SQL, [user.id, body.report])
    const { rows } = await client.query<{ id: number }>(
      'insert into saved_report (user_id, report, title, shared, is_default, state) values ($1, $2, $3, $4, $5, $6) on conflict (user_id, report, title) do nothing returning id',
      [user.id, body.report, body.title, body.shared, body.is_default, JSON.stringify(body.state)],
    )
    if (rows[0] === undefined) throw invalidField('title', 'title_exists')
    await client.query('commit')
    return rows[0].id
  })
  return readSaved(postgres, user, id)
}

const CLEAR_DEFAULT_SQL = 'update saved_report set is_default = false where user_id = $1 and report = $2 and is_default'

export async function updateSaved(
  postgres: Postgres,
  user: ReportUser,
  id: number,
  body: SavedReportBody,
): Promise<SavedReport> {
  checkBody(body, user)
  const stored = await readOwned(postgres, user, id)
  if (stored.report !== body.report) throw invalidField('report', 'fixed')
  if (body.version !== undefined && body.version !== stored.version) throw new AppError('stale', { current: stored })
  await postgres.withClient(async (client) => {
    await client.query('begin')
    if (body.is_default && !stored.is_default) await client.query(CLEAR_DEFAULT_SQL, [user.id, body.report])
    const taken = await client.query(
      'select from saved_report where user_id = $1 and report = $2 and title = $3 and id <> $4',
      [user.id, body.report, body.title, id],
    )
    if (taken.rowCount !== 0) throw invalidField('title', 'title_exists')
    await client.query('update saved_report set title = $2, shared = $3, is_default = $4, state = $5 where id = $1', [
      id,
      body.title,
      body.shared,
      body.is_default,
      JSON.stringify(body.state),
    ])
    // If the report is no longer shared, other people lose it and their mails of it.
    if (!body.shared)
      await client.query('delete from report_schedule where saved_report_id = $1 and user_id <> $2', [id, user.id])
    await client.query('commit')
  })
  return readSaved(postgres, user, id)
}

export async function deleteSaved(postgres: Postgres, user: ReportUser, id: number): Promise<void> {
  await readOwned(postgres, user, id)
  await postgres.pool.query('delete from saved_report where id = $1', [id])
}

async function readOwned(postgres: Postgres, user: ReportUser, id: number): Promise<SavedReport> {
  const saved = await readSaved(postgres, user, id)
  if (!saved.is_own) throw new AppError('forbidden')
  return saved
}

export async function setSchedule(
  postgres: Postgres,
  user: ReportUser,
  id: number,
  body: ReportScheduleBody,
): Promise<SavedReport> {
  await readSaved(postgres, user, id)
  const rhythm = {
    every: body.every,
    weekday: body.every === 'week' ? (body.weekday ?? 1) : null,
    monthday: body.every === 'month' ? (body.monthday ?? 1) : null,
    at_time: body.at_time,
  }
  const { zone } = await readReportSetting(postgres)
  const next = nextDue(rhythm, zone, new Date())
  await postgres.pool.query(
    `insert into report_schedule (saved_report_id, user_id, every, weekday, monthday, at_time, format, next_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (saved_report_id, user_id) do update set every = excluded.every, weekday = excluded.weekday,
        monthday = excluded.monthday, at_time = excluded.at_time, format = excluded.format, next_at = excluded.next_at,
        ended_at = null, end_reason = null`,
    [id, user.id, rhythm.every, rhythm.weekday, rhythm.monthday, rhythm.at_time, body.format, next],
  )
  return readSaved(postgres, user, id)
}

export async function dropSchedule(postgres: Postgres, user: ReportUser, id: number): Promise<void> {
  await readSaved(postgres, user, id)
  await postgres.pool.query('delete from report_schedule where saved_report_id = $1 and user_id = $2', [id, user.id])
}

interface DeliveryRow extends Omit<ReportDelivery, 'saved_report' | 'due_at' | 'finished_at'> {
  saved_report_id: number | null
  title: string
  due_at: Date
  finished_at: Date | null
  total: number
}

const DELIVERY_SQL = 'select id, saved_report_id, title, due_at, status, error, rows, bytes, finished_at'

function toDelivery({ saved_report_id, title, total: _total, ...row }: DeliveryRow): ReportDelivery {
  return {
    ...row,
    saved_report: saved_report_id === null ? null : { id: saved_report_id, title },
    due_at: row.due_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

/** The user's deliveries, newest first. */
export async function listDeliveries(
  { pool }: Postgres,
  user: ReportUser,
  { page, limit, saved_report }: { page: number; limit: number; saved_report?: number | undefined },
): Promise<{ items: ReportDelivery[]; pagination: Pagination }> {
  const { rows } = await pool.query<DeliveryRow>(
    `${DELIVERY_SQL}, count(*) over () as total from report_delivery
      where user_id = $1 and ($4::int is null or saved_report_id = $4) order by id desc limit $2 offset $3`,
    [user.id, limit, (page - 1) * limit, saved_report ?? null],
  )
  return { items: rows.map(toDelivery), pagination: paginate(page, limit, Number(rows[0]?.total ?? 0)) }
}

/** Records a delivery that is due now. */
export async function addDelivery(postgres: Postgres, user: ReportUser, id: number): Promise<ReportDelivery> {
  const saved = await readSaved(postgres, user, id)
  const { rows } = await postgres.pool.query<DeliveryRow>(
    `insert into report_delivery (saved_report_id, user_id, title, due_at) values ($1, $2, $3, now())
      returning id, saved_report_id, title, due_at, status, error, rows, bytes, finished_at, 0 as total`,
    [id, user.id, saved.title],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the delivery was not recorded')
  return toDelivery(row)
}

export interface MailRhythm {
  readonly every: SchedulePeriod
  readonly weekday: number | null
  readonly monthday: number | null
  readonly at_time: string
}

/**
 * The first moment after `after` at which a report is mailed: at a time in the business time zone, every day, week or month. When clocks
 * change, a skipped time moves an hour later; of a repeated time the first counts.
 */
export function nextDue({ every, weekday, monthday, at_time }: MailRhythm, zone: string, after: Date): Date {
  const time = Temporal.PlainTime.from(at_time)
  const start = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(zone).toPlainDate()
  // Every rhythm recurs within two months.
  for (let days = 0; days <= 62; days++) {
    const date = start.add({ days })
    if (every === 'week' && date.dayOfWeek !== (weekday ?? 1)) continue
    if (every === 'month' && date.day !== Math.min(monthday ?? 1, date.daysInMonth)) continue
    const due = date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds
    if (due > after.getTime()) return new Date(due)
  }
  throw new Error('a rhythm recurs within two months')
}
