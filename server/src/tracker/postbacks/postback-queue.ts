// The queue of outbound postbacks: due rows are leased host by host, and written back with their attempt. If a process dies, its leases expire.

import type { PostbackReason } from '@tributary/contract/entities/postback'
import type { Pool } from 'pg'
import type { Room } from './host-limits.ts'

export interface DuePostback {
  id: number
  url: string
  method: string
  /** Including this one. */
  attempts: number
  /** Failed attempts since it was last sent. */
  step: number
  host: string
  partner_id: number | null
  /** The partner's address, when calls to it are signed. */
  signed_by: number | null
}

export interface Outcome {
  id: number
  status: 'sent' | 'failed' | 'pending'
  reason: PostbackReason | null
  code: number | null
  response: string | null
  error: string | null
  /** Until the next attempt, by the clock of the record. */
  next_in_ms: number | null
  number: number
  /** ISO 8601; when the call began. */
  at: string
  method: string
  url: string
  ms: number
}

/** Longer than any call takes. */
const LEASE_SECONDS = 60

/** Steps through the index host by host: a host with a million pending rows costs no more than one with a single row. */
const TAKE = `with recursive hosts (host) as (
    (select host from postback where status = 'pending' order by host limit 1)
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

export async function takeDue(pool: Pool, { answering, closed, others, total }: Room): Promise<DuePostback[]> {
  if (total === 0) return []
  const { rows } = await pool.query<DuePostback>(TAKE, [JSON.stringify(answering), closed, others, total])
  return rows
}

const SAVE = `with done as (select * from jsonb_to_recordset($1::jsonb) as d (id bigint, status text, reason text, code int, response text,
    error text, next_in_ms float8, number int, at timestamptz, method text, url text, ms int)),
  saved as (update postback p set status = d.status, reason = d.reason, response_code = d.code, response = d.response, error = d.error,
      next_attempt_at = now() + make_interval(secs => d.next_in_ms / 1000), step = p.step + case when d.error is null then 0 else 1 end
    from done d where p.id = d.id and p.status = 'pending' returning p.id)
  insert into postback_attempt (postback_id, number, at, method, url, code, response, error, duration_ms)
    select d.id, d.number, d.at, d.method, d.url, d.code, d.response, d.error, d.ms from done d join saved on saved.id = d.id
    on conflict do nothing`

export async function saveOutcomes(pool: Pool, outcomes: readonly Outcome[]): Promise<void> {
  await pool.query(SAVE, [JSON.stringify(outcomes)])
}

/** Fails calls to paused hosts that have waited longer than the whole schedule. */
export async function giveUpOn(pool: Pool, hosts: readonly string[]): Promise<void> {
  if (hosts.length === 0) return
  await pool.query(
    `update postback set status = 'failed', reason = 'host_down', next_attempt_at = null
    where status = 'pending' and host = any($1) and next_attempt_at < now() - interval '48 hours'`,
    [hosts],
  )
}
