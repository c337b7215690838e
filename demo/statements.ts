// Statements of the demo's closed months: made, approved, paid, disputed and sent to the CRM by the product's own writers,
// and dated as if each had been made on time.
import { addDays, monthAfter } from '@tributary/contract/period'
import { entityNamed } from '../server/src/entities/engine/model/model.ts'
import type { Db, RequestContext } from '../server/src/entities/engine/model/request-context.ts'
import { insertAudited } from '../server/src/entities/engine/save/write.ts'
import { changeRecord } from '../server/src/entities/engine/store.ts'
import { uuidV5 } from '../server/src/integrations/crm/crm.ts'
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
import { at } from './rows.ts'

/** Requests of this project are rejected by the fake CRM. */
export const CLOSED_PROJECT = 'CRM-closed'
const MADE_ON = 4
const APPROVED_ON = 5
/** Partners whose statements are made at the same time. */
const WORKERS = 4
/** Invoices that wait for the CRM when the demo starts. */
const SENT_AT_ONCE = 8
const dayAfter = (month: string, day: number): string => `${monthAfter(month)}-${String(day).padStart(2, '0')}`

export interface Made {
  readonly id: number
  readonly partner: number
  readonly month: string
}

export interface Plan {
  readonly partner: number
  /** In their order: later ones take up what earlier ones carry. */
  readonly months: readonly string[]
  /** Drafts wait for their approval. */
  readonly approves: boolean
}

/** Payments come some days before or after they are due. */
const PAID_AFTER_DUE = [-4, -1, 0, 0, 2, -2, 3]
/** Some partners get money of the last month soon after its approval. */
const EARLY_DAYS = 2

export class Statements {
  readonly #services: Services
  readonly #context: RequestContext
  readonly #approver: RequestContext
  readonly #made: Made[] = []

  /** `leader` approves what the context's user makes. */
  constructor(services: Services, context: RequestContext, leader: number) {
    this.#services = services
    this.#context = context
    this.#approver = { ...context, userId: leader }
  }

  #change<T>(change: (db: Db) => Promise<T>): Promise<T> {
    return changeRecord(this.#context, 'demo', change)
  }

  /** Makes statements of some partners at a time, and returns the approved ones. */
  async makeAll(plans: readonly Plan[]): Promise<Made[]> {
    const approved: Made[] = []
    await eachOf(plans, async ({ partner, months, approves }) => {
      for (const month of months) {
        const id = await this.#make(partner, month, approves)
        if (id === null) continue
        const made = { id, partner, month }
        this.#made.push(made)
        if (approves) approved.push(made)
      }
    })
    return approved
  }

