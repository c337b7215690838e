// Handlers that read and change how a partner is paid. Payment details are sealed, and only `revealBilling` opens them.
import { BILLING_STAFF_FIELDS, type BillingAnswer } from '@tributary/contract/calls/partner-billing'
import type { Calls } from '@tributary/contract/calls/registry'
import { sql } from 'kysely'
import { authService } from '../access/auth-service.ts'
import { reauthenticate } from '../access/reauthenticate.ts'
import { logSecurityEvent } from '../access/security-log.ts'
import { entityNamed, type Row, readRowId } from '../entities/engine/model/model.ts'
import type { Db, RequestContext } from '../entities/engine/model/request-context.ts'
import { insertAudited, updateAudited } from '../entities/engine/save/write.ts'
import { changeRecord, readEntity } from '../entities/engine/store.ts'
import { AppError, type IssueTree } from '../lib/app-error.ts'
import { maskDetails, openDetails, sealDetails } from '../money/billing-details.ts'
import type { Handler } from './handler.ts'

const billing = entityNamed('partner_billing')
const partnerEntity = entityNamed('partner')

interface Stored {
  readonly id: number
  readonly legal_name: string | null
  readonly tax_id: string | null
  readonly vat: string
  readonly currency_id: number | null
  readonly currency_title: string | null
  readonly currency_value: string | null
  readonly net_days: number
  readonly hold_days: number
  readonly minimum: string
  readonly method: BillingAnswer['method']
  readonly negative_rs: BillingAnswer['negative_rs']
  readonly details: Buffer | null
  readonly proposed: Row | null
  readonly proposed_details: Buffer | null
  readonly proposed_at: Date | null
  readonly proposed_by_id: number | null
  readonly proposed_by: string | null
  readonly version: number
}

const NONE = { legal_name: null, tax_id: null, vat: '0.0000', net_days: 30, hold_days: 14, minimum: '0.0000' } as const

async function findBilling(db: Db, partner: number): Promise<Stored | undefined> {
  const { rows } =
    await sql<Stored>`select b.*, c.title as currency_title, c.value as currency_value, u.full_name as proposed_by from partner_billing b
    left join currency c on c.id = b.currency_id left join "user" u on u.id = b.proposed_by_id
    where b.partner_id = ${partner}`.execute(db)
  return rows[0]
}

/** Returns the partner if the caller sees it. Throws `not_found`. */
async function findPartner(context: RequestContext, text: string): Promise<{ id: number; title: string }> {
  const row = await readEntity(context, partnerEntity, readRowId(text), { detailed: false })
  return { id: Number(row.id), title: String(row.title) }
}

const open = (context: RequestContext, partner: number, sealed: Buffer | null): string | null =>
  openDetails(context.engines.config.secret, partner, sealed)
const close = (context: RequestContext, partner: number, text: string | null): Buffer | null =>
  sealDetails(context.engines.config.secret, partner, text)

async function answerBilling(context: RequestContext, partner: { id: number; title: string }): Promise<BillingAnswer> {
  const row = await findBilling(context.engines.postgres.db, partner.id)
  if (row === undefined)
    return {
      partner,
      ...NONE,
      currency: null,
      method: 'bank_transfer',
      negative_rs: 'carry',
      details: null,
      version: 0,
      proposed: null,
    }
  const { legal_name, tax_id, vat, net_days, hold_days, minimum, method, negative_rs, version } = row
  const masked = (sealed: Buffer | null) => maskDetails(open(context, partner.id, sealed))
  return {
    partner,
    ...{ legal_name, tax_id, vat, net_days, hold_days, minimum, method, negative_rs, version },
    currency:
      row.currency_id === null
        ? null
        : { id: row.currency_id, title: row.currency_title ?? '', value: row.currency_value ?? '' },
    details: masked(row.details),
    proposed:
      row.proposed_at === null
        ? null
        : {
            ...row.proposed,
            ...(row.proposed !== null && 'details' in row.proposed && { details: masked(row.proposed_details) }),
            at: row.proposed_at.toISOString(),
            by:
              context.holder.role === 'PARTNER' || row.proposed_by_id === null
                ? null
                : { id: row.proposed_by_id, title: row.proposed_by ?? '' },
          },
  }
}

export const readBilling: Handler<Calls['partner_billing_read']> = async ({ context, params }) =>
  answerBilling(context, await findPartner(context, params.id))

/** Locks the partner's row, so that two first changes do not both insert. Throws `stale`. */
async function lockBilling(db: Db, partner: number, version: number | undefined): Promise<Stored | undefined> {
  await sql`select from partner where id = ${partner} for update`.execute(db)
  const row = await findBilling(db, partner)
  if (version !== undefined && version !== (row?.version ?? 0)) throw new AppError('stale')
  return row
}

/** Returns the id of the row, which is created if it is missing. Sealed details are written beside the audited fields. */
async function store(
  db: Db,
  context: RequestContext,
  partner: number,
  row: Stored | undefined,
  values: Row,
): Promise<number> {
  if (row !== undefined) {
    await updateAudited(db, context, billing, row.id, values)
    return row.id
  }
  return insertAudited(db, context, billing, {
    ...NONE,
    method: 'bank_transfer',
    negative_rs: 'carry',
    ...values,
    partner,
  })
}

