// Closes eleven months of the demo, and makes statements, payments, a dispute, true-ups and carry-overs of them, by the product's own writers.
// Afterwards closes and statements are dated as if each month had been closed on time.
import { setTimeout as pause } from 'node:timers/promises'
import { addDays, monthAfter, monthBefore } from '@tributary/contract/period'
import { entityNamed } from '../server/src/entities/engine/model/model.ts'
import type { Db, RequestContext } from '../server/src/entities/engine/model/request-context.ts'
import { insertAudited } from '../server/src/entities/engine/save/write.ts'
import { changeRecord } from '../server/src/entities/engine/store.ts'
import { uuidV5 } from '../server/src/integrations/crm/crm.ts'
import { seal } from '../server/src/integrations/integration.ts'
import { ignore } from '../server/src/lib/promises.ts'
import { closeMonth, closeMonths as closeTogether, trueUp } from '../server/src/money/close.ts'
import { keepDocuments } from '../server/src/money/keep-documents.ts'
import { readToday } from '../server/src/money/preview.ts'
import {
  approveStatement,
  checkPayment,
  disputeStatement,
  queueInvoice,
  settleStatement,
} from '../server/src/money/statement-states.ts'
import { lockPartners, writeDraft } from '../server/src/money/write-draft.ts'
import type { Services } from '../server/src/services.ts'
import { at, insert } from './rows.ts'

const MONTHS = 11
const NET_DAYS = 20
/** Payments are late by so many days. */
const LATE_DAYS = 7
/** Requests of this project are rejected by the fake CRM. */
export const CLOSED_PROJECT = 'CRM-closed'

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
const MADE_ON = 4
const APPROVED_ON = 5
/** Partners whose statements are made at the same time. */
const WORKERS = 4
/** Partners whose files are drawn together. */
const PARTNERS_AT_ONCE = 10

const dayAfter = (month: string, day: number): string => `${monthAfter(month)}-${String(day).padStart(2, '0')}`

/** A close looks as if it had been made on the third day of the next month. What it has read and booked stays. */
async function dateCloses({ postgres }: Services): Promise<void> {
  await postgres.pool.query(
    `update period_close set closed_at = least(now(), (month || '-01')::timestamp + interval '1 month' + make_interval(days => $1, hours => 9))`,
    [CLOSED_ON - 1],
  )
}

const nameProjects = ({ postgres }: Services): Promise<unknown> =>
  postgres.pool.query(`update advertiser set default_crm_project_id = 'CRM-' || id`)

interface SentInvoice {
  readonly id: number
  readonly installation_id: string
  readonly grain: readonly (string | number | null)[]
}

/** The CRM has accepted the invoices of what is paid, a day after each approval. The fake CRM is not asked: there are thousands. */
async function sendPaid({ postgres }: Services): Promise<void> {
  const { rows } = await postgres.pool.query<SentInvoice>(
    `select i.id, g.installation_id,
      jsonb_build_array(i.partner_id, s.month, i.advertiser_id, i.country_id, i.traffic_source_id, i.stream_id) as grain
    from payment_invoice i join statement s on s.id = i.statement_id cross join setting g
    where s.state in ('paid', 'partly_paid') and i.status = 'approved' and i.amount <> 0`,
  )
  const keys = rows.map(({ id, installation_id, grain }) => ({ id, key: uuidV5([installation_id, ...grain, 1]) }))
  await postgres.pool.query(
    `with sent as (
      update payment_invoice i set status = 'accepted', n = 1, crm_key = k.key, sent_at = s.approved_at + interval '1 day',
        crm_response = jsonb_build_object('id', i.id, 'status', 'accepted', 'amount', round(i.amount, 2)::text, 'reason', null)
      from jsonb_to_recordset($1::jsonb) as k (id int, key uuid), statement s where k.id = i.id and s.id = i.statement_id
      returning i.*, s.month
    )
    insert into crm_attempt (payment_invoice_id, crm_key, method, request, status, response, duration_ms, created_at)
    select t.id, crm_key, 'POST', jsonb_build_object('month', month, 'invoice', t.id, 'statement', statement_id,
        'partner', jsonb_build_object('id', partner_id), 'project_id', a.default_crm_project_id, 'amount', round(amount, 2)::text,
        'currency', c.value),
      201, crm_response::text, 20 + t.id % 60, sent_at
    from sent t join currency c on c.id = t.currency_id join advertiser a on a.id = t.advertiser_id`,
    [JSON.stringify(keys)],
  )
}

