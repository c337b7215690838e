// Closes eleven months of the demo, and makes statements, payments, a dispute, true-ups and carry-overs of them, by the product's own writers.
// Afterwards closes and statements are dated as if each month had been closed on time.
import { setTimeout as pause } from 'node:timers/promises'
import { monthBefore } from '@tributary/contract/period'
import { entityNamed } from '../server/src/entities/engine/model/model.ts'
import type { RequestContext } from '../server/src/entities/engine/model/request-context.ts'
import { insertAudited } from '../server/src/entities/engine/save/write.ts'
import { changeRecord } from '../server/src/entities/engine/store.ts'
import { seal } from '../server/src/integrations/integration.ts'
import { ignore } from '../server/src/lib/promises.ts'
import { closeMonth, closeMonths as closeTogether, trueUp } from '../server/src/money/close.ts'
import type { Services } from '../server/src/services.ts'
import { at, insert } from './rows.ts'
import { dateDocuments, NET_DAYS, Statements, sendPaid } from './statements.ts'

const MONTHS = 11
/** Partners whose files are drawn together. */
const PARTNERS_AT_ONCE = 10

/** A record that has closes is left as it is. `today` is the business day. Facts must be there. */
export async function closeMonths(services: Services, today: string): Promise<void> {
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
  const months = monthsBefore(today)
  const last = at(months, MONTHS - 1)
  await closeTogether(context, months.slice(0, -1), null)
  await reportLate(services, at(months, MONTHS - 3))
  await trueUp(services)
  await closeMonth(context, { month: last, group: null })
  const partners = await readEarners(services, directory)
  await writeBilling(services, directory, partners)
  await writeAdjustments(context, directory, partners, at(months, MONTHS - 2))
  const statements = new Statements(services, context, directory)
  const [first, second, third, small, negative, disputed] = partners
  // Each statement takes a tenth of a second, so only some partners have all of theirs.
  const countOf = new Map([
    [first, months.length],
    ...[second, third, small].map((partner) => [partner, 4] as const),
    ...[negative, disputed].map((partner) => [partner, 2] as const),
  ])
  const plan = (await readPartners(services)).map(
    (partner) => [partner, months.slice(-(countOf.get(partner) ?? 1))] as const,
  )
  let drawing: Promise<unknown> = Promise.resolve()
  // Files are drawn in a thread of their own while further statements are made.
  for (let from = 0; from < plan.length; from += PARTNERS_AT_ONCE) {
    const made = await statements.makeAll(plan.slice(from, from + PARTNERS_AT_ONCE))
    drawing = drawing.then(() => statements.keepFiles(made))
    drawing.catch(ignore)
  }
  await drawing
  await dateCloses(services)
  await statements.pay(today)
  await nameProjects(services)
  await sendPaid(services)
  await dateDocuments(services)
  await statements.dispute(disputed)
  await statements.sendToCrm(first, last)
}

async function readPartners({ postgres }: Services): Promise<number[]> {
  const { rows } = await postgres.pool.query<{ id: number }>(
    'select distinct partner_id as id from ledger_entry order by 1',
  )
  return rows.map(({ id }) => id)
}

interface Directory {
  readonly admin: number
  /** Approves what the admin makes. */
  readonly leader: number
  readonly euro: number
}

async function readDirectory({ postgres }: Services): Promise<Directory> {
  const { rows } = await postgres.pool.query<Directory>(
    `select (select u.id from "user" u join user_role r on r.id = u.role_id where r.kind = 'ADMIN' order by u.id limit 1) as admin,
      (select u.id from "user" u join user_role r on r.id = u.role_id where r.kind = 'TEAM_LEADER' order by u.id limit 1) as leader,
      (select id from currency where value = 'EUR' order by id limit 1) as euro`,
  )
  return at(rows, 0)
}

/** The eleven months before the current one, the earliest first. */
function monthsBefore(today: string): string[] {
  const months: string[] = []
  for (let month = today.slice(0, 7); months.length < MONTHS; ) {
    month = monthBefore(month)
    months.unshift(month)
  }
  return months
}

const PROJECTION_MS = 10_000

/** Advertisers correct some days of a month that is closed: their facts become true-ups. */
async function reportLate({ postgres }: Services, month: string): Promise<void> {
  await postgres.pool.query(
    `update player_report r set income = r.income + 35 where (r.player_id, r.report_date) in (
      select player_id, report_date from player_report where report_date between $1::date and $1::date + 27 and income > 20
      order by report_date, player_id limit 40)`,
    [`${month}-01`],
  )
  const { rows } = await postgres.pool.query<{ at: Date }>('select clock_timestamp() as at')
  const until = Date.now() + PROJECTION_MS
  for (;;) {
    const { rows: known } = await postgres.pool.query(
      `select from facts_progress where name = 'record' and at > $1 and not exists (select from outbox)`,
      [at(rows, 0).at],
    )
    if (known.length > 0 || Date.now() > until) return
    await pause(50)
  }
}

