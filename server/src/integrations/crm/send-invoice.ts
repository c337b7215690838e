// Sends one queued invoice to the CRM, or asks what became of a sent one. Safe to repeat: the key is stored before the first call.
import type { Pool, PoolClient } from 'pg'
import { PAYMENT_HELD } from '../../money/payment-hold.ts'
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts'
import type { Postgres } from '../../postgres/client.ts'
import { type CallAttempt, type CallerOptions, IntegrationFailure } from '../call-integration.ts'
import { type IntegrationStore, noteError, noteSuccess, readIntegration } from '../integration.ts'
import { type Booked, createCrm, uuidV5 } from './crm.ts'

interface SendServices extends IntegrationStore {
  readonly postgres: Postgres
}

const RESPONSE_CAP = 10_000
/** Pause before the next run after a failure, and between questions about a pending request. */
const PAUSE_MINUTES = 5

/** SQL: the request may be made, or asked about. A held payment is not requested; what became of an earlier request is still asked. */
const MAY_CALL = `(i.status = 'sent' or i.status = 'queued' and (i.crm_key is not null or not ${PAYMENT_HELD}))`

/** Ids of invoices that are due, the longest waiting first. */
export async function findDueInvoices({ postgres }: Pick<SendServices, 'postgres'>): Promise<number[]> {
  const { rows } = await postgres.pool.query<{ id: number }>(
    `select i.id from payment_invoice i join statement s on s.id = i.statement_id
      where i.status in ('queued', 'sent') and coalesce(i.next_attempt_at, '-infinity') <= now() and ${MAY_CALL}
      order by coalesce(i.next_attempt_at, '-infinity'), i.id limit 1000`,
  )
  return rows.map(({ id }) => id)
}

/** Does nothing if another process handles the invoice, its payment is held before any request, or the CRM is paused or not set up. */
export async function sendInvoice(
  services: SendServices,
  id: number,
  options: CallerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { baseUrl, credential, pausedUntil } = await readIntegration(services, 'crm')
  if (baseUrl === null || pausedUntil !== null) return
  await services.postgres.withClient(async (client) => {
    const lock = [ADVISORY_LOCKS.crmInvoice, id]
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', lock)
    if (rows[0]?.taken !== true) return
    try {
      await send(services, client, id, { baseUrl, credential }, options, signal)
    } finally {
      await client.query('select pg_advisory_unlock($1, $2)', lock)
    }
  })
}

interface InvoiceToSend {
  readonly status: 'queued' | 'sent'
  readonly is_held: boolean
  readonly crm_key: string | null
  readonly installation_id: string
  readonly n: number
  readonly grain: readonly (string | number | null)[]
  readonly body: { readonly amount: string }
}

const SELECT = `select i.status, ${PAYMENT_HELD} as is_held, i.crm_key, i.n, g.installation_id,
    jsonb_build_array(i.partner_id, s.month, i.advertiser_id, i.country_id, i.traffic_source_id, i.stream_id) as grain,
    jsonb_build_object('month', s.month, 'invoice', i.id, 'statement', s.id,
      'partner', jsonb_build_object('id', p.id, 'title', p.title, 'legal_name', b.legal_name),
      'project_id', coalesce(o.crm_project_id, a.default_crm_project_id), 'advertiser_id', a.crm_id, 'country_id', c.crm_country_id,
      'traffic_source_id', t.crm_traffic_source_id, 'type_of_advertising_id', t.crm_type_of_advertising_id, 'stream', m.title,
      'amount', round(i.amount, 2)::text, 'currency', coalesce(nullif(cur.value, ''), cur.title),
      'lines', (select jsonb_agg(jsonb_build_object('kind', l.kind, 'earned_month', l.earned_month, 'quantity', l.quantity,
          'rate', l.rate::text, 'base', l.base::text, 'base_currency', coalesce(nullif(own.value, ''), own.title), 'fx_rate', l.fx_rate::text,
          'amount', round(l.total, 2)::text) order by l.id)
        from payment_invoice_line l join currency own on own.id = l.currency_id where l.payment_invoice_id = i.id)) as body
  from payment_invoice i join statement s on s.id = i.statement_id join partner p on p.id = i.partner_id
    join currency cur on cur.id = i.currency_id cross join setting g
    left join partner_billing b on b.partner_id = i.partner_id left join advertiser a on a.id = i.advertiser_id
    left join advertiser_country o on o.advertiser_id = i.advertiser_id and o.country_id = i.country_id
    left join country c on c.id = i.country_id left join traffic_source t on t.id = i.traffic_source_id
    left join partner_stream m on m.id = i.stream_id
  where i.id = $1 and ${MAY_CALL}`

