// Player reports on their way in, and out again as the files that they were.
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
 * The file is kept and looked at; it is read in the background. `update_reg_date=1`: registration dates of known players are taken from it,
 * too. `advertiser`: whose players they are, where the file does not say. Answers the report; its `status` tells how it goes on.
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

/** Asks the players API for a business day, all advertisers or one. Answers one row of players_report_api for each. */
export const playerSynchronize = defineCall({
  name: 'player_synchronize',
  method: 'POST',
  path: 'player/synchronize',
  access: ADMIN_ONLY,
  query: z.strictObject({ date: day, advertiser: id.optional() }),
  answer: z.object({ items: z.array(row) }),
  status: 201,
})

/** `source`: what came in, as it came; `log`: what was wrong with it, as csv. */
export const reportGetFile = defineCall({
  name: 'report_get_file',
  method: 'GET',
  path: 'report/get_file/:id',
  access: ADMIN_ONLY,
  params: z.strictObject({ id: z.string() }),
  query: z.strictObject({ field: z.enum(['source', 'log']) }),
  kept: true,
})

/** Nothing of it stays. */
export const reportCancel = defineCall({
  name: 'report_cancel',
  method: 'POST',
  path: 'report/:id/cancel',
  access: ADMIN_ONLY,
  params: z.strictObject({ id: z.string() }),
  answer: row,
})
