// Alerts of partners with qualified players that nobody has resolved and whose hold ends soon, or has ended. Closed months are left to true-ups.
import { addDays, formatDay } from '@tributary/contract/period'
import { sql } from 'kysely'
import { IS_PAID_BY_PLAYER } from '../entities/rules/closed-player.ts'
import type { AlertSource } from './alert-source.ts'
import { listAddress } from './list-address.ts'

/** Days before the end of the hold. */
const SOON = 3
/** Players that qualified earlier are ignored. */
const DAYS_BACK = 92

interface Due {
  partner: number
  title: string
  count: number
  newest: number
  first: string
  from: string
  to: string
  /** Those whose players count. */
  offers: readonly number[]
}

export const resolutionAlerts: AlertSource = async ({ partners }, today, { postgres: { db } }) => {
  const { rows } = await sql<Due>`
    select t.partner_id as partner, p.title, count(*)::int as count, max(t.id) as newest, min(h.ends)::text as first,
      min(t.qualified_at)::text as from, max(t.qualified_at)::text as to,
      array_agg(distinct t.offer_id order by t.offer_id) as offers
    from player t cross join setting s join partner p on p.id = t.partner_id
      left join partner_billing b on b.partner_id = t.partner_id
      cross join lateral (select t.qualified_at + coalesce(b.hold_days, 0) as ends) h
    where t.qualification = 'qualified' and t.payment_resolution is null and t.active
      and t.qualified_at >= ${addDays(today, -DAYS_BACK)}::date and h.ends <= ${addDays(today, SOON)}::date
      and (${partners}::int[] is null or t.partner_id = any(${partners}::int[]))
      and not exists (select from period_close_partner c where c.partner_id = t.partner_id and c.reopened_at is null
        and c.month = to_char(t.qualified_at, 'YYYY-MM'))
      and ${IS_PAID_BY_PLAYER}
    group by t.partner_id, p.title`.execute(db)
  return rows.map(({ partner, title, count, newest, first, from, to, offers }) => ({
    alert: 'resolutions_due' as const,
    subject: String(partner),
    facts: `${newest}`,
    count,
    title,
    values: { count, first: formatDay(first) },
    about: [{ entity: 'partner' as const, id: partner }],
    address: listAddress('player', {
      '[active]': '1',
      '[partner][in]': String(partner),
      // Players of offers without payment by player have no resolution either.
      '[offer][in]': offers.join('|'),
      '[qualification][in]': 'qualified',
      '[payment_resolution][nin]': 'approved|not_approved',
      '[qualified_at][bwn]': `${from}|${to}`,
    }),
    weight: count,
  }))
}
