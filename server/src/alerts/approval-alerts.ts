// Alerts of records that wait for approval: one alert for partners, one for offers, one for partner offers.
import type { AlertName } from '@tributary/contract/alerts'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { AlertSource } from './alert-source.ts'
import { listAddress } from './list-address.ts'

interface Queue {
  readonly alert: AlertName
  readonly entity: EntityName
  /** SQL: the rows as `t`, the name of one, and whether it belongs to the partners $1. */
  readonly from: string
  readonly title: string
  readonly isOfPartners: string
  /** SQL: whether it belongs to the partners $1 of the group $2, or to the group itself. */
  readonly isOfGroup?: string
}

const QUEUES: readonly Queue[] = [
  {
    alert: 'unapproved_partners',
    entity: 'partner',
    from: 'partner t',
    title: 't.title',
    isOfPartners: 't.id = any($1)',
  },
  {
    alert: 'unapproved_offers',
    entity: 'offer',
    from: 'offer t',
    title: 't.title',
    isOfPartners: 'true',
    isOfGroup: `t.id in (select offer_id from offer_partner where partner_id = any($1)
      union all select offer_id from partner_group_offer where partner_group_id = $2)`,
  },
  {
    alert: 'unapproved_partner_offers',
    entity: 'offer_partner',
    from: 'offer_partner t join offer o on o.id = t.offer_id join partner p on p.id = t.partner_id',
    title: `o.title || ' × ' || p.title`,
    isOfPartners: 't.partner_id = any($1)',
  },
]

const NAMED = 3

interface Waiting {
  count: number
  newest: number | null
  first: string | null
  titles: string[] | null
}

/** A dismissed alert comes back with the next record that waits. */
export const approvalAlerts: AlertSource = async ({ partners, groupFilter }, _today, { postgres: { pool } }) => {
  const found = await Promise.all(
    QUEUES.map(async ({ alert, entity, from, title, isOfPartners, isOfGroup }) => {
      const byGroup = groupFilter === null ? undefined : isOfGroup
      const { rows } = await pool.query<Waiting>(
        `select count(*)::int as count, max(t.id) as newest,
          to_char(min(t.created_at) at time zone (select business_time_zone from setting), 'DD.MM.YYYY') as first,
          (array_agg(${title} order by t.id desc))[1:${NAMED}] as titles
        from ${from} where t.state = 'unapproved' and t.active and ($1::int[] is null or ${byGroup ?? isOfPartners})`,
        byGroup === undefined ? [partners] : [partners, groupFilter],
      )
      return { alert, entity, waiting: rows[0] }
    }),
  )
  return found.flatMap(({ alert, entity, waiting }) => {
    if (waiting === undefined || waiting.count === 0) return []
    const { count, newest, first, titles } = waiting
    return [
      {
        alert,
        subject: 'all',
        facts: String(newest),
        count,
        title: [...(titles ?? []), ...(count > NAMED ? ['…'] : [])].join(', '),
        values: { count, first: first ?? '' },
        address: listAddress(entity, { '[active]': '1', '[state][in]': 'unapproved' }),
        weight: 0,
      },
    ]
  })
}