  /** As it would have been made on its day: what was on hold then waits for the next one. */
  async #make(partner: number, month: string, approves: boolean): Promise<number | null> {
    const [madeOn, approvedOn] = [dayAfter(month, MADE_ON), dayAfter(month, APPROVED_ON)]
    const id = await this.#change(async (db) => {
      await lockPartners(db, [partner])
      const made = await writeDraft(db, this.#context, {
        partner,
        month,
        offerPartners: null,
        today: at([madeOn, await readToday(db)].sort(), 0),
      })
      if (made !== null && approves) await approveStatement(db, this.#approver, made, () => Promise.resolve())
      return made
    })
    if (id !== null)
      await this.#services.postgres.pool.query(
        `update statement s set approved_at = case when approved_at is not null then least(now(), $2::timestamptz) end,
          due_on = case when due_on is not null then $3::date + b.net_days end, created_at = least(now(), $4::timestamptz)
        from partner_billing b where s.id = $1 and b.partner_id = s.partner_id`,
        [id, `${approvedOn}T10:00:00Z`, approvedOn, `${madeOn}T10:00:00Z`],
      )
    return id
  }

  /** Pays what was due before the last month, but half of one statement; and shares of the last month by partner. */
  async pay(today: string, last: string, early: ReadonlyMap<number, number>): Promise<void> {
    const { rows } = await this.#services.postgres.pool.query<Unpaid>(
      `select id, partner_id as partner, month::text, currency_id as currency, total::numeric(18, 2)::text as total, due_on::text as due,
          (approved_at at time zone (select business_time_zone from setting))::date::text as approved
        from statement where id = any($1) and state = 'approved' and total > 0 and (month < $2 or partner_id = any($3)) order by month, partner_id`,
      [this.#made.map(({ id }) => id), last, [...early.keys()]],
    )
    const partly = rows.findLast(({ month, partner }) => month < last && !early.has(partner))?.id
    const byPartner = Map.groupBy(rows, ({ partner }) => partner)
    await eachOf([...byPartner.values()], async (own) => {
      for (const one of own) {
        const isLast = one.month === last
        const due = addDays(
          one.due,
          at(PAID_AFTER_DUE, (one.partner + Number(one.month.slice(5))) % PAID_AFTER_DUE.length),
        )
        if (!isLast && due > today) continue
        const paidAt = isLast ? addDays(one.approved, EARLY_DAYS) : due
        const share = isLast ? (early.get(one.partner) ?? 1) : one.id === partly ? 0.5 : 1
        await this.#pay(one, paidAt < today ? paidAt : today, share)
      }
    })
  }

  async #pay({ id, total, currency }: Unpaid, paidAt: string, share: number): Promise<void> {
    const given = { amount: (Number(total) * share).toFixed(2), currency, paid_at: paidAt }
    await this.#change(async (db) => {
      const partner = await checkPayment(db, this.#context, id, given)
      await insertAudited(db, this.#context, entityNamed('payment'), {
        ...given,
        statement: id,
        partner,
        method: 'bank_transfer',
        reference: `TRB-${String(id).padStart(5, '0')}`,
        created_by: this.#context.userId,
      })
      await settleStatement(db, this.#context, id)
    })
  }

  async dispute(partner: number): Promise<void> {
    const made = this.#made.findLast((one) => one.partner === partner)
    if (made === undefined) return
    await this.#change((db) =>
      disputeStatement(db, this.#context, made.id, 'The partner counts eleven players more in the second week'),
    )
  }

  /** The next minute sends them. The project of one advertiser in one country is closed, so the CRM rejects that invoice. */
  async sendToCrm(partner: number, month: string): Promise<void> {
    const { pool } = this.#services.postgres
    const sent = `from payment_invoice i where i.partner_id = $1 and i.date_from = $2 and i.status = 'approved' and i.amount > 0`
    const { rows: closed } = await pool.query<{ id: number; advertiser: number; country: number }>(
      `select min(i.id) as id, i.advertiser_id as advertiser, i.country_id as country ${sent} and i.country_id is not null
        group by i.advertiser_id, i.country_id having count(*) = 1
        order by (select count(*) from payment_invoice o where o.advertiser_id = i.advertiser_id and o.country_id = i.country_id
          and o.status in ('draft', 'approved')), i.advertiser_id, i.country_id limit 1`,
      [partner, `${month}-01`],
    )
    const [rejected] = closed
    if (rejected !== undefined)
      await pool.query(
        'update advertiser_country set crm_project_id = $3 where advertiser_id = $1 and country_id = $2',
        [rejected.advertiser, rejected.country, CLOSED_PROJECT],
      )
    const { rows } = await pool.query<{ id: number }>(
      `select i.id ${sent} order by (i.id = $3::int) desc nulls last, i.advertiser_id, i.country_id, i.stream_id limit $4`,
      [partner, `${month}-01`, rejected?.id ?? null, SENT_AT_ONCE],
    )
    for (const { id } of rows) await this.#change((db) => queueInvoice(db, this.#context, id))
  }
}

interface Unpaid {
  readonly id: number
  readonly partner: number
  readonly month: string
  readonly currency: number
  readonly total: string
  readonly due: string
  readonly approved: string
}

/** Works on some of the items at the same time. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: WORKERS }, take))
}

interface SentInvoice {
  readonly id: number
  readonly installation_id: string
  readonly grain: readonly (string | number | null)[]
}

/** The CRM has accepted the invoices of what is paid, a day after each approval. The fake CRM is not asked: there are thousands. */
export async function sendPaid({ postgres }: Services): Promise<void> {
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
export async function dateDocuments({ postgres }: Services): Promise<void> {
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
