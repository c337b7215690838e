// URLs, encrypted credentials and last results of third parties. A service that fails repeatedly is paused.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { IntegrationName, IntegrationState } from '@tributary/contract/calls/integration'
import type { Config } from '../config.ts'
import type { Postgres } from '../postgres/client.ts'

export interface Integration {
  /** Without a slash at the end; null if the service is not set up. */
  readonly baseUrl: string | null
  readonly credential: string | null
  /** When Settings saved them. */
  readonly savedAt: Date | null
  /** Paused until this moment. */
  readonly pausedUntil: Date | null
}

export interface IntegrationStore {
  readonly postgres: Pick<Postgres, 'pool'>
  readonly config: Pick<Config, 'secret'>
}

const PURPOSE = 'integrations'
/** Number of failures in a row after which a service is paused. */
const FAILURES = 5
const PAUSE_MINUTES = 5
const ERROR_CAP = 500

const PAUSED = `case when failures >= ${FAILURES} and last_error_at > now() - interval '${PAUSE_MINUTES} minutes'
  then last_error_at + interval '${PAUSE_MINUTES} minutes' end`

export async function readIntegration(
  { postgres, config }: IntegrationStore,
  name: IntegrationName,
): Promise<Integration> {
  const { rows } = await postgres.pool.query<{
    base_url: string | null
    credential: Buffer | null
    updated_at: Date
    paused_until: Date | null
  }>(`select base_url, credential, updated_at, ${PAUSED} as paused_until from integration where name = $1`, [name])
  const row = rows[0]
  const sealed = row?.credential ?? null
  return {
    baseUrl: row?.base_url?.replace(/\/+$/, '') || null,
    credential: sealed === null ? null : (unseal(config.secret, PURPOSE, name, sealed) ?? null),
    savedAt: row?.updated_at ?? null,
    pausedUntil: row?.paused_until ?? null,
  }
}

/** Undefined keeps a value, null or '' removes it. Earlier failures are reset. */
export async function writeIntegration(
  { postgres, config }: IntegrationStore,
  name: IntegrationName,
  change: { baseUrl?: string | null | undefined; credential?: string | null | undefined },
): Promise<void> {
  const { baseUrl, credential } = change
  await postgres.pool.query(
    `insert into integration (name, base_url, credential) values ($1, $3, $5)
      on conflict (name) do update set base_url = case when $2 then $3 else integration.base_url end,
        credential = case when $4 then $5 else integration.credential end, failures = 0, updated_at = now()`,
    [
      name,
      baseUrl !== undefined,
      baseUrl || null,
      credential !== undefined,
      credential ? seal(config.secret, PURPOSE, name, credential) : null,
    ],
  )
}

export async function noteSuccess(
  { postgres }: Pick<IntegrationStore, 'postgres'>,
  name: IntegrationName,
): Promise<void> {
  await postgres.pool.query(
    `insert into integration (name, last_success_at) values ($1, now())
      on conflict (name) do update set last_success_at = now(), failures = 0`,
    [name],
  )
}

/** Failures pause the integration once there are enough. `isRepeated`: the call is tried again, so this is no failure yet, only shown. */
export async function noteError(
  { postgres }: Pick<IntegrationStore, 'postgres'>,
  name: IntegrationName,
  error: string,
  { isRepeated = false }: { readonly isRepeated?: boolean } = {},
): Promise<void> {
  await postgres.pool.query(
    `insert into integration (name, last_error_at, last_error, failures) values ($1, now(), $2, $3)
      on conflict (name) do update set last_error_at = now(), last_error = $2, failures = integration.failures + $3`,
    [name, error.slice(0, ERROR_CAP), isRepeated ? 0 : 1],
  )
}

export async function listIntegrations(
  { postgres }: Pick<IntegrationStore, 'postgres'>,
  names: readonly IntegrationName[],
): Promise<IntegrationState[]> {
  const { rows } = await postgres.pool.query<{
    name: IntegrationName
    base_url: string | null
    has_credential: boolean
    last_success_at: Date | null
    last_error_at: Date | null
    last_error: string | null
    is_paused: boolean
  }>(
    `select n.name, i.base_url, i.credential is not null as has_credential, i.last_success_at, i.last_error_at, i.last_error,
        ${PAUSED} is not null as is_paused
      from unnest($1::text[]) with ordinality as n (name, place) left join integration i on i.name = n.name order by n.place`,
    [names],
  )
  return rows.map((row) => ({
    ...row,
    last_success_at: row.last_success_at?.toISOString() ?? null,
    last_error_at: row.last_error_at?.toISOString() ?? null,
  }))
}

const IV_BYTES = 12
const TAG_BYTES = 16

const keyOf = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `tributary ${purpose}`, 32))

/**
 * Encrypts by AES-256-GCM with a key derived from the installation's secret. Each `purpose` has its own key; only the same `owner` can
 * decrypt the text.
 */
export function seal(secret: string, purpose: string, owner: string, text: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** Undefined if the installation's secret or the owner differs from that of encryption. */
export function unseal(secret: string, purpose: string, owner: string, sealed: Buffer): string | undefined {
  const iv = sealed.subarray(0, IV_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
