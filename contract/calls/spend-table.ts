// Calls of the spend table: a partner's month as a grid, its cells saved together, totals spread over days, and what is missing.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { defineCall } from '../call.ts'
import { SPEND_EDIT, SPEND_SOURCES } from '../entities/partner-spend.ts'
import { TEXT_MAX } from '../limits.ts'
import { listOf } from '../list-of.ts'
import { monthSchema } from '../month.ts'
import { isRowId, rowId } from '../row-id.ts'

const VIEW = leadersOr('partners_spend_view')

/** Maximum number of cells that one call saves. */
export const SPEND_CELLS_CAP = 20_000
const AMOUNT_MAX = 40

const rowIdText = z.string().regex(/^[1-9]\d{0,8}$/, { error: 'value_invalid' })
const title = z.object({ id: z.int(), title: z.string() })

/** Why a cell takes no sum; the words are messages of the same key. */
export const SPEND_LOCKS = [
  'period_closed',
  'date_future',
  'spend_link_missing',
  'spend_site_missing',
  'not_agency',
  'spend_without_activity',
] as const
export type SpendLock = (typeof SPEND_LOCKS)[number]

const cell = z.object({
  date: z.string(),
  /** The accepted sum as entered; null if there is none. */
  base: z.string().nullable(),
  /** The accepted sum with the agency percentage, in the same currency. */
  sum: z.string().nullable(),
  /** Of this sum, or of one that is entered. */
  currency: z.string(),
  /** True if there were clicks, registrations or deposits. */
  has_data: z.boolean(),
  source: z.enum(SPEND_SOURCES).nullable(),
  /** The sum that the partner claims. */
  claimed: z.string().nullable(),
  /** The claim's; null without a claim. */
  claim_currency: z.string().nullable(),
  locked: z.boolean(),
  reason: z.enum(SPEND_LOCKS).nullable(),
  /** Placeholders of the reason's words. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
  /** Null while there is no spend; sent back when the cell is saved. */
  version: z.int().nullable(),
  id: z.int().nullable(),
})
/** A place on a day. Amounts are decimal texts. */
export type SpendTableCell = z.output<typeof cell>

const row = z.object({
  stream: title,
  country: title,
  site_id: z.string().nullable(),
  payment_model: title.nullable(),
  link: title.nullable(),
  /** Of each day, if the link has percentages of its own; else those of the table apply. */
  percentages: z.array(z.string()).nullable(),
  cells: z.array(cell),
})
/** The cells of a place, one for each day of the month. */
export type SpendTableRow = z.output<typeof row>

/** Documents items without validating them: a table has 20,000 cells. */
function documented<T>(item: z.ZodType<T>): z.ZodType<T[]> {
  const { $schema: _, ...items } = z.toJSONSchema(item)
  return z.array(z.unknown()).meta({ items }) as unknown as z.ZodType<T[]>
}

const table = z.object({
  partner: title,
  month: z.string(),
  today: z.string(),
  days: z.array(z.string()),
  rows: documented(row),
  /** With the percentage, in the report currency. A sum without a rate is left out. */
  totals: z.object({ days: z.array(z.string()), sum: z.string(), is_rate_missing: z.boolean() }),
  currency: z.string(),
  /** The agency percentage of each day. */
  percentages: z.array(z.string()),
  /** For each currency its rate of each day; null without one. */
  rates: z.record(z.string(), z.array(z.string().nullable())),
  /** Those in which new sums can be entered. */
  currencies: z.array(z.object({ id: z.int(), value: z.string() })),
  /** Null while the partner's month is open. */
  closed: z.object({ at: z.string(), by: z.string() }).nullable(),
})
/** A partner's month of entered spend as a grid. */
export type SpendTable = z.output<typeof table>

/** A PARTNER gets 403 even with the permission, as for all calls of this file. */
export const partnerSpendTable = defineCall({
  name: 'partner_spend_table',
  isLong: true,
  method: 'GET',
  path: 'partner_spend/table',
  access: VIEW,
  query: z.strictObject({ partner: rowIdText, month: monthSchema }),
  answer: table,
})

/** The table as a file, with a column for each day, which the import reads again. */
export const partnerSpendTableExport = defineCall({
  name: 'partner_spend_table_export',
  method: 'GET',
  path: 'partner_spend/table/export',
  access: VIEW,
  query: z.strictObject({ partner: rowIdText, month: monthSchema, format: z.enum(['xlsx', 'csv']).optional() }),
  sheet: true,
})

const inputCell = z.strictObject({
  stream: rowId,
  country: rowId,
  site_id: z.string().max(TEXT_MAX).nullable().optional(),
  date: z.string().max(AMOUNT_MAX),
  /** Null removes the accepted sum. */
  base: z.string().max(AMOUNT_MAX).nullable(),
  version: z.int().nullable().optional(),
  /** The spend that the cell held when it was loaded. */
  id: rowId.nullable().optional(),
  /** Absent: that of the sum that the cell holds, else that of the latest sum of the place. */
  currency: rowId.nullable().optional(),
})
/** A cell to save. Without `version` any value is overwritten; null demands an empty cell. */
export type SpendCellInput = z.output<typeof inputCell>

const CELL_KEYS: ReadonlySet<string> = new Set([
  'stream',
  'country',
  'site_id',
  'date',
  'base',
  'version',
  'id',
  'currency',
])
const isText = (value: unknown, max: number): boolean => typeof value === 'string' && value.length <= max
const isNone = (value: unknown): boolean => value === null || value === undefined