/** Six partners: the three who earned most, a small one, and two in between. */
async function readEarners(
  { postgres }: Services,
  { euro }: Directory,
): Promise<readonly [number, number, number, number, number, number]> {
  const { rows } = await postgres.pool.query<{ id: number }>(
    'select partner_id as id from ledger_entry where currency_id = $1 group by 1 having sum(amount) > 0 order by sum(amount) desc',
    [euro],
  )
  const ids = rows.map(({ id }) => id)
  return [at(ids, 0), at(ids, 1), at(ids, 2), at(ids, ids.length - 1), at(ids, 3), at(ids, 4)]
}

async function writeBilling(
  { postgres, config }: Services,
  { euro }: Directory,
  partners: readonly number[],
): Promise<void> {
  const { rows } = await postgres.pool.query<{ id: number; title: string }>('select id, title from partner order by id')
  await postgres.withClient(async (client) => {
    await insert(
      client,
      'partner_billing',
      rows.map(({ id, title }, place) => ({
        partner_id: id,
        legal_name: `${title} Ltd`,
        tax_id: `EE10${String(100_000 + id * 37)}`,
        vat: place % 3 === 2 ? 20 : 0,
        currency_id: euro,
        net_days: NET_DAYS,
        hold_days: place % 2 === 0 ? 14 : 7,
        minimum: id === partners[3] ? 1_000_000 : 50,
        method: place % 4 === 3 ? 'crypto' : 'bank_transfer',
        negative_rs: place % 5 === 4 ? 'zero' : 'carry',
        details_changed_at: new Date().toISOString(),
      })),
    )
    await client.query(
      `insert into partner_billing_currency (partner_id, month, currency_id) select id, '0001-01', $1 from partner`,
      [euro],
    )
    for (const { id } of rows) {
      const details = seal(
        config.secret,
        'partner billing',
        `partner ${id}`,
        `EE38 2200 2210 ${20_000_000 + id * 1013}`,
      )
      await client.query('update partner_billing set details = $2 where partner_id = $1', [id, details])
    }
    // Others have players of the last months whom nobody has decided about.
    await client.query(
      `update player set payment_resolution = 'approved' where qualification = 'qualified' and payment_resolution is null
        and (partner_id = any($1) or qualified_at < now() - interval '75 days')`,
      [partners],
    )
  })
}

/** One bonus; and a scrub that is larger than what the partner earned, so that the rest is carried to the next statement. */
async function writeAdjustments(
  context: RequestContext,
  { euro }: Directory,
  [first, , , , negative]: readonly [number, number, number, number, number, number],
  month: string,
): Promise<void> {
  const { rows } = await context.engines.postgres.pool.query<{ earned: string }>(
    'select greatest(sum(amount), 0)::numeric(18, 2) as earned from ledger_entry where partner_id = $1 and booked_month <= $2',
    [negative, month],
  )
  const scrub = `-${(Number(at(rows, 0).earned) * 1.2 + 500).toFixed(2)}`
  const adjustment = entityNamed('adjustment')
  const common = { month, currency: euro, created_by: context.userId }
  await changeRecord(context, 'demo', async (db) => {
    await insertAudited(db, context, adjustment, {
      ...common,
      partner: first,
      kind: 'bonus',
      amount: '250.00',
      reason: 'Volume of the quarter',
      note: 'Quarterly bonus',
    })
    await insertAudited(db, context, adjustment, {
      ...common,
      partner: negative,
      kind: 'scrub',
      amount: scrub,
      reason: 'Fraud found by the advertiser in earlier months',
      note: 'Traffic that the advertiser does not accept',
    })
  })
}

const CLOSED_ON = 3

/** A close looks as if it had been made on the third day of the next month. What it has read and booked stays. */
async function dateCloses({ postgres }: Services): Promise<void> {
  await postgres.pool.query(
    `update period_close set closed_at = least(now(), (month || '-01')::timestamp + interval '1 month' + make_interval(days => $1, hours => 9))`,
    [CLOSED_ON - 1],
  )
}

const nameProjects = ({ postgres }: Services): Promise<unknown> =>
  postgres.pool.query(`update advertiser set default_crm_project_id = 'CRM-' || id`)
