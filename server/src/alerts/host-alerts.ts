// Alerts of hosts to which postbacks fail, by the last attempts of a day.
import { addDays } from '@tributary/contract/period'
import type { AlertSource } from './alert-source.ts'
import { listAddress } from './list-address.ts'

/** Fewer failures, or a smaller share, are noise. */
const LEAST_FAILURES = 5
const LEAST_SHARE = 0.1
/** An address with more partners would be too long. */
const LISTED_PARTNERS = 20

const HOSTS = `with call as (
    select host, partner_id, status = 'failed' as is_failed, status = 'pending' and step > 0 as is_retried
    from postback
    where direction = 'out' and status in ('sent', 'failed', 'pending') and created_at > now() - interval '1 day'
      and host <> '' and ($1::int[] is null or partner_id = any($1))
  )
  select host, count(*)::int as calls, count(*) filter (where is_failed)::int as failed,
    count(*) filter (where is_retried)::int as retrying,
    array_agg(distinct partner_id) filter (where is_failed or is_retried) as partners
  from call group by host
  having count(*) filter (where is_failed or is_retried) >= greatest($2::int, count(*) * $3::float8)`

interface Host {
  host: string
  calls: number
  failed: number
  retrying: number
  partners: number[]
}

export const hostAlerts: AlertSource = async ({ partners }, today, { postgres: { pool } }) => {
  const { rows } = await pool.query<Host>(HOSTS, [partners, LEAST_FAILURES, LEAST_SHARE])
  return rows.map(({ host, calls, failed, retrying, partners: own }) => ({
    alert: 'failing_host' as const,
    subject: host,
    facts: `${Math.floor(((failed + retrying) * 10) / calls)}`,
    title: host,
    values: { calls, failed, retrying },
    about: own.map((id) => ({ entity: 'partner' as const, id })),
    address: listAddress('postback', {
      '[created_at][bwn]': `${addDays(today, -1)}|${today}`,
      '[direction][in]': 'out',
      '[status][in]': 'failed|pending',
      ...(own.length <= LISTED_PARTNERS && { '[partner][in]': own.join('|') }),
    }),
    weight: failed + retrying,
  }))
}
