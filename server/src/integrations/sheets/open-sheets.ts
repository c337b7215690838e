// Opens the client of Google Sheets with the address and key of Settings. All calls share one client, its token and its quota of reads.

import { createSlot } from '../../lib/slot.ts'
import type { TargetGuard } from '../call-integration.ts'
import { type IntegrationStore, readIntegration } from '../integration.ts'
import { createReadQuota, type ReadQuota } from './read-quota.ts'
import type { WarningKey } from './sheet-warning.ts'
import { createSheetsClient, readAccount, type SheetsClient } from './sheets-client.ts'

/** Google allows a service account 60. */
const READS_PER_MINUTE = 50
const PAUSE_MS = 1000
const GOOGLE = 'https://docs.google.com'

export interface SharedSheets {
  readonly quota: ReadQuota
  /** Before the second attempt of a call. */
  readonly pauseMs: number
  /** The client made last; another address or key replaces it. */
  last: { readonly cacheKey: string; readonly client: SheetsClient } | undefined
}

/** Filled by the module of spend sheets. */
export const sharedSheets = createSlot<SharedSheets>('Google Sheets')

export const createSharedSheets = ({ readsPerMinute = READS_PER_MINUTE, pauseMs = PAUSE_MS } = {}): SharedSheets => ({
  quota: createReadQuota(readsPerMinute),
  pauseMs,
  last: undefined,
})

export interface SheetsGuard {
  readonly guard: TargetGuard
  readonly allowsPrivateTargets: boolean
}

export interface OpenSheets {
  readonly client: SheetsClient
  /** The address of a file's page. */
  readonly urlOf: (file: string) => string
}

/** Returns a warning if Google Sheets cannot be used now. */
export async function openSheets(store: IntegrationStore, options: SheetsGuard): Promise<OpenSheets | WarningKey> {
  const { baseUrl, credential, savedAt, pausedUntil } = await readIntegration(store, 'sheets')
  const account = readAccount(credential)
  if (account === undefined) return 'sheet_key_absent'
  if (pausedUntil !== null) return 'sheet_paused'
  const shared = sharedSheets.of(store)
  // Saving the same key again makes a new client, so that its token is dropped.
  const cacheKey = `${baseUrl} ${credential} ${savedAt?.getTime()}`
  if (shared.last?.cacheKey !== cacheKey)
    shared.last = { cacheKey, client: createSheetsClient({ ...options, ...shared, account, baseUrl }) }
  return { client: shared.last.client, urlOf: (file) => `${baseUrl ?? GOOGLE}/spreadsheets/d/${file}/edit` }
}
