// Makes a year of budgets and those of the next month: past months are approved, this month partly, the next one is drafted. Past months are
// planned from actual spend, so that some plans are exceeded and some spend has no plan; this month also from the spend of the month before.

import { addDays } from '@tributary/contract/period'
import { type BudgetGroup, budgetRequest } from '@tributary/contract/reports/budget'
import { answerBudget } from '../server/src/reports/kinds/budget.ts'
import type { Services } from '../server/src/services.ts'
import type { Random } from './random.ts'
import { insert } from './rows.ts'

const MONTHS_BACK = 11

interface Planned {
  advertiser_id: number
  country_id: number
  month: string
  planned: number
  currency_id: number
  state: 'draft' | 'proposed' | 'approved'
  approved_by_id: number | null
  approved_at: string | null
}

interface Part extends Omit<Planned, 'state' | 'approved_by_id' | 'approved_at'> {
  partner_id: number
}

/** What was spent of a month on an advertiser in a country. */
export interface SpentCell extends Pick<BudgetGroup, 'partners'> {
  readonly advertiser_id: number
  readonly country_id: number
  /** In the reports' currency. */
  readonly actual: number
}

interface Directory {
  readonly admin: number
  readonly euro: number
  readonly dollar: number
}

/** `today`: the business day. Facts must be there: plans follow what was spent. */
export async function writeBudgets(services: Services, today: string, random: Random): Promise<void> {
  const directory = await readDirectory(services)
  const [plans, parts]: [Planned[], Part[]] = [[], []]
  let before: readonly SpentCell[] = []
  for (const month of monthsAround(today)) {
    const spent = await readSpent(month, services)
    const isCurrent = month.slice(0, 7) === today.slice(0, 7)
    for (const { advertiser_id, country_id, actual, partners } of isCurrent ? joinLarger(spent, before) : spent) {
      // Leaves some spend without a plan.
      if (actual < 50 || random.chance(0.06)) continue
      const planned = roundUp(actual * (0.85 + 0.4 * random.next()))
      const cell = { advertiser_id, country_id, month, planned, currency_id: directory.euro }
      plans.push({
        ...cell,
        ...stateOf(month, today, directory, plans.length),
        ...inDollars(cell, advertiser_id, directory),
      })
      if (isCurrent) parts.push(...partsOf(cell, partners, random))
    }
    before = spent
  }
  plans.push(...nextMonth(plans, today, random))
  await services.postgres.withClient(async (client) => {
    const ids = await insert(
      client,
      'budget',
      plans.map((plan) => ({ ...plan })),
    )
    await insert(
      client,
      'partner_budget',
      parts.map((part) => ({ ...part })),
    )
    const changed = plans.flatMap((plan, place) =>
      plan.state === 'approved' && place % 40 === 7 ? [{ plan, id: ids[place] }] : [],
    )
    await insert(
      client,
      'budget_version',
      changed.map(({ plan, id }) => ({
        budget_id: id,
        user_id: directory.admin,
        reason: 'The advertiser raised the cap',
        planned_before: roundUp(plan.planned * 0.8),
        currency_before_id: plan.currency_id,
        active_before: true,
        planned: plan.planned,
        currency_id: plan.currency_id,
        approved_by_id: directory.admin,
        approved_at: plan.approved_at,
        created_at: `${addDays(plan.month, 8)}T09:30:00Z`,
      })),
    )
  })
}

async function readDirectory({ postgres }: Services): Promise<Directory> {
  const { rows } = await postgres.pool.query<Directory>(
    `select (select u.id from "user" u join user_role r on r.id = u.role_id where r.kind = 'ADMIN' order by u.id limit 1) as admin,
      (select id from currency where value = 'EUR' order by id limit 1) as euro,
      (select coalesce((select id from currency where value = 'USD' order by id limit 1),
        (select id from currency where value = 'EUR' order by id limit 1))) as dollar`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the demo network has no currencies')
  return row
}

/** First days, the oldest first; the last one is this month's. */
function monthsAround(today: string): string[] {
  const months = [`${today.slice(0, 7)}-01`]
  for (let back = 0; back < MONTHS_BACK; back++) months.unshift(`${addDays(months[0] ?? today, -1).slice(0, 7)}-01`)
  return months
}

async function readSpent(month: string, services: Services): Promise<SpentCell[]> {
  const request = budgetRequest.parse({ month: month.slice(0, 7) })
  const { rows } = await answerBudget(request, { role: 'ADMIN', partners: null, language: 'en' }, services)
  return rows.flatMap(({ advertiser_id, groups }) =>
    groups.flatMap(({ country_id, actual_budget, partners }) =>
      advertiser_id === 0 || country_id === 0
        ? []
        : [{ advertiser_id, country_id, actual: Number(actual_budget), partners }],
    ),
  )
}

/** The cells of both months, each with its larger spend: on its first days a month has little spend of its own. */
export function joinLarger(spent: readonly SpentCell[], before: readonly SpentCell[]): SpentCell[] {
  const cells = new Map<string, SpentCell>()
  for (const cell of [...before, ...spent]) {
    const key = `${cell.advertiser_id} ${cell.country_id}`
    const other = cells.get(key)
    if (other === undefined || other.actual < cell.actual) cells.set(key, cell)
  }
  return [...cells.values()]
}

const roundUp = (amount: number): number => Math.max(50, Math.ceil(amount / 50) * 50)

function stateOf(month: string, today: string, { admin }: Directory, place: number) {
  const isOver = month < `${today.slice(0, 7)}-01`
  const state = isOver || place % 5 < 3 ? 'approved' : place % 5 === 3 ? 'proposed' : 'draft'
  const isApproved = state === 'approved'
  return {
    state,
    approved_by_id: isApproved ? admin : null,
    approved_at: isApproved ? `${addDays(month, -3)}T15:00:00Z` : null,
  } as const
}

/** One advertiser in five plans in dollars. */
const inDollars = ({ planned }: { planned: number }, advertiser: number, { dollar, euro }: Directory) =>
  advertiser % 5 === 0 && dollar !== euro ? { currency_id: dollar, planned: roundUp(planned * 1.1) } : {}

/** Parts of the largest partners; in some cells they come to more than the plan. */
function partsOf(cell: Omit<Part, 'partner_id'>, partners: SpentCell['partners'], random: Random): Part[] {
  const share = random.chance(0.1) ? 0.6 : 0.4
  return partners
    .slice(0, 2)
    .flatMap(({ partner }) =>
      Number(partner.id) === 0
        ? []
        : [{ ...cell, partner_id: Number(partner.id), planned: Math.floor(cell.planned * share) }],
    )
}

function nextMonth(plans: readonly Planned[], today: string, random: Random): Planned[] {
  const current = `${today.slice(0, 7)}-01`
  const month = `${addDays(current, 31).slice(0, 7)}-01`
  return plans
    .filter((plan) => plan.month === current)
    .map((plan) => ({
      ...plan,
      month,
      planned: roundUp(plan.planned * 1.05),
      state: random.chance(0.3) ? 'proposed' : 'draft',
      approved_by_id: null,
      approved_at: null,
    }))
}
