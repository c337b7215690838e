// Finds the partner offers of many spends with one reading: the payment model is that of the day.

import { parseMoney } from '@tributary/contract/money'
import { addDays, type Period } from '@tributary/contract/period'
import { sql } from 'kysely'
import { FIRST_DAY } from '../../facts/columns.ts'
import { type Dated, type Range, valueInForce } from '../../facts/terms.ts'
import type { Db } from '../engine/model/request-context.ts'
import type { SpendCell } from './spend-cell.ts'

export type SpendPlace = Omit<SpendCell, 'day'>

export const keyOfPlace = ({ stream, country, site }: SpendPlace): string => `${stream} ${country} ${site ?? ''}`
export const keyOfCell = (place: SpendCell): string => `${keyOfPlace(place)} ${place.day}`

interface Model {
  readonly id: number
  readonly title: string
  readonly isAgency: boolean
}

export interface SpendOfferPartner {
  readonly id: number
  readonly stream: number
  readonly country: number
  readonly site: string
  readonly active: boolean
  readonly offerTitle: string
  readonly models: Dated<Model>
  /** Its own agency percentages, in ten-thousandths of a percent. */
  readonly percentages: readonly Range[]
}

export const modelOn = ({ models }: SpendOfferPartner, day: string): Model => valueInForce(models, day)

/** The day since which the offer has the payment model of `day`; null if it has had it from the beginning. */
export function modelSince(offerPartner: SpendOfferPartner, day: string): string | null {
  const { id } = modelOn(offerPartner, day)
  let since = valueSince(offerPartner.models, day)
  while (since !== null && modelOn(offerPartner, addDays(since, -1)).id === id)
    since = valueSince(offerPartner.models, addDays(since, -1))
  return since
}

/** The first day of the range of `day`, or of the gap between ranges. */
function valueSince({ ranges }: Dated<Model>, day: string): string | null {
  const own = ranges.find(({ from, to }) => from <= day && (to === null || day <= to))
  if (own !== undefined) return own.from <= FIRST_DAY ? null : own.from
  const before = ranges.flatMap(({ to }) => (to !== null && to < day ? to : [])).toSorted()
  const last = before.at(-1)
  return last === undefined ? null : addDays(last, 1)
}

export interface SpendOfferPartners {
  readonly all: readonly SpendOfferPartner[]
  byId(id: number | null): SpendOfferPartner | undefined
  /** The partner offer that `currentId` names, else an AGENCY one of the place on that day, else an active one. */
  find(place: SpendCell, currentId: number | null): SpendOfferPartner | undefined
}

interface ModelRange extends Model {
  readonly from: string
  readonly to: string | null
}

interface OfferPartnerRow extends Omit<SpendOfferPartner, 'models' | 'percentages'> {
  readonly model: Model
  readonly ranges: readonly ModelRange[]
  readonly percentages: readonly { from: string; to: string | null; value: string }[]
}

const MODEL = sql`json_build_object('id', m.id, 'title', m.title, 'isAgency', m.type = 'AGENCY')`

/** Partner offers of the streams, and those of their spends in the period and of other spends (`kept`), which may use another stream by now. */
export async function readSpendOfferPartners(
  db: Db,
  streams: readonly number[],
  { from, to }: Period,
  kept: readonly number[] = [],
): Promise<SpendOfferPartners> {
  const { rows } = await sql<OfferPartnerRow>`
    select l.id, l.stream_id as stream, c.country_id as country, l.site_id as site, l.active, o.title as "offerTitle",
      ${MODEL} as model,
      (select coalesce(json_agg(json_build_object('from', h.date_from, 'to', h.date_to, 'id', v.id, 'title', v.title,
          'isAgency', v.type = 'AGENCY') order by h.date_from), '[]')
        from offer_payment_model_history h join payment_model v on v.id = h.value_id where h.offer_id = o.id and h.active) as ranges,
      (select coalesce(json_agg(json_build_object('from', h.date_from, 'to', h.date_to, 'value', h.value::text)), '[]')
        from offer_partner_agency_percentage_history h where h.offer_partner_id = l.id and h.active) as percentages
    from offer_partner as l join offer as o on o.id = l.offer_id join advertiser_country as c on c.id = o.advertiser_country_id
      join payment_model as m on m.id = o.payment_model_id
    where l.stream_id = any(${streams}::int[]) or l.id = any(${kept}::int[]) or l.id in (
      select s.offer_partner_id from partner_spend as s
      where s.stream_id = any(${streams}::int[]) and s.date between ${from}::date and ${to}::date)
    order by l.active desc, l.id`.execute(db)
  return indexOfferPartners(rows.map(toOfferPartner))
}

const toOfferPartner = ({ model, ranges, percentages, ...offerPartner }: OfferPartnerRow): SpendOfferPartner => ({
  ...offerPartner,
  models: { ranges: ranges.map(({ from, to, ...value }) => ({ from, to, value })), otherwise: model },
  percentages: percentages.map(({ value, ...range }) => ({ ...range, value: parseMoney(value) ?? 0n })),
})

/** `all` is in the order of preference. */
function indexOfferPartners(all: readonly SpendOfferPartner[]): SpendOfferPartners {
  const offerPartners = new Map(all.map((offerPartner) => [offerPartner.id, offerPartner]))
  const byPlace = new Map<string, SpendOfferPartner[]>()
  for (const offerPartner of all)
    for (const site of [null, offerPartner.site]) {
      const key = keyOfPlace({ ...offerPartner, site })
      const own = byPlace.get(key)
      if (own === undefined) byPlace.set(key, [offerPartner])
      else own.push(offerPartner)
    }
  const byId = (id: number | null): SpendOfferPartner | undefined => (id === null ? undefined : offerPartners.get(id))
  return {
    all,
    byId,
    find(place, currentId) {
      const current = byId(currentId)
      if (current !== undefined) return current
      const own = byPlace.get(keyOfPlace(place)) ?? []
      return own.find((offerPartner) => modelOn(offerPartner, place.day).isAgency) ?? own[0]
    },
  }
}
