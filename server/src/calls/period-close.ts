// Handlers that check, close and reopen months, and start the true-up.

import { CLOSE_CHECKS, type CloseCheck } from '@tributary/contract/calls/period-close'
import type { Calls } from '@tributary/contract/calls/registry'
import { lastDayOf } from '@tributary/contract/period'
import { trueUpLedger } from '../jobs/true-up-ledger.ts'
import { isBlocking, readChecklist } from '../money/checklist.ts'
import { closeMonth, readCloseSize, readOpenPartners, reopenMonth } from '../money/close.ts'
import type { Handler } from './handler.ts'

export const checkPeriodClose: Handler<Calls['period_close_checklist']> = async ({ query, context }) => {
  const { db } = context.engines.postgres
  const partners = await readOpenPartners(db, query.month, query.partner_group ?? null)
  const { counts, unconfirmed } = await readChecklist(context, query.month, partners)
  return {
    month: query.month,
    partners: partners.length,
    items: CLOSE_CHECKS.map((code) => ({
      code,
      count: counts[code],
      blocks: isBlocking(code),
      link: linkOf(code, query.month),
    })),
    unconfirmed,
  }
}

/** Address of a screen that lists what a check counts. */
function linkOf(code: CloseCheck, month: string): string | null {
  const within = (path: string): string => `filter[${path}][gte]=${month}-01&filter[${path}][lte]=${lastDayOf(month)}`
  switch (code) {
    case 'rate_missing':
      return '/currencies'
    case 'claims_open':
      return `/partners-spends?${within('date')}&filter[state][in][]=claimed&filter[state][in][]=disputed`
    case 'spends_missing':
    case 'spend_unallocated':
      return `/partners-spends?${within('date')}`
    case 'players_unresolved':
      return `/players?${within('qualified_at')}&filter[payment_resolution][null]=1`
    case 'month_not_over':
    case 'facts_rebuilding':
    case 'advertisers_unconfirmed':
      return null
  }
}

export const createPeriodClose: Handler<Calls['period_close_create']> = async ({ body, context }) => {
  const id = await closeMonth(context, { month: body.month, group: body.partner_group ?? null })
  return { id, ...(await readCloseSize(context.engines.postgres.db, id)) }
}

export const reopenPeriodClose: Handler<Calls['period_close_reopen']> = async ({ params, body, context }) => {
  await reopenMonth(context, params.id, { reason: body.reason, partner: body.partner ?? null })
  return undefined
}

export const startTrueUp: Handler<Calls['ledger_entry_true_up']> = async (_input, services) => ({
  job: String(await services.jobs.enqueue(trueUpLedger, {})),
})
