// Maps violated constraints to a field and a message. A test compares this table with the catalogue: every constraint must be here.

import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { MessageKey } from '@tributary/contract/words/messages'

/** The field at fault and the key of its message. */
export interface Violation {
  readonly field: string
  readonly key: MessageKey
}

/** Constraints with a message of their own, or whose name does not follow from fields. */
const NAMED: Readonly<Record<string, Violation>> = {
  user_email_key: { field: 'email', key: 'email_exists' },
  offer_partner_partner_id_site_id_key: { field: 'site_id', key: 'site_id_exists' },
  offer_partner_postback_main_key: { field: 'kind', key: 'already_exists' },
  advertiser_default_domain_check: { field: 'default_domain', key: 'domain_invalid' },
  advertiser_country_domain_check: { field: 'domain', key: 'domain_invalid' },
  country_code_check: { field: 'code', key: 'country_code_invalid' },
  currency_rate_rate_check: { field: 'rate', key: 'value_invalid' },
  payment_invoice_order: { field: 'date_to', key: 'dates_reversed' },
  saved_view_default_key: { field: 'is_default', key: 'already_exists' },
  setting_id_check: { field: 'id', key: 'already_exists' },
  setting_active_check: { field: 'active', key: 'read_only' },
  setting_uniqueness_hours_check: { field: 'uniqueness_hours', key: 'value_invalid' },
  setting_personal_data_days_check: { field: 'personal_data_days', key: 'value_invalid' },
  setting_click_months_check: { field: 'click_months', key: 'value_invalid' },
  setting_postback_months_check: { field: 'postback_months', key: 'value_invalid' },
  setting_attempt_months_check: { field: 'attempt_months', key: 'value_invalid' },
  setting_audit_months_check: { field: 'audit_months', key: 'value_invalid' },
  setting_fact_log_months_check: { field: 'fact_log_months', key: 'value_invalid' },
  setting_spend_claim_days_check: { field: 'spend_claim_days', key: 'value_invalid' },
  period_close_partner_standing_key: { field: 'partner', key: 'already_exists' },
  partner_spend_sum_or_claim: { field: 'sum', key: 'required' },
  partner_spend_claim_currency: { field: 'claim_currency', key: 'required' },
  partner_spend_counts_once_key: { field: 'site_id', key: 'already_exists' },
  offer_partner_site_id_check: { field: 'site_id', key: 'no_space_or_comma' },
}

function nameUnique(entity: Entity): [string, Violation][] {
  return entity.unique.map((names) => {
    const columns = names.map((name) => (entity.fields[name]?.kind === 'reference' ? `${name}_id` : name))
    const field = names.at(-1) ?? 'id'
    const key: MessageKey = field === 'title' ? 'title_exists' : 'already_exists'
    return [`${entity.name}_${columns.join('_')}_key`, { field, key }]
  })
}

function nameChoices(entity: Entity): [string, Violation][] {
  return Object.entries(entity.fields)
    .filter(([, field]) => field.kind === 'choice')
    .map(([name]) => [`${entity.name}_${name}_check`, { field: name, key: 'choice_unknown' }])
}

function nameHistory({ name }: Entity): [string, Violation][] {
  return [
    [`${name}_overlap`, { field: 'date_from', key: 'history_overlap' }],
    [`${name}_order`, { field: 'date_to', key: 'dates_reversed' }],
  ]
}

function nameAll(): Map<string, Violation> {
  const all = new Map<string, Violation>()
  // Widens the entities' literal types.
  const entities: readonly Entity[] = Object.values(ENTITIES)
  for (const entity of entities) {
    const names = [
      ...nameUnique(entity),
      ...nameChoices(entity),
      ...(entity.name.endsWith('_history') ? nameHistory(entity) : []),
    ]
    for (const [name, violation] of names) all.set(name, violation)
  }
  for (const [name, violation] of Object.entries(NAMED)) all.set(name, violation)
  return all
}

export const CONSTRAINTS: ReadonlyMap<string, Violation> = nameAll()

const INTEGRITY: ReadonlySet<string> = new Set(['23505', '23514', '23P01'])
const FOREIGN_KEY = '23503'
const NOT_NULL = '23502'
/** serialization_failure, deadlock_detected. */
const AGAIN: ReadonlySet<string> = new Set(['40001', '40P01'])

interface PostgresError extends Error {
  code: string
  constraint?: string
  column?: string
  table?: string
}

const isPostgresError = (error: unknown): error is PostgresError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** Field and message of a violated constraint; undefined for any other error. */
export function findViolation(error: unknown): Violation | undefined {
  if (!isPostgresError(error)) return undefined
  if (INTEGRITY.has(error.code)) return CONSTRAINTS.get(error.constraint ?? '')
  if (error.code === NOT_NULL && error.column !== undefined)
    return { field: error.column.replace(/_id$/, ''), key: 'required' }
  // A referenced row was deleted concurrently. Foreign keys are named <table>_<column>_fkey.
  const column =
    error.code === FOREIGN_KEY
      ? error.constraint?.slice((error.table?.length ?? 0) + 1).replace(/_id_fkey$/, '')
      : undefined
  return column === undefined ? undefined : { field: column, key: 'reference_missing' }
}

/** Table that refers to the row, from the error of a DELETE; undefined for any other error. */
export const referringTable = (error: unknown): string | undefined =>
  isPostgresError(error) && error.code === FOREIGN_KEY ? (error.table ?? '') : undefined

/** Checked before each write: a violation means that another transaction was faster, and a repetition says which row it wrote. */
const RACED: ReadonlySet<string> = new Set(['partner_spend_counts_once_key'])

/** True if the same transaction may succeed when it is repeated. */
export const isWorthRepeating = (error: unknown): boolean =>
  isPostgresError(error) && (AGAIN.has(error.code) || RACED.has(error.constraint ?? ''))
