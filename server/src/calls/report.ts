// Handlers that import and cancel player reports, return their files, and request a day from the players API.
import type { Calls } from '@tributary/contract/calls/registry'
import { today } from '@tributary/contract/period'
import { sql } from 'kysely'
import { entityNamed, readRowId } from '../entities/engine/model/model.ts'
import { readBusinessZone } from '../entities/engine/model/request-context.ts'
import { changeSigned, readEntity } from '../entities/engine/store.ts'
import { dropUpload } from '../entities/upload.ts'
import { readReportHead } from '../integrations/player-report/reader.ts'
import { ReportRejection } from '../integrations/player-report/reader-messages.ts'
import { logPath, sourcePath, storeSource } from '../integrations/player-report/report-files.ts'
import { requestDay } from '../integrations/players-api/requests.ts'
import { importReports } from '../jobs/import-reports.ts'
import { retrievePlayers } from '../jobs/retrieve-players.ts'
import { AppError, invalidField } from '../lib/app-error.ts'
import { SheetFailure } from '../lib/sheet/sheet.ts'
import type { Services } from '../services.ts'
import type { Handler } from './handler.ts'

const report = entityNamed('report')
const apiReport = entityNamed('players_report_api')
const PLAIN = { detailed: false }

const isOn = (flag: string | undefined): boolean => flag === '1' || flag === 'true'

export const importPlayers: Handler<Calls['player_import']> = async (
  { file, query, person, language, context },
  services,
) => {
  const advertiser = query.advertiser === undefined ? null : Number(query.advertiser)
  if (advertiser !== null) await readEntity(context, entityNamed('advertiser'), advertiser, PLAIN)
  await rejectUnreadable(services, file.path, file.name)
  const updates = isOn(query.update_reg_date)
  const { rows } = await changeSigned(context, 'import', (db) =>
    sql<{
      id: number
    }>`insert into report (type, file_name, advertiser_id, update_registrations, requested_by_id, language, status)
      values ('file', ${file.name}, ${advertiser}, ${updates}, ${person.id}, ${language}, 'cancelled') returning id`.execute(
      db,
    ),
  )
  const id = rows[0]?.id ?? 0
  await storeSource(services.config, id, file.path)
  await dropUpload(services, file.id)
  // From here on the import runs even if this request fails, because the file is stored.
  await services.postgres.pool.query("update report set status = 'waiting' where id = $1", [id])
  await services.jobs.enqueue(importReports, {})
  return readEntity(context, report, id, PLAIN)
}

/** Throws `invalid` if the beginning of the file cannot be read as a report; the import checks the rest. */
async function rejectUnreadable({ postgres }: Services, path: string, fileName: string): Promise<void> {
  const { rows } = await postgres.pool.query<{ server: string; business: string }>(
    'select server_time_zone as server, business_time_zone as business from setting',
  )
  const zones = rows[0] ?? { server: 'UTC', business: 'UTC' }
  try {
    await readReportHead(path, { fileName, zones })
  } catch (error) {
    if (error instanceof SheetFailure)
      throw invalidField('file', error.fault === 'too_complex' ? 'import_too_complex' : 'import_wrong_format')
    const issue = error instanceof ReportRejection ? error.issues.find(({ line }) => line === 0) : undefined
    if (issue !== undefined) throw invalidField('file', issue.key)
    // The import's log reports single lines.
    if (!(error instanceof ReportRejection)) throw error
  }
}

export const cancelReport: Handler<Calls['report_cancel']> = async ({ params, context }) => {
  const id = readRowId(params.id)
  const { numAffectedRows } = await changeSigned(context, 'cancel', (db) =>
    sql`update report set is_cancel_asked = true, status = case when status = 'waiting' then 'cancelled' else status end
      where id = ${id} and status in ('waiting', 'processing')`.execute(db),
  )
  const row = await readEntity(context, report, id, PLAIN)
  if (numAffectedRows === 0n) throw new AppError('conflict', { issues: { status: [{ key: 'import_over' }] } })
  return row
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export const sendReportFile: Handler<Calls['report_get_file']> = async ({ params, query, context }, services) => {
  const row = await readEntity(context, report, readRowId(params.id), PLAIN)
  const id = Number(row.id)
  const name = String(row.file_name)
  if (query.field === 'log') {
    const stem = name.replace(/\.[^.]*$/, '')
    return { path: logPath(services.config, id), name: `${stem} - log.csv`, type: 'text/csv; charset=utf-8' }
  }
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return { path: sourcePath(services.config, id), name, type: TYPES[ending] ?? 'application/octet-stream' }
}

export const synchronizePlayers: Handler<Calls['player_synchronize']> = async ({ query, context }, services) => {
  const advertiser = query.advertiser === undefined ? null : Number(query.advertiser)
  if (query.date > today(await readBusinessZone(services.postgres.db))) throw invalidField('date', 'date_invalid')
  const ids = await changeSigned(context, 'synchronize', (db) => requestDay(services, db, query.date, advertiser))
  await services.jobs.enqueue(retrievePlayers, {})
  return { items: await Promise.all(ids.map((id) => readEntity(context, apiReport, id, PLAIN))) }
}
