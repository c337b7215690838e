// Calls that import player reports and download their files.
import { z } from 'zod'
import { ADMIN_ONLY } from '../access.ts'
import { defineCall } from '../call.ts'
import { IMPORT_RULE } from '../entities/report.ts'
import { isDay } from '../period.ts'

const flag = z.enum(['0', '1', 'true', 'false']).optional()
const id = z.string().regex(/^[1-9]\d{0,8}$/, 'value_invalid')
const day = z.string({ error: 'required' }).refine(isDay, 'date_invalid')
const row = z.record(z.string(), z.unknown())

/**
 * Stores the file and reads it in the background. With `update_reg_date=1`, the file's registration dates replace those of existing players.
 * `advertiser` applies to lines without an advertiser. Returns the report; its `status` follows the progress.
 */
export const playerImport = defineCall({
  name: 'player_import',
  method: 'POST',
  path: 'player/import',
  access: ADMIN_ONLY,
  query: z.strictObject({ update_reg_date: flag, advertiser: id.optional() }),
  upload: IMPORT_RULE,
  answer: row,
  status: 201,
})

/** Requests a business day from the players API, for one advertiser or all. Returns a row of players_report_api for each. */
export const playerSynchronize = defineCall({
  name: 'player_synchronize',
  method: 'POST',
  path: 'player/synchronize',
  access: ADMIN_ONLY,
  query: z.strictObject({ date: day, advertiser: id.optional() }),
  answer: z.object({ items: z.array(row) }),
  status: 201,
})

/** `source`: the file as received; `log`: its errors and warnings as csv. */
export const reportGetFile = defineCall({
  name: 'report_get_file',
  method: 'GET',
  path: 'report/get_file/:id',
  access: ADMIN_ONLY,
  params: z.strictObject({ id: z.string() }),
  query: z.strictObject({ field: z.enum(['source', 'log']) }),
  returnsStoredFile: true,
})

/** Cancels the import; nothing of it is stored. */
export const reportCancel = defineCall({
  name: 'report_cancel',
  method: 'POST',
  path: 'report/:id/cancel',
  access: ADMIN_ONLY,
  params: z.strictObject({ id: z.string() }),
  answer: row,
})