async function send(
  services: SendServices,
  client: PoolClient,
  id: number,
  { baseUrl, credential }: { baseUrl: string; credential: string | null },
  options: CallerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await client.query<InvoiceToSend>(SELECT, [id])
  const [invoice] = rows
  if (invoice === undefined) return
  const key = invoice.crm_key ?? uuidV5([invoice.installation_id, ...invoice.grain, invoice.n])
  if (invoice.crm_key === null && !(await keepKey(client, id, key))) return
  const isNew = invoice.status === 'queued' && !invoice.is_held
  const crm = createCrm(baseUrl, credential, {
    ...options,
    onAttempt: async (attempt) => {
      await keepAttempt(services.postgres.pool, { id, key, body: invoice.body }, attempt)
      const error = errorOf(attempt)
      if (error !== null) await noteError(services, 'crm', error, { isRepeated: true })
    },
  })
  try {
    const outcome = isNew ? await crm.request(key, invoice.body, signal) : await readAgain(crm, key, signal)
    await noteSuccess(services, 'crm')
    if (outcome === undefined) return await (invoice.status === 'queued' ? takeBack(client, id) : wait(client, id))
    if (outcome.kind === 'rejected')
      return await settle(client, id, 'rejected', { error: outcome.answer.slice(0, RESPONSE_CAP) })
    await settle(client, id, STATUSES[outcome.booked.status], outcome.booked)
  } catch (error) {
    if (!(error instanceof IntegrationFailure)) throw error
    await noteError(services, 'crm', error.message)
    await wait(client, id)
  }
}

/** Why the CRM could not be asked; a rejection is an answer. */
const errorOf = ({ error, status, text }: CallAttempt): string | null =>
  error ?? ((status ?? 0) >= 500 ? `answered ${status}: ${text ?? ''}` : null)

/** False if the invoice has left the queue meanwhile. From then on it counts as requested. */
async function keepKey(client: PoolClient, id: number, key: string): Promise<boolean> {
  const keep = "update payment_invoice set crm_key = $2 where id = $1 and status = 'queued' and crm_key is null"
  return (await client.query(keep, [id, key])).rowCount === 1
}

const STATUSES = { pending: 'sent', accepted: 'accepted', rejected: 'rejected' } as const

async function readAgain(crm: ReturnType<typeof createCrm>, key: string, signal: AbortSignal) {
  const booked: Booked | undefined = await crm.read(key, signal)
  return booked === undefined ? undefined : ({ kind: 'booked', booked } as const)
}

async function wait(client: PoolClient, id: number): Promise<void> {
  await client.query('update payment_invoice set next_attempt_at = now() + make_interval(mins => $2) where id = $1', [
    id,
    PAUSE_MINUTES,
  ])
}

const settle = (client: PoolClient, id: number, status: string, response: unknown): Promise<void> =>
  writeAnswer(
    client,
    `update payment_invoice set status = $2, crm_response = $3, sent_at = coalesce(sent_at, now()),
      next_attempt_at = case when $2 = 'sent' then now() + make_interval(mins => $4) end
    where id = $1 and status in ('queued', 'sent')`,
    [id, status, JSON.stringify(response), PAUSE_MINUTES],
  )

/** The CRM has no request of the held invoice: it counts as never requested, and a dispute takes it out of the queue. */
const takeBack = (client: PoolClient, id: number): Promise<void> =>
  writeAnswer(
    client,
    `update payment_invoice i set crm_key = null, next_attempt_at = null,
      status = case when s.disputed_at is null then 'queued' else 'approved' end
    from statement s where s.id = i.statement_id and i.id = $1 and i.status = 'queued'`,
    [id],
  )

/** Writes what the CRM answered with its cause in the audit log. */
async function writeAnswer(client: PoolClient, text: string, values: unknown[]): Promise<void> {
  await client.query('begin')
  try {
    await client.query("select set_config('tributary.cause', 'answer of the CRM', true)")
    await client.query(text, values)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function keepAttempt(
  pool: Pool,
  { id, key, body }: { id: number; key: string; body: unknown },
  { method, status, text, error, durationMs }: CallAttempt,
): Promise<void> {
  await pool.query(
    `insert into crm_attempt (payment_invoice_id, crm_key, method, request, status, response, error, duration_ms)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      key,
      method,
      method === 'POST' ? JSON.stringify(body) : null,
      status,
      text?.slice(0, RESPONSE_CAP) ?? null,
      error,
      durationMs,
    ],
  )
}
