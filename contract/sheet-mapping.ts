// How a partner's spend sheet is laid out. Columns are found by their headings; the mapping names headings that the product does not know.

import { z } from 'zod'

/** matrix: a tab per month, a row per stream and country, a column per day. ledger: a row per spend. */
export const SHEET_LAYOUTS = ['matrix', 'ledger'] as const
export type SheetLayout = (typeof SHEET_LAYOUTS)[number]

export const SHEET_COLUMNS = ['stream', 'country', 'site', 'date', 'sum', 'currency', 'note'] as const
export type SheetColumn = (typeof SHEET_COLUMNS)[number]

const HEADING_MAX = 200
const IGNORED_MAX = 50
const heading = z.string().trim().min(1).max(HEADING_MAX)

export const sheetMapping = z.strictObject({
  layout: z.enum(SHEET_LAYOUTS).nullish().describe('Absent: detected'),
  headings: z
    .strictObject({
      stream: heading.nullish(),
      country: heading.nullish(),
      site: heading.nullish(),
      date: heading.nullish(),
      sum: heading.nullish(),
      currency: heading.nullish(),
      note: heading.nullish(),
    })
    .superRefine((headings, context) => {
      const seen = new Set<string>()
      for (const column of SHEET_COLUMNS) {
        const name = headings[column]?.toLowerCase()
        if (name === undefined) continue
        if (seen.has(name)) context.addIssue({ code: 'custom', path: [column], message: 'sheet_mapping_repeated' })
        seen.add(name)
      }
    })
    .describe('Heading of each column in the sheet. Columns that are absent here are found by their usual headings'),
  ignored: z
    .array(heading)
    .max(IGNORED_MAX)
    .nullish()
    .describe(
      'Headings, exactly as written, of columns with numbers that are no spends. A column of a day is never ignored',
    ),
})

/** Where the cells of a spreadsheet's tab are. */
export type SheetMapping = z.output<typeof sheetMapping>
