// Alerts of partner offers that had clicks on most days of a week and have none since the day before yesterday.

import { ENTITIES } from '@tributary/contract/entities/registry'
import { addDays, formatDay } from '@tributary/contract/period'
import type { AlertSource } from './alert-source.ts'

/** The week before yesterday decides what is usual. */
const DAYS_BACK = 8
const LEAST_DAYS = 5
const LEAST_CLICKS = 30

const SILENT = `select offer_partner_id as id, toUInt32(sum(is_click)) as clicks, toUInt32(uniqExact(day)) as days, toString(max(day)) as last
  from click where day >= {from:Date} and is_click = 1
    and ({isNarrow:UInt8} = 0 or partner_id in {partners:Array(UInt32)})
  group by offer_partner_id having max(day) < {since:Date} and days >= {leastDays:UInt32} and clicks >= {leastClicks:UInt32}`

/** If there are no clicks at all, reports lag behind or the tracker is down: that is no news about a partner offer. */
const ANY_CLICK = 'select 1 as found from click where day >= {since:Date} and is_click = 1 limit 1'

const OPEN = `select l.id, l.offer_id as offer, l.partner_id as partner, o.title || ' × ' || p.title || ' · ' || l.site_id as title
  from offer_partner l join offer o on o.id = l.offer_id join partner p on p.id = l.partner_id
  where l.id = any($1) and l.active and l.state = 'approved' and o.active and o.state = 'approved' and p.active and p.state = 'approved'`

interface Silent {
  id: number
  clicks: number
  days: number
  last: string
}

export const silenceAlerts: AlertSource = async ({ partners }, today, { clickhouse, postgres: { pool } }) => {
  const since = addDays(today, -1)
  const [found, any] = await Promise.all([
    clickhouse.query<Silent>(SILENT, {
      from: addDays(today, -DAYS_BACK),
      since,
      isNarrow: partners === null ? 0 : 1,
      partners: partners ?? [],
      leastDays: LEAST_DAYS,
      leastClicks: LEAST_CLICKS,
    }),
    clickhouse.query(ANY_CLICK, { since }),
  ])
  if (found.length === 0 || any.length === 0) return []
  const { rows } = await pool.query<{ id: number; offer: number; partner: number; title: string }>(OPEN, [
    found.map(({ id }) => id),
  ])
  const open = new Map(rows.map((row) => [row.id, row]))
  return found.flatMap(({ id, clicks, days, last }) => {
    const row = open.get(id)
    if (row === undefined) return []
    const rate = Math.round(clicks / days)
    return [
      {
        alert: 'silent_partner_offer' as const,
        subject: String(id),
        facts: last,
        title: row.title,
        values: { last: formatDay(last), rate },
        about: [
          { entity: 'offer_partner' as const, id },
          { entity: 'offer' as const, id: row.offer },
          { entity: 'partner' as const, id: row.partner },
        ],
        address: `${ENTITIES.offer_partner.route}/${id}`,
        weight: rate,
      },
    ]
  })
}
