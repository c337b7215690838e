// Payment details of partners: sealed in the record, shown masked.
import { type RawBuilder, sql } from 'kysely'
import { seal, unseal } from '../integrations/integration.ts'

const PURPOSE = 'partner billing'
/** Details shorter than this would be known by their last characters. */
const SHOWN_FROM = 12
const SHOWN = 4

/** SQL: the billing with the alias has a legal name, without which no statement is approved. */
export const isNamed = (alias: string): RawBuilder<boolean> =>
  sql`coalesce(btrim(${sql.ref(`${alias}.legal_name`)}), '') <> ''`

const owner = (partner: number): string => `partner ${partner}`

export const sealDetails = (secret: Secret, partner: number, text: string | null): Buffer | null =>
  text === null || text === '' ? null : seal(secret, PURPOSE, owner(partner), text)

export const openDetails = (secret: Secret, partner: number, sealed: Buffer | null): string | null =>
  sealed === null ? null : (unseal(secret, PURPOSE, owner(partner), sealed) ?? null)

/** '•••• 4321'; without digits if the details are short. */
export function maskDetails(text: string | null): string | null {
  const digits = text?.replaceAll(/\s/g, '')
  return digits === undefined ? null : `••••${digits.length >= SHOWN_FROM ? ` ${digits.slice(-SHOWN)}` : ''}`
}

type Secret = Parameters<typeof seal>[0]
