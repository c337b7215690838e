// Statements of the demo's closed months: made, approved, paid, disputed and sent to the CRM by the product's own writers,
// and dated as if each had been made on time.
import { addDays, monthAfter } from '@tributary/contract/period'
import { entityNamed } from '../server/src/entities/engine/model/model.ts'
import type { Db, RequestContext } from '../server/src/entities/engine/model/request-context.ts'
import { insertAudited } from '../server/src/entities/engine/save/write.ts'
import { changeRecord } from '../server/src/entities/engine/store.ts'
import { uuidV5 } from '../server/src/integrations/crm/crm.ts'
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

/** Statements are due so many days after their approval. */
export const NET_DAYS = 20
/** Payments are late by so many days. */
const LATE_DAYS = 7
/** Requests of this project are rejected by the fake CRM. */
export const CLOSED_PROJECT = 'CRM-closed'
const MADE_ON = 4
const APPROVED_ON = 5
/** Partners whose statements are made at the same time. */
const WORKERS = 4
const dayAfter = (month: string, day: number): string => `${monthAfter(month)}-${String(day).padStart(2, '0')}`

interface Made {
  readonly id: number
  readonly partner: number
  readonly month: string
}

export class Statements {
  readonly #services: Services
  readonly #context: RequestContext
  readonly #approver: RequestContext
  readonly #euro: number
  readonly #made: Made[] = []

  /** `leader` approves what the context's user makes; `euro` is the currency of the payments. */
  constructor(
    services: Services,
    context: RequestContext,
    { euro, leader }: { readonly euro: number; readonly leader: number },
  ) {
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
    return keepDocuments(this.#services.postgres.db, statements, this.#services.config)
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
