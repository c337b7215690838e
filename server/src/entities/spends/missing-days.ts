// Lists days of a month on which an AGENCY partner offer had activity and no spend was accepted.

import type { MissingSpends } from '@tributary/contract/calls/spend-table'
import { earlierDay } from '@tributary/contract/period'
import { sql } from 'kysely'
import { entityNamed } from '../engine/model/model.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { judgeCell, readGround } from './judge-cell.ts'
import { daysOf, periodOfMonth } from './spend-month.ts'
import { keyOfCell } from './spend-offer-partners.ts'
import { readSpends } from './spend-rows.ts'

interface PlaceRow {
  readonly stream: number
  readonly country: number
  readonly partnerId: number
  readonly partner: string
  readonly streamTitle: string
  readonly countryTitle: string
}

/** `partners` null: all that the caller sees. */
export async function findMissingDays(
  context: Pick<RequestContext, 'engines' | 'scopeOf'>,
  partners: readonly number[] | null,
  month: string,
): Promise<MissingSpends['items']> {
  const { db } = context.engines.postgres
  const period = periodOfMonth(month)
  const places = await readPlaces(db, context, partners)
  const streams = [...new Set(places.map(({ stream }) => stream))]
  const ground = await readGround(db, context.engines, streams, period)
  const accepted = new Set<string>()
  const claimed = new Set<string>()
  for (const { sum, active, claim, ...spend } of await readSpends(db, streams, period)) {
    // A sum of one site is that of the day: it is entered by site or as a whole.
    const key = keyOfCell({ ...spend, site: null })
    if (active && sum !== null) accepted.add(key)
    else if (active && claim !== null) claimed.add(key)
  }
  const days = daysOf({ from: period.from, to: earlierDay(period.to, ground.today) })
  return places.flatMap(({ stream, country, ...titles }): MissingSpends['items'] => {
    const open = days.flatMap((date) => {
      const cell = { stream, country, site: null, day: date }
      const key = keyOfCell(cell)
      const activity = ground.activity.get(cell)
      const { lock } = judgeCell(ground, cell, null, true)
      return activity === undefined || lock !== null || accepted.has(key)
        ? []
        : [{ date, ...activity, claimed: claimed.has(key) }]
    })
    if (open.length === 0) return []
    return [
      {
        partner: { id: titles.partnerId, title: titles.partner },
        stream: { id: stream, title: titles.streamTitle },
        country: { id: country, title: titles.countryTitle },
        days: open,
      },
    ]
  })
}

/** Streams and countries whose partner offers are, or once were, paid by agency. */
async function readPlaces(
  db: Db,
  context: Pick<RequestContext, 'scopeOf'>,
  partners: readonly number[] | null,
): Promise<PlaceRow[]> {
  const scope = context.scopeOf(entityNamed('offer_partner'), 'l') ?? sql`true`
  const { rows } = await sql<PlaceRow>`
    select distinct l.stream_id as stream, c.country_id as country, p.id as "partnerId", p.title as partner, t.title as "streamTitle",
      k.title as "countryTitle"
    from offer_partner as l join offer as o on o.id = l.offer_id join payment_model as m on m.id = o.payment_model_id
      join advertiser_country as c on c.id = o.advertiser_country_id join country as k on k.id = c.country_id
      join partner_stream as t on t.id = l.stream_id join partner as p on p.id = t.partner_id
    where (m.type = 'AGENCY' or exists (select from offer_payment_model_history as h join payment_model as v on v.id = h.value_id
        where h.offer_id = o.id and h.active and v.type = 'AGENCY'))
      and (${partners}::int[] is null or p.id = any(${partners}::int[])) and ${scope}
    order by partner, "streamTitle", "countryTitle", stream, country`.execute(db)
  return rows
}
