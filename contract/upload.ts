// Size limits and extensions of uploads. Screens and server apply the same rules.

export interface UploadRule {
  readonly maxBytes: number
  /** Lower-case extensions without the dot. */
  readonly extensions: readonly string[]
}

export const MEGABYTE = 1024 * 1024
export const SPREADSHEETS = ['xls', 'xlsx'] as const
/** Default maximum number of files in an upload field. */
export const UPLOAD_LIMIT = 1
export const UPLOAD_RULE: UploadRule = { maxBytes: 60 * MEGABYTE, extensions: SPREADSHEETS }

/** Lower-case extension: 'Report.XLSX' → 'xlsx'; '' if there is none. */
export const extensionOf = (name: string): string => /\.([^.\s/\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

export const isAccepted = (name: string, { extensions }: UploadRule): boolean => extensions.includes(extensionOf(name))
