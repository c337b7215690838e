// Handlers that change states of budgets, copy the previous month's plan, and serve budgets under the path of their report.

import type { Calls } from '@tributary/contract/calls/registry'
import type { BudgetState } from '@tributary/contract/entities/budget'
import { addDays } from '@tributary/contract/period'
import type { MessageKey } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { readListQuery } from '../entities/engine/list/params.ts'
import { entityNamed, type Row, readRowId } from '../entities/engine/model/model.ts'
import type { Db, RequestContext } from '../entities/engine/model/request-context.ts'
import { insertAudited, updateAudited } from '../entities/engine/save/write.ts'
import { changeRecord, listEntity, readEntity, removeEntity, updateEntity } from '../entities/engine/store.ts'
import { rejectMonthsClosedForAll } from '../entities/rules/closed-period.ts'
import { AppError } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

const budget = entityNamed('budget')
const partnerBudget = entityNamed('partner_budget')

interface StateChange {
  readonly from: BudgetState
  readonly rejection: MessageKey
  readonly values: Row
}

/** Changes all budgets if each is in the state `from`, otherwise none. Throws `not_found` or `conflict`. */
async function changeStates(
  db: Db,
  context: RequestContext,
  requested: readonly number[],
  change: StateChange,
): Promise<{ changed: number }> {
  if (context.partners !== null) throw new AppError('not_found')
  const ids = [...new Set(requested)]
  const { rows } = await sql<{ id: number; state: BudgetState; month: string }>`
    select id, state, to_char(month, 'YYYY-MM') as month from budget where id = any(${ids}::int[]) order by id for update`.execute(
    db,
  )
  if (rows.length < ids.length) throw new AppError('not_found')
  await rejectMonthsClosedForAll(db, context, [...new Set(rows.map(({ month }) => month))])
  if (rows.some(({ state }) => state !== change.from))
    throw new AppError('conflict', { issues: { state: [{ key: change.rejection }] } })
  for (const { id } of rows) await updateAudited(db, context, budget, id, change.values)
  return { changed: rows.length }
}

export const proposeBudgets: Handler<Calls['budget_propose']> = ({ context, body }) => {
  const change = { from: 'draft', rejection: 'budget_not_draft', values: { state: 'proposed' } } as const
  return changeRecord(context, 'propose budgets', (db) => changeStates(db, context, body.ids, change))
}

export const withdrawBudgets: Handler<Calls['budget_withdraw']> = ({ context, body }) => {
  const change = { from: 'proposed', rejection: 'budget_not_proposed', values: { state: 'draft' } } as const
  return changeRecord(context, 'withdraw budgets', (db) => changeStates(db, context, body.ids, change))
}

export const approveBudgets: Handler<Calls['budget_approve']> = ({ context, body, person }) => {
  const values = { state: 'approved', approved_by: person.id, approved_at: new Date().toISOString() }
  const change: StateChange = { from: 'proposed', rejection: 'budget_not_proposed', values }
  return changeRecord(context, 'approve budgets', (db) => changeStates(db, context, body.ids, change))
}

interface CopiedRow {
  readonly advertiser: number
  readonly country: number
  readonly planned: string
  readonly currency: number | null
  readonly is_taken: boolean
}

export const copyBudgets: Handler<Calls['budget_copy']> = ({ context, body }) => {
  const month = `${body.month}-01`
  const previous = `${addDays(month, -1).slice(0, 7)}-01`
  const factor = sql`(100 + ${body.percent}::numeric) / 100`
  const columns = sql`p.advertiser_id as advertiser, p.country_id as country, round(p.planned * ${factor}, 2) as planned,
    p.currency_id as currency`
  return changeRecord(context, 'copy budgets', async (db) => {
    // Cells that others fill at the same time are kept as well.
    await sql`lock table budget, partner_budget in share row exclusive mode`.execute(db)
    await rejectMonthsClosedForAll(db, context, [body.month])
    let created = 0
    const kept = new Set<string>()
    const cellOf = ({ advertiser, country }: Row): string => `${String(advertiser)} ${String(country)}`
    if (context.partners === null) {
      const { rows } =
        await sql<CopiedRow>`select ${columns}, exists (select from budget n where n.month = ${month}::date
          and n.advertiser_id = p.advertiser_id and n.country_id = p.country_id) as is_taken
        from budget p where p.month = ${previous}::date and p.active order by p.id`.execute(db)
      for (const { is_taken, ...row } of rows) {
        if (is_taken) kept.add(cellOf(row))
        else {
          await insertAudited(db, context, budget, { ...row, month, active: true })
          created++
        }
      }
    }
    const { rows } = await sql<CopiedRow & { partner: number }>`select p.partner_id as partner, ${columns},
        exists (select from partner_budget n where n.month = ${month}::date and n.partner_id = p.partner_id
          and n.advertiser_id = p.advertiser_id and n.country_id = p.country_id) as is_taken
      from partner_budget p where p.month = ${previous}::date and p.active
        and not exists (select from period_close_partner k where k.month = ${body.month} and k.partner_id = p.partner_id
          and k.reopened_at is null)
        and (${context.partners}::int[] is null or p.partner_id = any(${context.partners}::int[])) order by p.id`.execute(
      db,
    )
    // The parts of a plan that stays are its own.
    for (const { is_taken, ...row } of rows)
      if (!is_taken && !kept.has(cellOf(row))) {
        await insertAudited(db, context, partnerBudget, { ...row, month, active: true })
        if (context.partners !== null) created++
      } else if (context.partners !== null) kept.add(cellOf(row))
    return { created, kept: kept.size }
  })
}

/** Rebuilds the query string that the framework has parsed. */
function paramsOf(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one))
  return params
}

export const listBudgets: Handler<Calls['budget_report_list']> = async (input) => ({
  ...(await listEntity(input.context, budget, readListQuery(paramsOf(input.query)), { detailed: false })),
})

export const readBudget: Handler<Calls['budget_report_read']> = (input) =>
  readEntity(input.context, budget, readRowId(input.params.id), { detailed: false })

export const updateBudget: Handler<Calls['budget_report_update']> = (input) =>
  updateEntity(input.context, budget, readRowId(input.params.id), input.body, { detailed: false })

export const patchBudget: Handler<Calls['budget_report_patch']> = (input) =>
  updateEntity(input.context, budget, readRowId(input.params.id), input.body, { detailed: false })

export const removeBudget: Handler<Calls['budget_report_remove']> = async (input) => {
  await removeEntity(input.context, budget, readRowId(input.params.id))
  return undefined
}
