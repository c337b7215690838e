// Calls that only an admin may use: the settings of the installation, and for each third-party service its base URL, credential, and the
// results of its last calls.
import { z } from 'zod'
import { ADMIN_ONLY } from '../access.ts'
import { defineCall } from '../call.ts'
import { setting } from '../entities/setting.ts'

export const INTEGRATIONS = ['players_api', 'crm', 'sheets'] as const
export type IntegrationName = (typeof INTEGRATIONS)[number]

const URL_MAX = 2048
const CREDENTIAL_MAX = 10_000

const integration = z.object({
  name: z.enum(INTEGRATIONS),
  base_url: z.string().nullable(),
  /** The credential itself is never returned. */
  has_credential: z.boolean(),
  last_success_at: z.string().nullable(),
  last_error_at: z.string().nullable(),
  last_error: z.string().nullable(),
  /** Paused after repeated failures. */
  is_paused: z.boolean(),
})

/** Settings and last outcomes of an integration, without its credential. */
export type IntegrationState = z.output<typeof integration>

/** Answers the state of every integration, also of those that are not set up. */
export const integrationList = defineCall({
  name: 'integration_list',
  method: 'GET',
  path: 'integration',
  access: ADMIN_ONLY,
  answer: z.object({ items: z.array(integration) }),
})

const baseUrl = z
  .string()
  .max(URL_MAX)
  .refine((text) => text === '' || /^https?:\/\/[^\s@]+$/.test(text), 'url_invalid')

/** Changes base URL or credential, and ends the pause after failures. An absent value stays stored; an empty one is deleted. */
export const integrationUpdate = defineCall({
  name: 'integration_update',
  method: 'PUT',
  path: 'integration/:name',
  access: ADMIN_ONLY,
  params: z.strictObject({ name: z.enum(INTEGRATIONS) }),
  body: z.strictObject({ base_url: baseUrl.nullish(), credential: z.string().max(CREDENTIAL_MAX).nullish() }),
  answer: integration,
})

// Fields are validated later, as in PUT setting/{id}.
const fields = Object.fromEntries(Object.keys(setting.fields).map((name) => [name, z.unknown().optional()]))

/** Saves fields of `setting`, which has a single row, without an id. Returns the settings. */
export const settingSave = defineCall({
  name: 'setting_save',
  method: 'POST',
  path: 'setting',
  access: ADMIN_ONLY,
  body: z.looseObject({ version: z.int().optional().describe('The version that was read'), ...fields }),
  answer: z.record(z.string(), z.unknown()),
})
