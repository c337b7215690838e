// Why a spreadsheet could not be read, as Google's answers tell it.

export const SHEETS_FAULTS = [
  'not_shared',
  'not_found',
  'not_a_sheet',
  'key_refused',
  'api_disabled',
  'busy',
  'unreachable',
] as const
export type SheetsFault = (typeof SHEETS_FAULTS)[number]

/** The service as a whole, not one file. */
const OF_THE_SERVICE: readonly SheetsFault[] = ['key_refused', 'api_disabled', 'busy', 'unreachable']

export class SheetsFailure extends Error {
  override readonly name = 'SheetsFailure'
  readonly fault: SheetsFault
  /** Reads that were sent in vain. */
  readonly calls: number

  constructor(fault: SheetsFault, message: string, calls: number, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
    this.calls = calls
  }

  /** True: the same read may succeed some minutes later. */
  get mayPass(): boolean {
    return this.fault === 'busy' || this.fault === 'unreachable'
  }

  get isOfTheService(): boolean {
    return OF_THE_SERVICE.includes(this.fault)
  }
}

export interface FailedAnswer {
  /** Null: there was no whole answer. */
  readonly status: number | null
  readonly message: string
  readonly retryAfterMs: number | null
  /** The token was refused, not the read. */
  readonly isToken: boolean
}

/** What Google's client throws. */
interface GoogleError {
  readonly message: string
  readonly config?: { readonly url?: unknown }
  readonly response?: { readonly status: number; readonly headers: Headers }
}

export function readFailure(error: unknown): FailedAnswer {
  const { message, config, response } = error as GoogleError
  const after = response?.headers.get('retry-after') ?? null
  return {
    status: response?.status ?? null,
    message: String(message),
    retryAfterMs: after === null ? null : waitOf(after),
    isToken:
      typeof config?.url === 'string'
        ? config.url.endsWith('/token')
        : config?.url instanceof URL && config.url.pathname.endsWith('/token'),
  }
}

/** Seconds, or a date. */
function waitOf(header: string): number | null {
  const seconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

export const isPassing = ({ status }: FailedAnswer): boolean =>
  status === null || status === 408 || status === 429 || status >= 500

export function faultOf({ status, message, isToken }: FailedAnswer): SheetsFault {
  if (status === 429) return 'busy'
  if (status === null || status === 408 || status >= 500) return 'unreachable'
  if (isToken || status === 401) return 'key_refused'
  if (status === 403)
    return /has not been used in project|is disabled|SERVICE_DISABLED/i.test(message) ? 'api_disabled' : 'not_shared'
  return status === 404 ? 'not_found' : 'not_a_sheet'
}
