// The settings have a single row; this call saves it without naming its id.
import { z } from 'zod'
import { ADMIN_ONLY } from '../access.ts'
import { defineCall } from '../call.ts'
import { setting } from '../entities/setting.ts'

/** Validated as in PUT setting/{id}. */
const fields = Object.fromEntries(Object.keys(setting.fields).map((name) => [name, z.unknown().optional()]))

/** Fields of `setting`, as in PUT setting/{id}. Returns the settings. */
export const settingSave = defineCall({
  name: 'setting_save',
  method: 'POST',
  path: 'setting',
  access: ADMIN_ONLY,
  body: z.looseObject({ version: z.int().optional().describe('The version that was read'), ...fields }),
  answer: z.record(z.string(), z.unknown()),
})
