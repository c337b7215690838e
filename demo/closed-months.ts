// Closes the past months of the demo, and makes statements, payments, a dispute, true-ups and carry-overs of them, by the product's own writers.
// Afterwards closes and statements are dated as if each month had been closed on time.
import { monthAfter } from '@tributary/contract/period'
import { entityNamed } from '../server/src/entities/engine/model/model.ts'
import type { RequestContext } from '../server/src/entities/engine/model/request-context.ts'
import { insertAudited } from '../server/src/entities/engine/save/write.ts'
import { changeRecord } from '../server/src/entities/engine/store.ts'
import { ignore } from '../server/src/lib/promises.ts'
import { closeMonth, closeMonths as closeTogether } from '../server/src/money/close.ts'
import type { Services } from '../server/src/services.ts'
import {
  approvePlayers,
  type Earner,
  raiseMinimum,
  readCurrencies,
  readEarned,
  readEarners,
  writeBilling,
} from './billing.ts'
import { correctReport, correctSpend, followChanges, rejectPlayers } from './late-changes.ts'
import { at } from './rows.ts'
import { keepFiles } from './statement-files.ts'
import { dateDocuments, type Made, type Plan, Statements, sendPaid } from './statements.ts'

/** Partners whose statements are made before their first files are drawn. */
const PARTNERS_AT_ONCE = 10
/** Places among the partners, the largest first. */
const DISPUTED = 4
const NEGATIVE = 12

/** The first and the last day of the past. */
interface Past {
  readonly first: string
  readonly today: string
}

/** A record that has closes is left as it is. Facts must be there. */
export async function closeMonths(services: Services, past: Past): Promise<void> {
  const { rows: closes } = await services.postgres.pool.query('select from period_close limit 1')
  if (closes.length > 0) return
  const directory = await readDirectory(services)
  const context: RequestContext = {
    userId: directory.admin,
    holder: { role: 'ADMIN', permissions: ['FULL_ACCESS'] },
    requestId: 'demo',
    partners: null,
    scopeOf: () => undefined,
    engines: services,
  }
  const months = pastMonths(past)
  const [last, previous, earlier] = [-1, -2, -3].map((back) => at(months, months.length + back)) as [
    string,
    string,
    string,
  ]
  await closeTogether(context, months.slice(0, -2), null)
  await correctReport(services, context, earlier, 0)
  await followChanges(services)
  await closeMonth(context, { month: previous, group: null })
  const largest = await readEarners(services, previous)
  await writeBilling(services, largest)
  await approvePlayers(services, largest, last)
  const negative = at(largest, Math.min(NEGATIVE, largest.length - 1))
  await writeAdjustments(services, context, at(largest, 0), negative, previous)
  const statements = new Statements(services, context, directory.leader)
  const first = at(largest, 0).id
  await confirmMonths(context, months)
  const files = new Files(services, ({ partner, month }) => partner === first || month >= previous)
  await makeStatements(statements, files, planAll(largest, months.slice(0, -1)))

  await rejectPlayers(context, previous)
  await correctSpend(context, earlier)
  await followChanges(services)
  await closeMonth(context, { month: last, group: null })
  const earners = await readEarners(services, last)
  await raiseMinimum(services, earners)
  const disputed = at(largest, Math.min(DISPUTED, largest.length - 1)).id
  const openly = earners.map(({ id }) => id).filter((id) => id !== first && id !== disputed)
  const drafts = new Set(openly.filter((_, place) => place % 4 === 3))
  const plans = planAll(earners, [last]).map((plan) => ({ ...plan, approves: !drafts.has(plan.partner) }))
  await makeStatements(statements, files, plans)
  await dateCloses(services)
  const early = openly.filter((_, place) => place % 4 === 1)
  await statements.pay(past.today, last, new Map(early.map((id, place) => [id, place % 3 === 2 ? 1 : 0.4])))
  await nameProjects(services)
  await sendPaid(services)
  await dateDocuments(services)
  await statements.dispute(disputed)
  await statements.sendToCrm(first, last)
  // What comes after the last close is booked in the current month.
  await correctReport(services, context, last, 1)
  await followChanges(services)
  await files.finish()
}

const planAll = (earners: readonly Earner[], months: readonly string[]): Plan[] =>
  earners.map(({ id }) => ({ partner: id, months, approves: true }))

async function makeStatements(statements: Statements, files: Files, plans: readonly Plan[]): Promise<void> {
  for (let from = 0; from < plans.length; from += PARTNERS_AT_ONCE)
    files.draw(await statements.makeAll(plans.slice(from, from + PARTNERS_AT_ONCE)))
}