/** By hand: zod describes each of 20,000 wrong cells, which would block the process. */
function isInputCell(value: unknown): value is SpendCellInput {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const given = value as Readonly<Record<string, unknown>>
  return (
    Object.keys(given).every((key) => CELL_KEYS.has(key)) &&
    isRowId(given.stream) &&
    isRowId(given.country) &&
    (isNone(given.site_id) || isText(given.site_id, TEXT_MAX)) &&
    isText(given.date, AMOUNT_MAX) &&
    (given.base === null || isText(given.base, AMOUNT_MAX)) &&
    (isNone(given.version) || Number.isSafeInteger(given.version)) &&
    (isNone(given.id) || isRowId(given.id)) &&
    (isNone(given.currency) || isRowId(given.currency))
  )
}

const place = { stream: z.int(), country: z.int(), site_id: z.string().nullable(), date: z.string() }
/** `code` is the key of a message; 'stale' is a cell that somebody else has changed, and `current` is what it holds now. */
const cellProblem = z.object({
  ...place,
  code: z.string(),
  message: z.string(),
  current: z
    .object({
      base: z.string().nullable(),
      source: z.enum(SPEND_SOURCES),
      version: z.int().nullable(),
      by: z.string().nullable(),
    })
    .optional(),
})
/** A cell that was not saved, and why. */
export type SpendCellProblem = z.output<typeof cellProblem>
const cellWarning = z.object({ ...place, code: z.string(), message: z.string() })

const updateAnswer = z.object({
  /** Cells that hold what was entered, changed or not. */
  saved: z.int(),
  refused: z.array(cellProblem),
  /** Saved sums that differ from a claim, or replace one of another source; removed ones that their sheet writes again. */
  warnings: z.array(cellWarning),
})
/** The outcome of saving cells. */
export type SpendUpdateAnswer = z.output<typeof updateAnswer>

/** Saves cells one by one: a refused cell does not hold up the others. `version` is that of the table; a cell changed since is refused. */
export const partnerSpendUpdateTable = defineCall({
  name: 'partner_spend_update_table',
  isLong: true,
  method: 'PUT',
  path: 'partner_spend/update_table',
  access: SPEND_EDIT,
  bodyLimits: { bytes: 8 * 1024 * 1024, members: SPEND_CELLS_CAP * 9 + 100 },
  body: z.strictObject({
    partner: rowId,
    month: monthSchema,
    cells: listOf(inputCell, isInputCell, SPEND_CELLS_CAP),
  }),
  answer: updateAnswer,
})

const total = { month: monthSchema, base: z.string().max(AMOUNT_MAX), currency: rowId.optional() }
const spreadAnswer = z.object({
  saved: z.int(),
  removed: z.int(),
  currency: z.string(),
  /** As those of saved cells; sums that differ from a claim come first. */
  warnings: z.array(cellWarning),
})

/** Replaces the accepted sums of the partner's month by a total, spread over days; `currency` is the report currency by default. */
export const partnerSpendSpread = defineCall({
  name: 'partner_spend_update_by_partner',
  method: 'PUT',
  path: 'partner_spend/update_spend_by_partner',
  access: SPEND_EDIT,
  body: z.strictObject({ partner: rowId, ...total }),
  answer: spreadAnswer,
})

/** The same for one stream in one country. */
export const partnerSpendSpreadStream = defineCall({
  name: 'partner_spend_update_by_stream_and_country',
  method: 'PUT',
  path: 'partner_spend/update_spend_by_stream_and_country',
  access: SPEND_EDIT,
  body: z.strictObject({ stream: rowId, country: rowId, ...total }),
  answer: spreadAnswer,
})

const left = z.object({
  id: z.int(),
  date: z.string(),
  partner: title,
  stream: title,
  country: title,
  site_id: z.string().nullable(),
  sum: z.string(),
  currency: z.string(),
  /** Title of the payment model of that day; null: the spend has no partner offer. */
  model: z.string().nullable(),
})

const missing = z.object({
  /** Streams and countries whose AGENCY partner offer has activity on days without an accepted sum. */
  items: z.array(
    z.object({
      partner: title,
      stream: title,
      country: title,
      days: z.array(z.object({ date: z.string(), clicks: z.int(), registrations: z.int(), claimed: z.boolean() })),
    }),
  ),
  /** Spends of all open months that belong to no partner offer that is paid by agency on their day: the newest ones. */
  left: z.array(left),
  left_count: z.int(),
  /** Number of days in all items, listed or not. */
  days: z.int(),
  not_used_spend: z.array(
    z.object({ country: z.string(), partner: z.string(), stream: z.string(), date: z.string(), price: z.number() }),
  ),
  /** The number of all items, listed or not. */
  not_used_count: z.int(),
  not_used_total: z.number(),
  currency: z.string(),
})
/** Missing days and unallocated spend of a month, by partner. */
export type MissingSpends = z.output<typeof missing>

/** Days of a month that lack a spend, and unallocated spend; of one partner, of a group's, or of all that the user sees. */
export const partnerSpendMissing = defineCall({
  name: 'partner_spend_missing',
  isLong: true,
  method: 'GET',
  path: 'partner_spend/missing',
  access: VIEW,
  query: z.strictObject({ partner: rowIdText.optional(), partner_group: rowIdText.optional(), month: monthSchema }),
  answer: missing,
})
