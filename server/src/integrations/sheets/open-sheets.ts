// The client of Google Sheets as Settings describe it: one for each key, so that its token and its budget of reads are shared.

import { createSlot } from '../../lib/slot.ts'
import type { TargetGuard } from '../call-integration.ts'
import { type IntegrationStore, readIntegration } from '../integration.ts'
import { createReadBudget, type ReadBudget } from './read-budget.ts'
import type { WarningKey } from './sheet-warning.ts'
import { createSheetsClient, readAccount, type SheetsClient } from './sheets-client.ts'

/** Google allows a service account 60. */
const READS_PER_MINUTE = 50
const PAUSE_MS = 1000
const GOOGLE = 'https://docs.google.com'

export interface SheetsPool {
  readonly budget: ReadBudget
  /** Before the second attempt of a call. */
  readonly pauseMs: number
  /** Of the key and address that were used last. */
  last: { readonly key: string; readonly client: SheetsClient } | undefined
}

/** Filled by the module of spend sheets. */
export const sheetsPool = createSlot<SheetsPool>('Google Sheets')

export const createSheetsPool = ({ readsPerMinute = READS_PER_MINUTE, pauseMs = PAUSE_MS } = {}): SheetsPool => ({
  budget: createReadBudget(readsPerMinute),
  pauseMs,
  last: undefined,
})

export interface SheetsGuard {
  readonly guard: TargetGuard
  readonly allowsInside: boolean
}

export interface OpenSheets {
  readonly client: SheetsClient
  /** The address of a file's page. */
  readonly urlOf: (file: string) => string
}

/** The warning says why it cannot be used now. */
export async function openSheets(store: IntegrationStore, options: SheetsGuard): Promise<OpenSheets | WarningKey> {
  const { baseUrl, credential, savedAt, pausedUntil } = await readIntegration(store, 'sheets')
  const account = readAccount(credential)
  if (account === undefined) return 'sheet_key_absent'
  if (pausedUntil !== null) return 'sheet_paused'
  const pool = sheetsPool.of(store)
  // The same key saved again counts as another one: its token is dropped.
  const key = `${baseUrl} ${credential} ${savedAt?.getTime()}`
  if (pool.last?.key !== key) pool.last = { key, client: createSheetsClient({ ...options, ...pool, account, baseUrl }) }
  return { client: pool.last.client, urlOf: (file) => `${baseUrl ?? GOOGLE}/spreadsheets/d/${file}/edit` }
}