/** Files are drawn in a thread of their own while further statements are made. */
class Files {
  readonly #services: Services
  readonly #isNeeded: (made: Made) => boolean
  #drawing: Promise<unknown> = Promise.resolve()

  /** Others than the needed files are drawn when the server is ready. */
  constructor(services: Services, isNeeded: (made: Made) => boolean) {
    this.#services = services
    this.#isNeeded = isNeeded
  }

  draw(made: readonly Made[]): void {
    const ids = made.filter(this.#isNeeded).map(({ id }) => id)
    this.#drawing = this.#drawing.then(() => keepFiles(this.#services, ids))
    this.#drawing.catch(ignore)
  }

  async finish(): Promise<void> {
    await this.#drawing
  }
}

interface Directory {
  readonly admin: number
  /** Approves what the admin makes. */
  readonly leader: number
}

async function readDirectory({ postgres }: Services): Promise<Directory> {
  const { rows } = await postgres.pool.query<Directory>(
    `select (select u.id from "user" u join user_role r on r.id = u.role_id where r.kind = 'ADMIN' order by u.id limit 1) as admin,
      (select u.id from "user" u join user_role r on r.id = u.role_id where r.kind = 'TEAM_LEADER' order by u.id limit 1) as leader`,
  )
  return at(rows, 0)
}

/** All months with facts before the current one, the earliest first. */
export function pastMonths({ first, today }: Past): string[] {
  const months: string[] = []
  for (let month = first.slice(0, 7); month < today.slice(0, 7); month = monthAfter(month)) months.push(month)
  return months
}

/** Advertisers that have not confirmed the last month yet. */
const UNCONFIRMED = 2

async function confirmMonths(context: RequestContext, months: readonly string[]): Promise<void> {
  const { rows } = await context.engines.postgres.pool.query<{ id: number }>('select id from advertiser order by id')
  const confirmation = entityNamed('advertiser_confirmation')
  await changeRecord(context, 'demo', async (db) => {
    for (const month of months)
      for (const { id } of month === months.at(-1) ? rows.slice(0, -UNCONFIRMED) : rows)
        await insertAudited(db, context, confirmation, {
          advertiser: id,
          month,
          confirmed_at: `${monthAfter(month)}-02T09:00:00Z`,
          confirmed_by: context.userId,
        })
  })
}

/** One bonus; and a scrub that is larger than what the partner earned, so that the rest is carried to the next statement. */
async function writeAdjustments(
  services: Services,
  context: RequestContext,
  first: Earner,
  negative: Earner,
  month: string,
): Promise<void> {
  const { EUR } = await readCurrencies(services)
  const earned = Math.max(await readEarned(services, negative.id, month), 0)
  const scrub = `-${Math.round(earned * 1.2 + 60)}.00`
  const adjustment = entityNamed('adjustment')
  const common = { month, currency: EUR, created_by: context.userId }
  await changeRecord(context, 'demo', async (db) => {
    await insertAudited(db, context, adjustment, {
      ...common,
      partner: first.id,
      kind: 'bonus',
      amount: '250.00',
      reason: 'Volume of the quarter',
      note: 'Quarterly bonus',
    })
    await insertAudited(db, context, adjustment, {
      ...common,
      partner: negative.id,
      kind: 'scrub',
      amount: scrub,
      reason: 'Fraud found by the advertiser in earlier months',
      note: 'Traffic that the advertiser does not accept',
    })
  })
}

const CLOSED_ON = 3
/** A reopened month is closed again the same day, in the month after next. */
const REOPENED_ON = 14

/** A close looks as if it had been made on the third day of the next month. What it has read and booked stays. */
async function dateCloses({ postgres }: Services): Promise<void> {
  const dayOf = (months: number, day: number, hours: number) =>
    `least(now(), (c.month || '-01')::timestamp + make_interval(months => ${months}, days => ${day - 1}, hours => ${hours}))`
  await postgres.pool.query(
    `update period_close c set closed_at = case when exists (select from period_close o where o.month = c.month and o.id < c.id)
      then ${dayOf(2, REOPENED_ON, 15)} else ${dayOf(1, CLOSED_ON, 9)} end`,
  )
  await postgres.pool.query(
    `update period_close_partner c set reopened_at = ${dayOf(2, REOPENED_ON, 11)} where reopened_at is not null`,
  )
}

const nameProjects = ({ postgres }: Services): Promise<unknown> =>
  postgres.pool.query(`update advertiser set default_crm_project_id = 'CRM-' || id`)
