// Spend sheets in Google Sheets: parsing one by hand, its mapping, and whether the service account can read it.
import { z } from 'zod'
import { ADMIN_ONLY } from '../access.ts'
import { defineCall } from '../call.ts'
import { SPEND_EDIT } from '../entities/partner-spend.ts'
import { isMonth } from '../period.ts'
import { SHEET_COLUMNS, SHEET_LAYOUTS, sheetMapping } from '../sheet-mapping.ts'

const params = z.strictObject({ id: z.string() })
const month = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'value_invalid')
  .refine(isMonth, 'value_invalid')

/** Progress comes by the live event `job` under this id. */
export const sheetParse = defineCall({
  name: 'partner_partner_group_parse_sheet',
  method: 'POST',
  path: 'partner_partner_group/:id/parse_sheet',
  access: SPEND_EDIT,
  params,
  body: z.strictObject({
    month: month.nullish().describe('Absent: the current month'),
    allow_removals: z.boolean().nullish().describe('Takes the sheet even if that removes much of the month'),
  }),
  answer: z.object({ job: z.string() }),
  status: 202,
})

const warning = z.object({
  tab: z.string(),
  gid: z.number().nullable(),
  cell: z.string(),
  key: z.string(),
  values: z.record(z.string(), z.string()),
  message: z.string(),
  remedy: z.string(),
})

const preview = z.object({
  title: z.string(),
  url: z.string(),
  /** What the reading went by. */
  mapping: sheetMapping.nullable(),
  tab: z.string().nullable(),
  layout: z.enum(SHEET_LAYOUTS).nullable(),
  /** Where each column was found. */
  columns: z.array(z.object({ column: z.enum(SHEET_COLUMNS), cell: z.string(), heading: z.string() })),
  /** Texts of the rows of headings, to choose from. */
  headings: z.array(z.string()),
  /** Columns with amounts whose headings name no day: a mapping may ignore them. */
  left_columns: z.array(z.object({ cell: z.string(), heading: z.string(), is_ignored: z.boolean() })),
  cells: z.int(),
  /** What a parse would do now. */
  rows_taken: z.int(),
  rows_changed: z.int(),
  rows_removed: z.int(),
  rows_unchanged: z.int(),
  sample: z.array(
    z.object({
      cell: z.string(),
      stream: z.string(),
      country: z.string(),
      site: z.string().nullable(),
      date: z.string(),
      sum: z.string(),
      currency: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
  /** The first hundred. */
  warnings: z.array(warning),
  warnings_total: z.int(),
})
/** What a parse of a spreadsheet would take, with warnings. */
export type SheetPreview = z.output<typeof preview>

/** What a parse would read; nothing is taken. `mapping`: instead of the stored one. */
export const sheetPreview = defineCall({
  name: 'partner_partner_group_preview_sheet',
  method: 'POST',
  path: 'partner_partner_group/:id/preview_sheet',
  access: SPEND_EDIT,
  isReading: true,
  params,
  body: z.strictObject({ month: month.nullish(), mapping: sheetMapping.nullish() }),
  answer: preview,
})

export const sheetMappingUpdate = defineCall({
  name: 'partner_partner_group_sheet_mapping',
  method: 'PUT',
  path: 'partner_partner_group/:id/sheet_mapping',
  access: SPEND_EDIT,
  params,
  body: z.strictObject({ mapping: sheetMapping.nullable().describe('Null: everything is detected') }),
})

const run = z.object({
  last_at: z.string().nullable(),
  files: z.int().nullable(),
  next_at: z.string(),
})

const state = z.object({
  /** The address to share a spreadsheet with. */
  account: z.string().nullable(),
  daily: run,
  monthly: run,
})
/** The Google account, and the last and next runs of the parsing. */
export type SheetsState = z.output<typeof state>

export const sheetsState = defineCall({
  name: 'sheets_state',
  method: 'GET',
  path: 'integration/sheets',
  access: ADMIN_ONLY,
  answer: state,
})

const access = z.object({
  is_open: z.boolean(),
  title: z.string().nullable(),
  tabs: z.array(z.string()),
  /** Why it is not open, and what to do. */
  key: z.string().nullable(),
  values: z.record(z.string(), z.string()),
  message: z.string().nullable(),
  remedy: z.string().nullable(),
})
/** Whether a spreadsheet can be read; if not, why, and what to do. */
export type SheetAccess = z.output<typeof access>

export const sheetsTestAccess = defineCall({
  name: 'sheets_test_access',
  method: 'POST',
  path: 'integration/sheets/test_access',
  access: ADMIN_ONLY,
  isReading: true,
  body: z.strictObject({ file: z.string().trim().min(1).max(2048).describe('Id or address of a spreadsheet') }),
  answer: access,
})
