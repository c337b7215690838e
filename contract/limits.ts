// Page sizes, caps, delays and upload rules that server and screens share.

export const PAGE_SIZES = [10, 20, 50, 100, 250, 500] as const
export const DEFAULT_PAGE_SIZE = 20
/** `limit` that requests all rows. */
export const ALL = -1
/** Rows per page of `limit=-1`; longer lists need further pages or an export. */
export const ALL_CAP = 10_000
export const LOOKUP_LIMIT = 10
export const OPTION_CAP = 1000
export const PAGER_PAGES = 7
export const SEARCH_DELAY_MS = 300
export const NOTICE_MS = 10_000
export const REQUEST_TIMEOUT_MS = 100_000
export const CHUNK_TIMEOUT_MS = 120_000
/** Problems that a 422 answer describes; it counts the others. */
export const ISSUES_LISTED = 20
/** Maximum number of conditions of one list, and of columns that it is sorted by. */
export const CONDITIONS_CAP = 100
export const ORDER_CAP = 10
/** Maximum number of values in one filter. */
export const FILTER_VALUES_CAP = 20_000
/** Longest period of a report, in days. */
export const REPORT_DAYS_CAP = 3660
export const TRUNCATE_AT = 15
export const TEXT_MAX = 255
export const LONG_TEXT_MAX = 10_000
export const URL_MAX = 2048
/** Longer lists are exported as csv: an Excel sheet holds 1,048,576 rows. */
export const XLSX_ROWS_CAP = 1_000_000

/** How often an open form renews its presence. */
export const EDITING_BEAT_SECONDS = 20
/** Above a minute, because browsers wake a hidden window only once a minute. */
export const EDITING_EXPIRY_SECONDS = 90

/** Number of rows that a list can be paged through: skipping a row costs as much as showing it. */
export const PAGED_ROWS = 100_000

/** Above this, a list's total is an estimate: counting would cost more than the page. */
export const EXACT_COUNT = 100_000

/** The size limit and the extensions of an upload. Screens and server apply the same rules. */
export interface UploadRule {
  readonly maxBytes: number
  /** Lower-case extensions without the dot. */
  readonly extensions: readonly string[]
}

export const MEGABYTE = 1024 * 1024
export const SPREADSHEETS = ['xls', 'xlsx'] as const
/** Default maximum number of files in an upload field. */
export const UPLOAD_LIMIT = 1
/** The rule of an upload without one of its own. */
export const UPLOAD_RULE: UploadRule = { maxBytes: 60 * MEGABYTE, extensions: SPREADSHEETS }

/** Lower-case extension: 'Report.XLSX' → 'xlsx'; '' if there is none. */
export const extensionOf = (name: string): string => /\.([^.\s/\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** True if the file's extension, in any case, is among those of the rule. */
export const isAccepted = (name: string, { extensions }: UploadRule): boolean => extensions.includes(extensionOf(name))

/** The largest 32-bit integer of the database. */
export const INTEGER_MAX = 2_147_483_647
