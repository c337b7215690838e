// Closes eleven months of the demo, and makes statements, payments, a dispute, true-ups and carry-overs of them, by the product's own writers.
// Afterwards closes and statements are dated as if each month had been closed on time.
import { monthBefore } from '@tributary/contract/period'
import { resolvePlayers } from '../server/src/calls/player.ts'
import { entityNamed } from '../server/src/entities/engine/model/model.ts'
import type { RequestContext } from '../server/src/entities/engine/model/request-context.ts'
import { insertAudited } from '../server/src/entities/engine/save/write.ts'
import { changeRecord, updateEntity } from '../server/src/entities/engine/store.ts'
import { waitForFacts } from '../server/src/facts/catch-up.ts'
import { seal } from '../server/src/integrations/integration.ts'
import { ignore } from '../server/src/lib/promises.ts'
import { closeMonth, closeMonths as closeTogether, reopenMonth, trueUp } from '../server/src/money/close.ts'
import type { Services } from '../server/src/services.ts'
import { at, insert } from './rows.ts'
import { dateDocuments, NET_DAYS, Statements, sendPaid } from './statements.ts'

const MONTHS = 11
/** The largest partners have statements of all months, the others of the last ones: each takes a tenth of a second. */
const LARGE = 12
const LAST = 3
/** Partners that are billed in another currency than EUR. */
const BILLED_IN = ['USD', 'GBP']
/** Of some partners; the others have one or two weeks. Players who qualified in that time are on hold. */
const LONG_HOLD = 45
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
  // The network began in the month before, with some days.
  await closeTogether(context, [monthBefore(at(months, 0)), ...months.slice(0, -1)], null)
  await correctMonth(context, at(months, MONTHS - 3))
  await trueUp(services)
  await closeAgain(context, at(months, MONTHS - 4))
  await closeMonth(context, { month: last, group: null })
  const earners = await readEarners(services, directory)
  const [first = 0, , , negative = 0, disputed = 0] = earners
  await writeBilling(services, directory, earners)
  await writeAdjustments(context, directory, { first, negative }, at(months, MONTHS - 2))
  const statements = new Statements(services, context, directory)
  const large = new Set([...earners.slice(0, LARGE), earners.at(-1)])
  const plan = (await readPartners(services)).map(
    (partner) => [partner, large.has(partner) ? months : months.slice(-LAST)] as const,
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

const FACTS_WAIT_MS = 10_000
const PLAIN = { detailed: false }

/** An advertiser corrects some figures of a closed month, and rejects two players: true-ups follow. */
async function correctMonth(context: RequestContext, month: string): Promise<void> {
  const { pool } = context.engines.postgres
  const { rows: reports } = await pool.query<{ id: number; income: string }>(
    `select id, (income * case when id % 3 = 0 then 0.6 else 1.25 end)::numeric(18, 2)::text as income from player_report
      where report_date between $1::date and $1::date + 27 and income > 20 order by md5(id::text) limit 12`,
    [`${month}-01`],
  )
  for (const { id, income } of reports) await updateEntity(context, entityNamed('player_report'), id, { income }, PLAIN)
  const { rows: players } = await pool.query<{ id: number }>(
    `select distinct on (e.partner_id) i.player_id as id from ledger_entry e join ledger_item i on i.ledger_entry_id = e.id
      where e.earned_month = $1 and i.player_id is not null order by e.partner_id, i.player_id limit 2`,
    [month],
  )
  await resolvePlayers(context, {
    exclusive: false,
    filter: '',
    ids: players.map(({ id }) => id),
    payment_resolution: 'not_approved',
    reason: 'A second account of the same person',
  })
  await waitForFacts(context.engines, FACTS_WAIT_MS)
}

/** A month is reopened for a partner whose spend was wrong, and closed again. */
async function closeAgain(context: RequestContext, month: string): Promise<void> {
  const { rows } = await context.engines.postgres.pool.query<{
    close: number
    partner: number
    spend: number
    sum: string
  }>(
    `select c.id as close, e.partner_id as partner, s.id as spend, (s.sum * 0.8)::numeric(18, 2)::text as sum
    from period_close c join ledger_entry e on e.earned_month = c.month and e.kind = 'agency'
      join partner_spend s on s.stream_id = e.stream_id and s.country_id = e.country_id and to_char(s.date, 'YYYY-MM') = c.month and s.active
    where c.month = $1 and s.sum > 0 order by s.sum desc, s.id limit 1`,
    [month],
  )
  const [found] = rows
  if (found === undefined) return
  const reopening = { reason: 'A spend was entered without its discount', partner: found.partner }
  await reopenMonth(context, found.close, reopening)
  await updateEntity(context, entityNamed('partner_spend'), found.spend, { sum: found.sum }, PLAIN)
  await closeMonth(context, { month, group: null })
}

/** Partners who earned most, the first ones first. */
async function readEarners({ postgres }: Services, { euro }: Directory): Promise<readonly number[]> {
  const { rows } = await postgres.pool.query<{ id: number }>(
    'select partner_id as id from ledger_entry where currency_id = $1 group by 1 having sum(amount) > 0 order by sum(amount) desc',
    [euro],
  )
  return rows.map(({ id }) => id)
}

async function writeBilling(
  { postgres, config }: Services,
  { euro }: Directory,
  earners: readonly number[],
): Promise<void> {
  const { pool } = postgres
  const { rows } = await pool.query<{ id: number; title: string }>('select id, title from partner order by id')
  const { rows: others } = await pool.query<{ id: number }>(
    'select id from currency where value = any($1) order by value desc',
    [BILLED_IN],
  )
  const currencies = new Map(others.map(({ id }, place) => [earners[LARGE - 1 - place], id]))
  const currencyOf = (partner: number): number => currencies.get(partner) ?? euro
  const minimum = await readSmallMinimum(pool, earners.at(-1))
  await postgres.withClient(async (client) => {
    await insert(
      client,
      'partner_billing',
      rows.map(({ id, title }, place) => ({
        partner_id: id,
        legal_name: `${title} Ltd`,
        tax_id: `EE10${String(100_000 + id * 37)}`,
        vat: place % 3 === 2 ? 20 : 0,
        currency_id: currencyOf(id),
        net_days: NET_DAYS,
        hold_days: place % 5 === 1 ? LONG_HOLD : place % 2 === 0 ? 14 : 7,
        minimum: id === earners.at(-1) ? minimum : 50,
        method: place % 4 === 3 ? 'crypto' : 'bank_transfer',
        negative_rs: place % 5 === 4 ? 'zero' : 'carry',
        details_changed_at: new Date().toISOString(),
      })),
    )
    await client.query(
      `insert into partner_billing_currency (partner_id, month, currency_id)
        select partner_id, '0001-01', currency_id from partner_billing`,
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
      [earners.slice(0, 6)],
    )
  })
}

/** More than the smallest partner has earned, so that the total is carried from month to month. */
async function readSmallMinimum(pool: Services['postgres']['pool'], partner: number | undefined): Promise<number> {
  const { rows } = await pool.query<{ minimum: number }>(
    'select (greatest(1, ceil(sum(greatest(amount, 0)) / 100)) * 100)::int as minimum from ledger_entry where partner_id = $1',
    [partner],
  )
  return rows[0]?.minimum ?? 100
}

/** One bonus; and a scrub that is larger than what the partner earned in the month, so that the rest is carried to the next statement. */
async function writeAdjustments(
  context: RequestContext,
  { euro }: Directory,
  { first, negative }: { readonly first: number; readonly negative: number },
  month: string,
): Promise<void> {
  const { rows } = await context.engines.postgres.pool.query<{ earned: string }>(
    'select greatest(sum(amount), 0)::numeric(18, 2) as earned from ledger_entry where partner_id = $1 and booked_month = $2',
    [negative, month],
  )
  const scrub = `-${(Number(at(rows, 0).earned) * 1.2 + 150).toFixed(2)}`
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
