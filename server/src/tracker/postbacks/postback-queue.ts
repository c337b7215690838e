// The queue of outbound postbacks. Due rows are leased host by host and updated with the outcome of their attempt. Leases of a dead process expire.

import type { PostbackReason } from '@tributary/contract/entities/postback'
import type { Pool } from 'pg'
import type { Room } from './host-limits.ts'

export interface DuePostback {
  id: number
  url: string
  method: string
  /** The number of attempts, including this one. */
  attempts: number
  /** Failed attempts in the current retry schedule. */
  step: number
  host: string
  partner_id: number | null
  /** The id of the partner's URL if calls to it are signed, else null. */
  signed_by: number | null
}

export interface Outcome {
  id: number
  status: 'sent' | 'failed' | 'pending'
  reason: PostbackReason | null
  code: number | null
  response: string | null
  error: string | null
  /** Milliseconds until the next attempt. PostgreSQL adds them to its own clock. */
  next_in_ms: number | null
  number: number
  /** The start of the call in ISO 8601. */
  at: string
  method: string
  url: string
  ms: number
}

/** Must be longer than any call takes. */
const LEASE_SECONDS = 60

/** Walks the index host by host, so that a host with a million pending rows costs no more than one with a single row. */
const LEASE_SQL = `with recursive hosts (host) as (
    (select host from postback where status = 'pending' and not (select sending_held from setting) order by host limit 1)
    union all
    select (select p.host from postback p where p.status = 'pending' and p.host > h.host order by p.host limit 1)
    from hosts h where h.host is not null),
  open as (select host, ($1::jsonb ->> host)::int as known from hosts where host is not null and host <> all($2::text[])),
  chosen as (
    (select q.id, q.next_attempt_at from open cross join lateral (
      select id, next_attempt_at from postback p where p.status = 'pending' and p.host = open.host and next_attempt_at <= now()
      order by next_attempt_at limit open.known for update skip locked) q
    where known is not null order by q.next_attempt_at limit $4)
    union all
    (select q.id, q.next_attempt_at from open cross join lateral (
      select id, next_attempt_at from postback p where p.status = 'pending' and p.host = open.host and next_attempt_at <= now()
      order by next_attempt_at limit 1 for update skip locked) q
    where known is null order by q.next_attempt_at limit $3))
  update postback set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
  where id in (select id from chosen order by next_attempt_at limit $4)
  returning id, url, method, attempts, step, host, partner_id,
    (select u.id from partner_postback_url u where u.id = partner_postback_url_id and u.signed) as signed_by`

export async function leaseDue(pool: Pool, { answering, closed, others, total }: Room): Promise<DuePostback[]> {
  if (total === 0) return []
  const { rows } = await pool.query<DuePostback>(LEASE_SQL, [JSON.stringify(answering), closed, others, total])
  return rows
}

const SAVE_SQL = `with done as (select * from jsonb_to_recordset($1::jsonb) as d (id bigint, status text, reason text, code int, response text,
    error text, next_in_ms float8, number int, at timestamptz, method text, url text, ms int)),
  saved as (update postback p set status = d.status, reason = d.reason, response_code = d.code, response = d.response, error = d.error,
      next_attempt_at = now() + make_interval(secs => d.next_in_ms / 1000), step = p.step + case when d.error is null then 0 else 1 end
    from done d where p.id = d.id and p.status = 'pending' returning p.id)
  insert into postback_attempt (postback_id, number, at, method, url, code, response, error, duration_ms)
    select d.id, d.number, d.at, d.method, d.url, d.code, d.response, d.error, d.ms from done d join saved on saved.id = d.id
    on conflict do nothing`

export async function saveOutcomes(pool: Pool, outcomes: readonly Outcome[]): Promise<void> {
  await pool.query(SAVE_SQL, [JSON.stringify(outcomes)])
}

/** Fails calls to these hosts that have been due for more than 48 hours, which is longer than the retry schedule. */
export async function giveUpOn(pool: Pool, hosts: readonly string[]): Promise<void> {
  if (hosts.length === 0) return
  await pool.query(
    `update postback set status = 'failed', reason = 'host_down', next_attempt_at = null
    where status = 'pending' and host = any($1) and next_attempt_at < now() - interval '48 hours'`,
    [hosts],
  )
}