export const writeBilling: Handler<Calls['partner_billing_write']> = async (input, services) => {
  const { context, params, body } = input
  const partner = await findPartner(context, params.id)
  const { current_password, version, details: given, ...named } = body
  // An emptied field has no value.
  const fields: Row = Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, value === '' ? null : value]),
  )
  const details = given === '' ? null : given
  const isOwn = context.holder.role === 'PARTNER'
  if (isOwn) rejectStaffFields(fields)
  await reauthenticate(services.postgres.db, authService.of(services).attempts, input, current_password)
  await changeRecord(context, isOwn ? 'propose billing' : 'change billing', async (db) => {
    const row = await lockBilling(db, partner.id, version)
    await (isOwn ? propose : change)(db, context, partner.id, row, fields, details)
  })
  return answerBilling(context, partner)
}

function rejectStaffFields(fields: Row): void {
  const named = BILLING_STAFF_FIELDS.filter((name) => fields[name] !== undefined)
  const issues: IssueTree = Object.fromEntries(named.map((name) => [name, [{ key: 'read_only' as const }]]))
  if (named.length > 0) throw new AppError('invalid', { issues })
}

type Write = (
  db: Db,
  context: RequestContext,
  partner: number,
  row: Stored | undefined,
  fields: Row,
  details: string | null | undefined,
) => Promise<void>

const now = (): string => new Date().toISOString()

const change: Write = async (db, context, partner, row, fields, details) => {
  const values = { ...fields, ...(details !== undefined && { details_changed_at: now() }) }
  const id = await store(db, context, partner, row, values)
  if (details !== undefined)
    await sql`update partner_billing set details = ${close(context, partner, details)} where id = ${id}`.execute(db)
  if (typeof fields.currency === 'number') await changeCurrency(db, partner, fields.currency)
}

/** The first currency holds for all months; a new one from the first month that is not closed for the partner. */
async function changeCurrency(db: Db, partner: number, currency: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('period_close'))`.execute(db)
  await sql`with open as (select coalesce(to_char((max(month) || '-01')::date + interval '1 month', 'YYYY-MM'), '0001-01') as month
      from period_close_partner where partner_id = ${partner} and reopened_at is null
        and exists (select from partner_billing_currency where partner_id = ${partner})),
    later as (delete from partner_billing_currency where partner_id = ${partner} and month > (select month from open))
    insert into partner_billing_currency (partner_id, month, currency_id) select ${partner}, month, ${currency} from open
    on conflict (partner_id, month) do update set currency_id = excluded.currency_id`.execute(db)
}

const propose: Write = async (db, context, partner, row, fields, details) => {
  const id = await store(db, context, partner, row, { proposed_by: context.userId, proposed_at: now() })
  const proposed = { ...row?.proposed, ...fields, ...(details !== undefined && { details: true }) }
  await sql`update partner_billing set proposed = ${JSON.stringify(proposed)}::jsonb where id = ${id}`.execute(db)
  if (details !== undefined)
    await sql`update partner_billing set proposed_details = ${close(context, partner, details)} where id = ${id}`.execute(
      db,
    )
}

export const confirmBilling: Handler<Calls['partner_billing_confirm']> = async (input, services) => {
  const { context, params, body } = input
  if (context.holder.role === 'PARTNER') throw new AppError('not_found')
  const partner = await findPartner(context, params.id)
  await reauthenticate(services.postgres.db, authService.of(services).attempts, input, body.current_password)
  await changeRecord(context, body.accept ? 'confirm billing' : 'decline billing', async (db) => {
    const row = await lockBilling(db, partner.id, body.version)
    if (row === undefined || row.proposed_at === null)
      throw new AppError('conflict', { issues: { proposed: [{ key: 'billing_not_proposed' }] } })
    const { details, ...fields } = row.proposed ?? {}
    const accepted = body.accept ? { ...fields, ...(details === true && { details_changed_at: now() }) } : {}
    await updateAudited(db, context, billing, row.id, { ...accepted, proposed_by: null, proposed_at: null })
    await sql`update partner_billing set proposed = null, proposed_details = null,
      details = ${body.accept && details === true ? row.proposed_details : row.details} where id = ${row.id}`.execute(
      db,
    )
  })
  return answerBilling(context, partner)
}

export const revealBilling: Handler<Calls['partner_billing_reveal']> = async (input, services) => {
  const { context, params, body, person, ip, userAgent, requestId } = input
  if (context.holder.role === 'PARTNER') throw new AppError('not_found')
  const partner = await findPartner(context, params.id)
  await reauthenticate(services.postgres.db, authService.of(services).attempts, input, body.current_password)
  const row = await findBilling(services.postgres.db, partner.id)
  const event = { cause: 'payment details were shown', subject: person.id, ip, userAgent, requestId }
  await logSecurityEvent(services.postgres.db, { ...event, record: { entity: 'partner', id: partner.id } })
  return {
    details: open(context, partner.id, row?.details ?? null),
    proposed_details: open(context, partner.id, row?.proposed_details ?? null),
  }
}
