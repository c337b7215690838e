// Handlers that check, close and reopen months, and start the true-up.

import { CLOSE_CHECKS, type CloseCheck } from '@tributary/contract/calls/period-close'
import type { Calls } from '@tributary/contract/calls/registry'
import { lastDayOf } from '@tributary/contract/period'
import { entityNamed } from '../entities/engine/model/model.ts'
import { readEntity } from '../entities/engine/store.ts'
import { waitForFacts } from '../facts/catch-up.ts'
import { trueUpLedger } from '../jobs/true-up-ledger.ts'
import { isBlocking, readChecklist } from '../money/checklist.ts'
import { closeMonth, readCloseSize, readPartnersOf, reopenMonth } from '../money/close.ts'
import type { Handler } from './handler.ts'

/** How long the checklist waits for facts of changes made just before. */
const FACTS_WAIT_MS = 3000

export const checkPeriodClose: Handler<Calls['period_close_checklist']> = async ({ query, context }) => {
  const { month, partner_group: group = null } = query
  const isCurrent = await waitForFacts(context.engines, FACTS_WAIT_MS)
  const all = await readPartnersOf(context.engines.postgres.db, month, group)
  const visible = context.partners === null ? null : new Set(context.partners)
  const seen = all.filter(({ id }) => visible === null || visible.has(id))
  const partners = seen.flatMap(({ id, is_closed }) => (is_closed ? [] : [id]))
  const everyone = seen.map(({ id }) => id)
  const { counts, unconfirmed, unallocated } = await readChecklist(context, month, { partners, everyone })
  if (!isCurrent) counts.facts_rebuilding += 1
  const isEveryone = group === null && visible === null
  const shownFor = (code: CloseCheck) => (isEveryone ? null : isBlocking(code) ? partners : everyone)
  return {
    month,
    partners: partners.length,
    items: CLOSE_CHECKS.map((code) => ({
      code,
      count: counts[code],
      blocks: isBlocking(code),
      link: linkOf(code, { month, partners: shownFor(code), unallocated }),
    })),
    unconfirmed,
  }
}

interface Shown {
  readonly month: string
  /** Null: all. */
  readonly partners: readonly number[] | null
  /** Ids of spends that belong to no agency offer. */
  readonly unallocated: readonly number[]
}

/** Address of a screen that lists what a check counts. */
function linkOf(code: CloseCheck, { month, partners, unallocated }: Shown): string | null {
  const within = (path: string): string => `filter[${path}][gte]=${month}-01&filter[${path}][lte]=${lastDayOf(month)}`
  const of = (path: string): string => (partners ?? []).map((id) => `&filter[${path}][in][]=${id}`).join('')
  switch (code) {
    case 'rate_missing':
      return '/currencies'
    case 'claims_open':
      return `/partners-spends?${within('date')}&filter[state][in][]=claimed&filter[state][in][]=disputed${of('stream.partner')}`
    case 'spends_missing':
      // The queue beside the table lists the days.
      return `/partners-spends?view=table&month=${month}${partners?.length === 1 ? `&partner=${partners[0]}` : ''}`
    case 'spend_unallocated':
      return `/partners-spends?filter[id][in]=${unallocated.join('|')}`
    case 'players_unresolved':
      return `/players?${within('qualified_at')}&filter[payment_resolution][null]=1${of('partner')}`
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
  return readEntity(context, entityNamed('period_close'), params.id, { detailed: false })
}

export const startTrueUp: Handler<Calls['ledger_entry_true_up']> = async (_input, services) => ({
  job: String(await services.jobs.enqueue(trueUpLedger, {})),
})
