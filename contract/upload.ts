// What may be sent as a file: how large, and with which endings. The server refuses by these rules what the screen has not refused before.

export interface UploadRule {
  readonly maxBytes: number
  /** Endings of file names in lower case, without the dot. */
  readonly extensions: readonly string[]
}

export const MEGABYTE = 1024 * 1024
export const SPREADSHEETS = ['xls', 'xlsx'] as const
/** How many files a place takes, unless it says otherwise. */
export const UPLOAD_LIMIT = 1
export const UPLOAD_RULE: UploadRule = { maxBytes: 60 * MEGABYTE, extensions: SPREADSHEETS }

/** 'Report.XLSX' → 'xlsx'; '' where there is none. */
export const extensionOf = (name: string): string => /\.([^.\s/\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

export const isAccepted = (name: string, { extensions }: UploadRule): boolean => extensions.includes(extensionOf(name))
