// Handlers that check, close and reopen months, and start the true-up.

import { CLOSE_CHECKS, type CloseCheck } from '@tributary/contract/calls/period-close'
import type { Calls } from '@tributary/contract/calls/registry'
import { lastDayOf } from '@tributary/contract/period'
import { sql } from 'kysely'
import { listAddress } from '../alerts/list-address.ts'
import { entityNamed, readRowId } from '../entities/engine/model/model.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import { readEntity } from '../entities/engine/store.ts'
import { rejectEarlyMonth } from '../entities/rules/earliest-month.ts'
import { waitForFacts } from '../facts/catch-up.ts'
import { trueUpLedger } from '../jobs/true-up-ledger.ts'
import { invalidField } from '../lib/app-error.ts'
import { nameRecords, readCauseChanges, readCauses } from '../money/cause-changes.ts'
import { readFactChanges } from '../money/changed-facts.ts'
import { isBlocking, readChecklist } from '../money/checklist.ts'
import { closeMonth, readCloseSize, readPartnersOf, reopenMonth } from '../money/close.ts'
import { readClosePreview } from '../money/close-preview.ts'
import { readCauseRange } from '../money/ledger-store.ts'
import type { Handler } from './handler.ts'

/** How long the checklist waits for facts of changes made just before. */
const FACTS_WAIT_MS = 3000

export const checkPeriodClose: Handler<Calls['period_close_checklist']> = async ({ query, context }) => {
  const { month, partner_group: group = null } = query
  await rejectUnknownGroup(context.engines.postgres.db, group)
  await rejectEarlyMonth(context.engines.postgres.db, month)
  const isCurrent = await waitForFacts(context.engines, FACTS_WAIT_MS)
  const all = await readPartnersOf(context.engines.postgres.db, month, group)
  const visible = context.partners === null ? null : new Set(context.partners)
  const seen = all.filter(({ id }) => visible === null || visible.has(id))
  const partners = seen.flatMap(({ id, is_closed }) => (is_closed ? [] : [id]))
  const everyone = seen.map(({ id }) => id)
  const { counts, unconfirmed, rates, ...found } = await readChecklist(context, month, { partners, everyone })
  if (!isCurrent) counts.facts_rebuilding += 1
  const isAdmin = context.holder.role === 'ADMIN'
  const shownFor = (code: CloseCheck): readonly number[] | null => {
    const counted = isBlocking(code) ? partners : everyone
    return group === null && visible === null && counted.length === all.length ? null : counted
  }
  return {
    month,
    partners: partners.length,
    ...(await readClosePreview(context.engines, month, { partners, everyone })),
    items: CLOSE_CHECKS.map((code) => ({
      code,
      count: counts[code],
      blocks: isBlocking(code),
      link: linkOf(code, {
        month,
        group,
        partners: shownFor(code),
        isAdmin,
        rates: rates.map(({ currency }) => currency.id),
        ...found,
      }),
    })),
    unconfirmed,
    missing_rates: rates,
  }
}

interface Shown {
  readonly month: string
  readonly group: number | null
  /** Null: all. */
  readonly partners: readonly number[] | null
  /** Ids of spends that belong to no agency offer. */
  readonly unallocated: readonly number[]
  /** Null: all offers. */
  readonly unresolvedOffers: readonly number[] | null
  /** Partners whose billing currency has no rate. */
  readonly unrated: readonly number[]
  /** Currencies of amounts that have no rate. */
  readonly rates: readonly number[]
  /** Settings are for admins. */
  readonly isAdmin: boolean
}

/** Address of a screen that lists exactly what a check counts; for rates, of the screen on which they are entered. */
function linkOf(code: CloseCheck, shown: Shown): string | null {
  const { month, group, partners, unallocated, unresolvedOffers, unrated, rates, isAdmin } = shown
  const oneOf = (path: string, ids: readonly number[] | null) =>
    ids === null ? {} : { [`[${path}][in]`]: ids.join('|') }
  const within = (path: string) => ({ [`[${path}][bwn]`]: `${month}-01|${lastDayOf(month)}` })
  switch (code) {
    case 'rate_missing':
      return rates.length === 0 ? '/currencies' : listAddress('currency', oneOf('id', rates))
    case 'billing_rate_missing':
      return listAddress('partner', oneOf('id', unrated))
    case 'claims_open':
      return listAddress('partner_spend', {
        '[active]': '1',
        ...within('date'),
        '[state][in]': 'claimed|disputed',
        ...oneOf('stream.partner', partners),
      })
    case 'spends_missing': {
      // The queue beside the table lists the days.
      const one = partners?.length === 1 ? `&partner=${partners[0]}` : group === null ? '' : `&group=${group}`
      return `/partners-spends?view=table&month=${month}${one}`
    }
    case 'spend_unallocated':
      return listAddress('partner_spend', oneOf('id', unallocated))
    case 'players_unresolved':
      return listAddress('player', {
        '[active]': '1',
        ...within('qualified_at'),
        '[qualification][in]': 'qualified',
        '[payment_resolution][nin]': 'approved|not_approved',
        ...oneOf('offer', unresolvedOffers),
        ...oneOf('partner', partners),
      })
    case 'issuer_missing':
      return isAdmin ? '/settings' : null
    case 'month_not_over':
    case 'facts_rebuilding':
    case 'advertisers_unconfirmed':
      return null
  }
}

async function rejectUnknownGroup(db: Db, group: number | null): Promise<void> {
  if (group === null) return
  const { rows } = await sql`select from partner_group where id = ${group}`.execute(db)
  if (rows.length === 0) throw invalidField('partner_group', 'partner_group_unknown')
}

export const createPeriodClose: Handler<Calls['period_close_create']> = async ({ body, context }) => {
  const { month, partner_group: group = null } = body
  const { db } = context.engines.postgres
  await rejectEarlyMonth(db, month)
  await rejectUnknownGroup(db, group)
  const id = await closeMonth(context, { month, group })
  return { id, ...(await readCloseSize(context.engines.postgres.db, id)) }
}

export const reopenPeriodClose: Handler<Calls['period_close_reopen']> = async ({ params, body, context }) => {
  await reopenMonth(context, params.id, { reason: body.reason, partner: body.partner ?? null })
  return readEntity(context, entityNamed('period_close'), params.id, { detailed: false })
}

export const startTrueUp: Handler<Calls['ledger_entry_true_up']> = async (_input, services) => ({
  job: await services.jobs.enqueueSingle(trueUpLedger, {}),
})

export const readEntryChanges: Handler<Calls['ledger_entry_changes']> = async ({ params, context }) => {
  const entry = await readEntity(context, entityNamed('ledger_entry'), readRowId(params.id), { detailed: false })
  const { db } = context.engines.postgres
  const causes = await readCauses(db, Number(entry.id))
  const range = await readCauseRange(db, Number(entry.id))
  return {
    causes: await readCauseChanges(context, causes, range),
    records: await nameRecords(db, context, causes),
    ...(await readFactChanges(context, causes, range)),
  }
}