/** Invoices, payments and the history of all documents are dated like the statements. */
async function dateDocuments({ postgres }: Services): Promise<void> {
  await postgres.pool.query(
    'update payment_invoice i set approved_at = s.approved_at, created_at = s.created_at from statement s where s.id = i.statement_id',
  )
  await postgres.pool.query(`update payment set created_at = paid_at + interval '10 hours'`)
  await postgres.pool.query(
    `update audit_log l set at = d.at from (
      select 'statement' as entity, id, 'create' as action, created_at as at from statement
      union all select 'statement', id, 'update', approved_at from statement
      union all select 'payment_invoice', id, 'create', created_at from payment_invoice
      union all select 'payment_invoice', id, 'update', coalesce(sent_at, approved_at) from payment_invoice
      union all select 'payment', id, 'create', created_at from payment
    ) as d where d.entity = l.entity and d.id = l.entity_id and d.action = l.action and d.at is not null`,
  )
}

interface Made {
  readonly id: number
  readonly partner: number
  readonly month: string
}

class Statements {
  readonly #services: Services
  readonly #context: RequestContext
  readonly #approver: RequestContext
  readonly #euro: number
  readonly #made: Made[] = []

  constructor(services: Services, context: RequestContext, { euro, leader }: Directory) {
    this.#services = services
    this.#context = context
    this.#approver = { ...context, userId: leader }
    this.#euro = euro
  }

  #change<T>(change: (db: Db) => Promise<T>): Promise<T> {
    return changeRecord(this.#context, 'demo', change)
  }

  /** Makes approved statements, of some partners at a time, and returns their ids. */
  async makeAll(plan: readonly (readonly [partner: number, months: readonly string[]])[]): Promise<number[]> {
    const before = this.#made.length
    const waiting = [...plan]
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        for (const month of next[1]) await this.#make(next[0], month)
    }
    await Promise.all(Array.from({ length: WORKERS }, work))
    return this.#made.slice(before).map(({ id }) => id)
  }

  /** The months of a partner are made in order: later ones take up what earlier ones carry. */
  async #make(partner: number, month: string): Promise<void> {
    const approvedOn = dayAfter(month, APPROVED_ON)
    const id = await this.#change(async (db) => {
      await lockPartners(db, [partner])
      const made = await writeDraft(db, this.#context, {
        partner,
        month,
        offerPartners: null,
        today: await readToday(db),
      })
      if (made !== null) await approveStatement(db, this.#approver, made, () => Promise.resolve())
      return made
    })
    if (id === null) return
    await this.#services.postgres.pool.query(
      'update statement set approved_at = least(now(), $2::timestamptz), due_on = $3, created_at = least(now(), $4::timestamptz) where id = $1',
      [id, `${approvedOn}T10:00:00Z`, addDays(approvedOn, NET_DAYS), `${dayAfter(month, MADE_ON)}T10:00:00Z`],
    )
    this.#made.push({ id, partner, month })
  }

  keepFiles(statements: readonly number[]): Promise<void> {
    return keepDocuments(this.#services.postgres.db, statements, this.#services.config.publicUrl)
  }

  /** Pays what was due a week ago; the last one only in part. */
  async pay(today: string): Promise<void> {
    const { rows } = await this.#services.postgres.pool.query<{ id: number; left: string; due_on: string }>(
      `select id, (total - paid)::numeric(18, 2)::text as left, due_on::text from statement
        where id = any($1) and total > 0 and due_on <= $2::date order by id`,
      [this.#made.map(({ id }) => id), addDays(today, -LATE_DAYS)],
    )
    const partly = rows.at(-1)?.id
    for (const { id, left, due_on } of rows) {
      const amount = id === partly ? (Number(left) / 2).toFixed(2) : left
      await this.#change(async (db) => {
        const partner = await checkPayment(db, this.#context, id, {
          amount,
          currency: this.#euro,
          paid_at: addDays(due_on, LATE_DAYS),
        })
        await insertAudited(db, this.#context, entityNamed('payment'), {
          statement: id,
          partner,
          paid_at: addDays(due_on, LATE_DAYS),
          amount,
          currency: this.#euro,
          method: 'bank_transfer',
          reference: `TRB-${String(id).padStart(5, '0')}`,
          created_by: this.#context.userId,
        })
        await settleStatement(db, this.#context, id)
      })
    }
  }

  async dispute(partner: number): Promise<void> {
    const made = this.#made.findLast((one) => one.partner === partner)
    if (made === undefined) return
    await this.#change((db) =>
      disputeStatement(db, this.#context, made.id, 'The partner counts eleven players more in the second week'),
    )
  }

  /** The next minute sends them. The project of the last one is closed, so the CRM rejects it. */
  async sendToCrm(partner: number, month: string): Promise<void> {
    const { pool } = this.#services.postgres
    const { rows } = await pool.query<{ id: number; advertiser: number }>(
      `select id, advertiser_id as advertiser from payment_invoice
        where partner_id = $1 and date_from = $2 and status = 'approved' and amount > 0 order by id limit 8`,
      [partner, `${month}-01`],
    )
    await pool.query('update advertiser set default_crm_project_id = $2 where id = $1', [
      rows.at(-1)?.advertiser ?? null,
      CLOSED_PROJECT,
    ])
    for (const { id } of rows) await this.#change((db) => queueInvoice(db, this.#context, id))
  }
}
