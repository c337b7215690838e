// Calls that import spends from a file: a dry run says what would change, then that very file is taken.
import { z } from 'zod'
import { defineCall } from '../call.ts'
import { SPEND_EDIT } from '../entities/partner-spend.ts'
import { MEGABYTE } from '../limits.ts'
import { isMonth } from '../period.ts'

/** Files accepted as spends. */
export const SPEND_IMPORT_RULE = { maxBytes: 100 * MEGABYTE, extensions: ['xls', 'xlsx', 'csv'] } as const
/** Maximum number of bytes of an xlsx when it is unpacked: three times what the most sums take. */
export const SPEND_IMPORT_UNPACKED = 256 * MEGABYTE
/** Maximum number of sums in a file. */
export const SPEND_IMPORT_CAP = 200_000
/** Refused cells, and warnings, that the answer lists. */
export const IMPORT_LISTED = 1000

const partner = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, { error: 'value_invalid' })
  .optional()
const month = z
  .string()
  .refine(isMonth, { error: 'value_invalid' })
  .optional()
  .describe('Month of columns that are headed by plain numbers, as 2026-11')

const only_changes = z
  .enum(['0', '1'])
  .optional()
  .describe('1: equal sums of a sheet stay those of the sheet, and count as equal')

const note = z.object({ cell: z.string(), code: z.string(), message: z.string() })
const outcome = z.object({
  /** Id of the import. Within a day, the same user can take the file of a dry run by it. */
  import: z.string(),
  done: z.boolean(),
  /** The tab that was read; null: the file has no tabs. */
  tab: z.string().nullable(),
  /** Tabs that were not read. */
  other_tabs: z.array(z.string()),
  new: z.int(),
  /** Also sums of a sheet that are equal: they are the import's from now on. */
  changed: z.int(),
  /** Of `changed`, those equal sums of a sheet: only their source changes. */
  taken_over: z.int(),
  equal: z.int(),
  /** The first ones. `cell` is the address in the sheet. */
  refused: z.array(note),
  refused_total: z.int(),
  /** Sums that differ from a claim, or replace one of another source. */
  warnings: z.array(note),
  warnings_total: z.int(),
})
/** The outcome of an import, or of its dry run. */
export type SpendImport = z.output<typeof outcome>

/**
 * Imports a file with a heading: stream, country, date and sum, optionally site, currency and partner; or stream and country with a column for
 * each day. `dry_run=1` changes nothing. `partner` takes streams of that partner only. `month` is the month of columns headed 1, 2, …, and chooses the tab that is named after it.
 */
export const partnerSpendImport = defineCall({
  name: 'partner_spend_import',
  method: 'POST',
  path: 'partner_spend/import',
  access: SPEND_EDIT,
  query: z.strictObject({
    dry_run: z.enum(['0', '1']).optional(),
    partner,
    month,
    only_changes,
  }),
  upload: SPEND_IMPORT_RULE,
  answer: outcome,
})

/** Takes the file for the partner and month of its dry run; naming others is `invalid`. A repeated call finds every sum equal. */
export const partnerSpendImportTake = defineCall({
  name: 'partner_spend_import_take',
  method: 'POST',
  path: 'partner_spend/import/:id',
  access: SPEND_EDIT,
  params: z.strictObject({ id: z.uuid() }),
  query: z.strictObject({
    partner,
    month,
    only_changes,
  }),
  answer: outcome,
})
